#include "selfplay/game_import.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "selfplay/game_text.h"
#include "selfplay/pgn_scanner.h"

namespace crossriver {
namespace {

absl::Status AtLine(int line, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("line ", line, ": ", what));
}

std::string Shown(absl::string_view text) { return absl::CHexEscape(text.substr(0, 40)); }

// A trailing + may be a promotion or, with many programs, a check.
absl::StatusOr<Move> ReadMove(const Position& position, absl::string_view text) {
  absl::StatusOr<Move> move = ParseMove(position, text);
  if (move.ok() || !absl::ConsumeSuffix(&text, "+")) return move;
  const absl::StatusOr<Move> without = ParseMove(position, text);
  return without.ok() ? without : move;
}

// The words of a line that holds a game: "[position] [startpos | fen FEN] [moves] MOVES [RESULT]".
ScannedGame ScanLine(absl::string_view text, int line) {
  ScannedGame game;
  game.line = line;
  std::vector<absl::string_view> words =
      absl::StrSplit(text, absl::ByAnyChar(" \t\r"), absl::SkipEmpty());
  auto word = words.begin();
  if (word != words.end() && *word == "position") ++word;
  if (word != words.end() && *word == "startpos") ++word;
  if (word != words.end() && *word == "fen") {
    const auto end = std::find(word, words.end(), "moves");
    if (end == words.end()) {
      game.error = absl::StrCat("line ", line, ": expected the word moves behind the FEN");
    }
    game.headers["FEN"] = absl::StrJoin(word + 1, end, " ");
    word = end;
  }
  if (word != words.end() && *word == "moves") ++word;
  if (word != words.end() && IsResult(words.back())) {
    game.result = words.back();
    words.pop_back();
  }
  for (; word < words.end(); ++word) game.moves.push_back({*word, line});
  return game;
}

// Gives the games of either form, one after the other.
class GameScanner {
 public:
  explicit GameScanner(absl::string_view text) : text_(WithoutMark(text)), pgn_(text_) {
    const absl::string_view start = absl::StripLeadingAsciiWhitespace(text_);
    is_pgn_ =
        !start.empty() && (absl::ascii_isdigit(static_cast<unsigned char>(start[0])) ||
                           absl::string_view("[{(;%*").find(start[0]) != absl::string_view::npos);
  }

  bool Next(ScannedGame* game) {
    if (is_pgn_) return pgn_.Next(game);
    while (!text_.empty()) {
      const size_t end = std::min(text_.find('\n'), text_.size());
      const absl::string_view content = absl::StripAsciiWhitespace(text_.substr(0, end));
      text_.remove_prefix(std::min(end + 1, text_.size()));
      ++line_;
      if (content.empty() || content[0] == '#') continue;
      *game = ScanLine(content, line_);
      return true;
    }
    return false;
  }

 private:
  // UTF-8's byte order mark.
  static absl::string_view WithoutMark(absl::string_view text) {
    absl::ConsumePrefix(&text, "\xEF\xBB\xBF");
    return text;
  }

  absl::string_view text_;
  PgnScanner pgn_;
  bool is_pgn_ = false;
  int line_ = 0;
};

// The stated result: behind the moves, or in the header.
absl::StatusOr<Result> StatedResult(const ScannedGame& game) {
  absl::string_view text = game.result;
  const auto header = game.headers.find("Result");
  if (header != game.headers.end()) {
    if (!IsResult(header->second)) {
      return AtLine(game.line, absl::StrCat("result '", Shown(header->second),
                                            "', expected 1-0, 0-1, 1/2-1/2 or *"));
    }
    if (!text.empty() && text != absl::string_view(header->second)) {
      return AtLine(game.line, absl::StrCat("the header says ", header->second,
                                            ", the moves end with ", text));
    }
    text = header->second;
  }
  for (const Result result : {Result::kWin, Result::kLoss, Result::kDraw}) {
    if (text == ResultScore(result)) return result;
  }
  return Result::kNone;
}

absl::StatusOr<const Rules*> RulesOf(const std::vector<const Rules*>& variants,
                                     const ScannedGame& game) {
  const auto header = game.headers.find("Variant");
  if (header == game.headers.end()) return variants.front();
  std::vector<std::string> ids;
  for (const Rules* rules : variants) {
    if (header->second == rules->definition().id) return rules;
    ids.push_back(absl::StrCat("'", rules->definition().id, "'"));
  }
  return AtLine(game.line, absl::StrCat("a game of '", Shown(header->second), "', expected ",
                                        absl::StrJoin(ids, " or ")));
}

absl::StatusOr<Position> StartOf(const Rules& rules, const ScannedGame& game) {
  const auto fen = game.headers.find("FEN");
  if (fen == game.headers.end()) return StartPosition(rules);
  absl::StatusOr<Position> start = ParseFen(rules, fen->second);
  return start.ok() ? start : AtLine(game.line, std::string(start.status().message()));
}

void SetResult(const Outcome& outcome, Side mover, Result stated, GameRecord* record) {
  if (outcome.is_over()) {
    record->result = ForFirst(outcome.result, mover);
    record->reason = outcome.reason;
    return;
  }
  record->result = stated;
  record->truncated = stated == Result::kNone;
  record->resigned = stated == Result::kWin || stated == Result::kLoss;
}

absl::StatusOr<GameRecord> BuildGame(const std::vector<const Rules*>& variants,
                                     const ScannedGame& game) {
  if (!game.error.empty()) return absl::InvalidArgumentError(game.error);
  const absl::StatusOr<const Rules*> played = RulesOf(variants, game);
  if (!played.ok()) return played.status();
  const Rules& rules = **played;
  const absl::StatusOr<Result> stated = StatedResult(game);
  if (!stated.ok()) return stated.status();
  absl::StatusOr<Position> position = StartOf(rules, game);
  if (!position.ok()) return position.status();
  if (game.moves.empty()) return AtLine(game.line, "a game without moves");
  GameRecord record;
  record.variant = rules.definition().id;
  record.rules_hash = rules.hash();
  record.start_kind = StartKind::kImported;
  record.start_fen = FormatFen(*position);
  History history(*position);
  const auto adjudicate = [&] { return Adjudicate(*position, history, HasLegalMove(*position)); };
  Outcome outcome = adjudicate();
  for (const ScannedGame::Word& word : game.moves) {
    if (outcome.is_over()) {
      return AtLine(word.line, absl::StrCat("move '", Shown(word.text), "' after the end (",
                                            ToString(outcome.reason), ")"));
    }
    const absl::StatusOr<Move> move = ReadMove(*position, word.text);
    if (!move.ok()) return AtLine(word.line, std::string(move.status().message()));
    RecordedMove recorded;
    recorded.move = *move;
    recorded.checkpoint = kNoCheckpoint;
    record.moves.push_back(recorded);
    const UndoRecord undo = position->Do(*move);
    history.Push(*position, undo);
    outcome = adjudicate();
  }
  SetResult(outcome, position->side_to_move(), *stated, &record);
  return record;
}

}  // namespace

absl::StatusOr<ImportReport> ImportGames(const Rules& rules, absl::string_view text,
                                         const ImportOptions& options, GameTaker take) {
  return ImportGames(std::vector<const Rules*>{&rules}, text, options, take);
}

absl::StatusOr<ImportReport> ImportGames(const std::vector<const Rules*>& variants,
                                         absl::string_view text, const ImportOptions& options,
                                         GameTaker take) {
  ImportReport report;
  GameScanner scanner(text);
  ScannedGame game;
  while (scanner.Next(&game)) {
    absl::StatusOr<GameRecord> record = BuildGame(variants, game);
    if (!record.ok()) {
      const int number = report.imported + report.skipped + 1;
      ++report.skipped;
      report.messages.push_back(absl::StrCat("game ", number, ": ", record.status().message()));
      continue;
    }
    record->id = options.first_id + static_cast<uint64_t>(report.imported);
    if (absl::Status status = take(*record); !status.ok()) return status;
    ++report.imported;
  }
  return report;
}

}  // namespace crossriver
