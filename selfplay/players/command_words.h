// A command in one line, as its words.
#ifndef CROSSRIVER_SELFPLAY_PLAYERS_COMMAND_WORDS_H_
#define CROSSRIVER_SELFPLAY_PLAYERS_COMMAND_WORDS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace crossriver {

// The program and its arguments, split as a shell does: at blanks, with '…' taken as it stands, "…"
// where a backslash protects " and itself, and a backslash before any other character. Nothing is
// expanded. Errors: a quote that is not closed, a backslash at the end, no words.
absl::StatusOr<std::vector<std::string>> SplitCommand(absl::string_view command);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_PLAYERS_COMMAND_WORDS_H_
