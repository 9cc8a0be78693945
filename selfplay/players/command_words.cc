#include "selfplay/players/command_words.h"

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "core/spelling.h"

namespace crossriver {
namespace {

absl::Status CommandError(absl::string_view command, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("command '", Printable(command), "': ", what));
}

}  // namespace

absl::StatusOr<std::vector<std::string>> SplitCommand(absl::string_view command) {
  std::vector<std::string> words;
  bool in_word = false;  // a word may be empty: ''
  char quote = 0;        // that is open
  for (size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (quote == 0 && absl::ascii_isspace(static_cast<unsigned char>(c))) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else if (c == '\\' && quote != '\'') {
      if (i + 1 == command.size()) return CommandError(command, "nothing follows the backslash");
      const char next = command[i + 1];
      const bool protects = quote == 0 || next == '"' || next == '\\';
      words.back() += protects ? next : c;
      if (protects) ++i;
    } else {
      words.back() += c;
    }
  }
  if (quote != 0) {
    return CommandError(command,
                        absl::StrCat("the quote ", std::string(1, quote), " is not closed"));
  }
  if (words.empty() || words[0].empty()) return CommandError(command, "names no program");
  return words;
}

}  // namespace crossriver
