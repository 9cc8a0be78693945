#include "core/spelling.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace crossriver {
namespace {

// Levenshtein distance, one row at a time.
size_t EditDistance(absl::string_view a, absl::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string Printable(absl::string_view text) {
  std::string printable;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      absl::StrAppend(&printable, "\\x", absl::Hex(byte, absl::kZeroPad2));
    } else {
      printable += c;
    }
  }
  return printable;
}

std::string Suggestion(absl::string_view word, const std::vector<std::string>& candidates) {
  if (candidates.empty()) return "";
  if (word.empty()) return absl::StrCat("; expected one of ", absl::StrJoin(candidates, ", "));
  word = word.substr(0, 64);  // longer ones are near to nothing
  // Of two equally far, one that the word is the beginning of.
  const auto rank = [word](const std::string& candidate) {
    return 2 * EditDistance(word, candidate) + (absl::StartsWith(candidate, word) ? 0 : 1);
  };
  const auto nearer = [&rank](const std::string& a, const std::string& b) {
    return rank(a) < rank(b);
  };
  const std::string& nearest = *std::min_element(candidates.begin(), candidates.end(), nearer);
  const size_t enough = std::max<size_t>(2, word.size() / 2);
  if (EditDistance(word, nearest) <= enough || absl::StartsWith(nearest, word)) {
    return absl::StrCat("; did you mean '", nearest, "'?");
  }
  return absl::StrCat("; expected one of ", absl::StrJoin(candidates, ", "), " (nearest: ", nearest,
                      ")");
}

}  // namespace crossriver
