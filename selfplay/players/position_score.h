// How good a position looks without a search.
#ifndef CROSSRIVER_SELFPLAY_PLAYERS_POSITION_SCORE_H_
#define CROSSRIVER_SELFPLAY_PLAYERS_POSITION_SCORE_H_

#include <array>

#include "core/position.h"
#include "selfplay/players/piece_values.h"

namespace crossriver {

// Scores of positions that are not over lie within -kMaxPositionScore .. kMaxPositionScore.
inline constexpr int kMaxPositionScore = 20'000;

// The no-progress count makes scores smaller from so many plies before the rules' limit on.
inline constexpr int kFadingPlies = 40;

// Sums over one side's pieces, those in hand included, which a search keeps up to date from move to
// move.
struct ArmyTotals {
  int placed = 0;    // values on their cells
  int material = 0;  // values wherever they stand

  friend bool operator==(const ArmyTotals&, const ArmyTotals&) = default;
};

struct PositionTotals {
  std::array<ArmyTotals, kNumSides> of;

  const ArmyTotals& Of(Side side) const { return of[static_cast<size_t>(side)]; }
  ArmyTotals& Of(Side side) { return of[static_cast<size_t>(side)]; }
  friend bool operator==(const PositionTotals&, const PositionTotals&) = default;
};

PositionTotals CountTotals(const PieceValues& values, const Position& position);

// The totals after `move`, from those before it. `after` is the position that it led to.
void UpdateTotals(const PieceValues& values, const Position& after, Move move,
                  const UndoRecord& undo, PositionTotals* totals);

// As the side to move sees it, in the units of PieceValues. The sum of
//
//   pieces on their cells and in hand;
//   pressure: w (w + 8) / 32 of a side's weights w, a hundredth of the value of each piece that may
//     come to attack the other royal piece or a cell beside it, half of that for pieces in hand;
//   exposure: a royal piece that has gone forward, per rank, in the measure of the other army;
//   the chase, where the other side has little left and this one more: the royal piece's lack of
//     steps, and pieces and royal piece close to it;
//   a small bonus for having the move.
//
// It fades as the no-progress count nears its limit, so that who is ahead makes progress in time.
// A function of the position (and its counts) alone; integers only.
int ScorePosition(const PieceValues& values, const Position& position,
                  const PositionTotals& totals);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_PLAYERS_POSITION_SCORE_H_
