// How games end.
#ifndef CROSSRIVER_CORE_ADJUDICATOR_H_
#define CROSSRIVER_CORE_ADJUDICATOR_H_

#include "absl/strings/string_view.h"
#include "core/history.h"
#include "core/position.h"

namespace crossriver {

// From the view of the side to move.
enum class Result : uint8_t { kNone, kWin, kLoss, kDraw };

enum class Reason : uint8_t {
  kNone,
  kCheckmate,
  kStalemate,
  kRepetition,
  kPerpetualCheck,
  kNoProgress,
};

struct Outcome {
  Result result = Result::kNone;
  Reason reason = Reason::kNone;

  bool is_over() const { return result != Result::kNone; }
  // Whether it depends on earlier positions, so that the same position reached otherwise may not be
  // over: such a result must not be shared between paths of a search.
  bool depends_on_path() const {
    return reason == Reason::kRepetition || reason == Reason::kPerpetualCheck;
  }
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

// The outcome of the game so far, of which `position` is the last position of `history`. In this
// order: no legal move, repetition, no progress. The caller, who has generated the moves anyway,
// says whether there is one.
Outcome Adjudicate(const Position& position, const History& history, bool has_legal_move);

// The parts of it. For a position without a legal move:
Outcome AdjudicateNoMove(const Position& position, bool in_check);
// Repetition and perpetual check; none where the position has not occurred often enough.
Outcome AdjudicateRepetition(const Position& position, const History& history);
// What it would be if the present occurrence of the position, which must not be its first, ended
// the game: a search may well judge a repetition before the last one.
Outcome JudgeRepetition(const Position& position, const History& history);

// "win" and "checkmate"; empty for kNone.
absl::string_view ToString(Result result);
absl::string_view ToString(Reason reason);

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_ADJUDICATOR_H_
