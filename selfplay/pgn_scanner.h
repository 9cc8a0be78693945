// Cutting text into games, without knowing their rules.
#ifndef CROSSRIVER_SELFPLAY_PGN_SCANNER_H_
#define CROSSRIVER_SELFPLAY_PGN_SCANNER_H_

#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace crossriver {

// A game as its words.
struct ScannedGame {
  struct Word {
    absl::string_view text;
    int line = 0;
  };

  int line = 0;                                // where it begins, from 1
  std::map<std::string, std::string> headers;  // the first of each name
  std::vector<Word> moves;
  absl::string_view result;  // behind the moves; may be empty
  std::string error;         // what made it unreadable, with its line; empty if nothing did
};

// PGN: headers, moves, comments, variations. Views point into the text. A game that can't be read
// is given with its error, and reading goes on with the next.
class PgnScanner {
 public:
  explicit PgnScanner(absl::string_view text) : text_(text) {}

  // False at the end of the text.
  bool Next(ScannedGame* game);

 private:
  bool AtEnd() const { return at_ >= text_.size(); }
  char Now() const { return text_[at_]; }
  // Moves on, counting lines.
  void Advance(size_t count);
  void SkipLine();
  void SkipComment(ScannedGame* game);
  void SkipVariation(ScannedGame* game);
  void ReadHeader(ScannedGame* game);
  absl::string_view ReadWord();
  void Fail(absl::string_view what, ScannedGame* game) const;

  absl::string_view text_;
  size_t at_ = 0;
  int line_ = 1;
  bool is_broken_off_ = false;  // the game: what comes next belongs to another
};

// "1-0", "0-1", "1/2-1/2" or "*".
bool IsResult(absl::string_view word);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_PGN_SCANNER_H_
