#include "selfplay/pgn_scanner.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace crossriver {
namespace {

constexpr absl::string_view kWordEnds = " \t\r\n\v\f{}()[];";

// "12." or "12..." in front of a move, or alone.
absl::string_view WithoutNumber(absl::string_view word) {
  const size_t dots = std::min(word.find_first_not_of("0123456789"), word.size());
  const size_t move = std::min(word.find_first_not_of('.', dots), word.size());
  const bool is_number = move > dots || dots == word.size();
  return is_number ? word.substr(move) : word;
}

// "!", "?" and "#" say what someone thought of the move.
absl::string_view WithoutGlyphs(absl::string_view word) {
  const size_t last = word.find_last_not_of("!?#");
  return last == absl::string_view::npos ? absl::string_view() : word.substr(0, last + 1);
}

}  // namespace

bool IsResult(absl::string_view word) {
  return word == "1-0" || word == "0-1" || word == "1/2-1/2" || word == "*";
}

void PgnScanner::Advance(size_t count) {
  const size_t end = std::min(at_ + count, text_.size());
  line_ += static_cast<int>(std::count(text_.begin() + at_, text_.begin() + end, '\n'));
  at_ = end;
}

void PgnScanner::SkipLine() {
  const size_t end = text_.find('\n', at_);
  Advance(end == absl::string_view::npos ? text_.size() - at_ : end - at_ + 1);
}

// Only the first error of a game is of interest.
void PgnScanner::Fail(absl::string_view what, ScannedGame* game) const {
  if (game->error.empty()) game->error = absl::StrCat("line ", line_, ": ", what);
}

// A comment that is not closed ends where the next game seems to begin.
void PgnScanner::SkipComment(ScannedGame* game) {
  const size_t close = text_.find('}', at_);
  const absl::string_view inside =
      text_.substr(at_, close == absl::string_view::npos ? close : close - at_);
  const size_t next_game = std::min(inside.find("\n\n["), inside.find("\n\r\n["));
  if (next_game == absl::string_view::npos && close != absl::string_view::npos) {
    Advance(close - at_ + 1);
    return;
  }
  Fail("a comment is not closed, expected }", game);
  is_broken_off_ = true;
  Advance(next_game == absl::string_view::npos ? text_.size() - at_ : next_game);
}

void PgnScanner::SkipVariation(ScannedGame* game) {
  int depth = 0;
  const int start = line_;
  while (!AtEnd()) {
    const char now = Now();
    if (now == '{') {
      SkipComment(game);
      continue;
    }
    if (now == ';') {
      SkipLine();
      continue;
    }
    if (now == '[' && at_ > 0 && text_[at_ - 1] == '\n') break;
    if (now == '(') ++depth;
    if (now == ')') --depth;
    Advance(1);
    if (depth == 0) return;
  }
  is_broken_off_ = true;
  if (game->error.empty()) {
    game->error = absl::StrCat("line ", start, ": a variation is not closed, expected )");
  }
}

// [Name "value"], with \" and \\ inside.
void PgnScanner::ReadHeader(ScannedGame* game) {
  const size_t line_end = std::min(text_.find('\n', at_), text_.size());
  const absl::string_view line = text_.substr(at_, line_end - at_);
  const size_t open = line.find('"');
  std::string value;
  bool closed = false;
  size_t i = open == absl::string_view::npos ? line.size() : open + 1;
  for (; i < line.size() && !closed; ++i) {
    if (line[i] == '"') {
      closed = true;
    } else {
      if (line[i] == '\\' && i + 1 < line.size()) ++i;
      value.push_back(line[i]);
    }
  }
  const size_t end = line.find(']', i);
  if (!closed || end == absl::string_view::npos) {
    Fail("expected a header [Name \"value\"]", game);
    SkipLine();
    return;
  }
  game->headers.emplace(std::string(absl::StripAsciiWhitespace(line.substr(1, open - 1))), value);
  Advance(end + 1);
}

absl::string_view PgnScanner::ReadWord() {
  const size_t end = std::min(text_.find_first_of(kWordEnds, at_ + 1), text_.size());
  const absl::string_view word = text_.substr(at_, end - at_);
  Advance(word.size());
  return word;
}

bool PgnScanner::Next(ScannedGame* game) {
  *game = ScannedGame();
  bool has_words = false;
  is_broken_off_ = false;
  while (!AtEnd()) {
    const char now = Now();
    if (absl::ascii_isspace(static_cast<unsigned char>(now))) {
      Advance(1);
      continue;
    }
    if (now == '%' && (at_ == 0 || text_[at_ - 1] == '\n')) {
      SkipLine();
      continue;
    }
    if (now == '[' && (has_words || is_broken_off_)) return true;  // the next game's
    if (game->line == 0) game->line = line_;
    if (now == '[') {
      ReadHeader(game);
    } else if (now == '{') {
      SkipComment(game);
    } else if (now == ';') {
      SkipLine();
    } else if (now == '(') {
      SkipVariation(game);
    } else {
      has_words = true;
      const int line = line_;
      const absl::string_view word = ReadWord();
      if (IsResult(word)) {
        game->result = word;
        return true;
      }
      if (word[0] == ')' || word[0] == '}' || word[0] == ']') {
        Fail(absl::StrCat("'", word.substr(0, 1), "' closes nothing"), game);
        continue;
      }
      const absl::string_view move = WithoutGlyphs(WithoutNumber(word));
      if (!move.empty() && word[0] != '$') game->moves.push_back({move, line});
    }
  }
  return has_words || !game->headers.empty() || !game->error.empty();
}

}  // namespace crossriver
