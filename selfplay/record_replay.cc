#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "selfplay/record.h"

namespace crossriver {
namespace {

absl::string_view NameOf(Result result) {
  return result == Result::kNone ? "no result" : ToString(result);
}

// A game that the rules ended.
absl::Status CheckEnd(const GameRecord& record, Result result, Reason reason) {
  if (record.resigned || record.truncated) {
    return absl::InvalidArgumentError(absl::StrCat("the game is over (", ToString(reason),
                                                   ") and recorded as ",
                                                   record.resigned ? "resigned" : "truncated"));
  }
  if (record.result != result || record.reason != reason) {
    return absl::InvalidArgumentError(
        absl::StrCat("the rules say ", NameOf(result), " of the first player (", ToString(reason),
                     "), the record ", NameOf(record.result), " (",
                     record.reason == Reason::kNone ? "no reason" : ToString(record.reason), ")"));
  }
  return absl::OkStatus();
}

// A game that the rules did not end.
absl::Status CheckOpenEnd(const GameRecord& record) {
  if (record.reason != Reason::kNone) {
    return absl::InvalidArgumentError(
        absl::StrCat("recorded as ended by ", ToString(record.reason), ", but it is not over"));
  }
  if (record.truncated && record.resigned) {
    return absl::InvalidArgumentError("recorded as both truncated and resigned");
  }
  const bool is_decided = record.result == Result::kWin || record.result == Result::kLoss;
  if (record.truncated) {
    if (record.result == Result::kNone) return absl::OkStatus();
    return absl::InvalidArgumentError("a truncated game has a result");
  }
  if (record.resigned) {
    if (is_decided) return absl::OkStatus();
    return absl::InvalidArgumentError("a resigned game has no winner");
  }
  // Players from outside agree to draws.
  if (record.start_kind == StartKind::kImported && record.result == Result::kDraw) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError("the game is not over, nor resigned or truncated");
}

absl::Status AtPly(size_t ply, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("ply ", ply, ": ", what));
}

}  // namespace

// The side to move stands behind the board in a FEN.
Side FirstMover(const GameRecord& record) {
  return absl::StrContains(record.start_fen, " w ") ? Side::kFirst : Side::kSecond;
}

Result ForFirst(Result for_mover, Side mover) {
  if (mover == Side::kFirst) return for_mover;
  if (for_mover == Result::kWin) return Result::kLoss;
  return for_mover == Result::kLoss ? Result::kWin : for_mover;
}

absl::Status ReplayRecord(const Rules& rules, const GameRecord& record, ReplayVisitor visit) {
  if (record.rules_hash != rules.hash()) {
    return absl::InvalidArgumentError(
        absl::StrCat("played under other rules (variant '", record.variant, "', hash ",
                     absl::Hex(record.rules_hash, absl::kZeroPad16), ") than those of '",
                     rules.definition().id, "' (", absl::Hex(rules.hash(), absl::kZeroPad16), ")"));
  }
  absl::StatusOr<Position> position = ParseFen(rules, record.start_fen);
  if (!position.ok()) return position.status();
  History history(*position);
  std::vector<Move> legal;
  for (size_t ply = 0;; ++ply) {
    GenerateLegalMoves(*position, &legal);
    const Outcome outcome = Adjudicate(*position, history, !legal.empty());
    const Result result = ForFirst(outcome.result, position->side_to_move());
    if (ply == record.moves.size()) {
      const absl::Status end =
          outcome.is_over() ? CheckEnd(record, result, outcome.reason) : CheckOpenEnd(record);
      if (!end.ok()) return AtPly(ply, std::string(end.message()));
      visit(static_cast<int>(ply), *position, history, legal);
      return absl::OkStatus();
    }
    if (outcome.is_over()) {
      return AtPly(ply, absl::StrCat("a move after the end (", ToString(outcome.reason), ")"));
    }
    const Move move = record.moves[ply].move;
    if (std::find(legal.begin(), legal.end(), move) == legal.end()) {
      return AtPly(ply,
                   absl::StrCat("move ", move.raw(), " is not legal in ", FormatFen(*position)));
    }
    if (!visit(static_cast<int>(ply), *position, history, legal)) return absl::OkStatus();
    const UndoRecord undo = position->Do(move);
    history.Push(*position, undo);
  }
}

}  // namespace crossriver
