// Suggestions for misspelt words in error messages.
#ifndef CROSSRIVER_CORE_SPELLING_H_
#define CROSSRIVER_CORE_SPELLING_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace crossriver {

// `text` on one line: control characters as \xNN.
std::string Printable(absl::string_view text);

// "; did you mean 'orthogonal'?" for the candidate nearest to `word` in edit distance, or, where
// none is near, "; expected one of a, b, c (nearest: b)".
std::string Suggestion(absl::string_view word, const std::vector<std::string>& candidates);

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_SPELLING_H_
