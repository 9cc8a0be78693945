// What pieces are worth, worked out from how they move.
#ifndef CROSSRIVER_SELFPLAY_PLAYERS_PIECE_VALUES_H_
#define CROSSRIVER_SELFPLAY_PLAYERS_PIECE_VALUES_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/rules.h"
#include "core/square_set.h"
#include "core/types.h"

namespace crossriver {

// Values of the pieces of any variant, from its compiled rules and its array alone, in hundredths
// of a small piece: the mean of the pieces of the array without the royal ones is 250, and 3000 the
// most.
//
// The *mobility* m(c) of a kind on a cell is the number of moves that it can expect there when
// every other cell holds a piece with probability p, which is 3/5 of the share of cells that the
// array fills, as armies get thinner. Moving and capturing count half each. A lame leap over n
// cells has the probability (1-p)^n, a slide to the d-th cell (1-p)^(d-1), a hop over one of n
// cells n p (1-p)^(n-1). A displacing leap counts as a leap that its own pieces stop, and the
// second capture as half a move where there is an enemy, each of them with p/2.
//
// Its *prospects* U(c) add what it can become: half of its mobility now, and half of its prospects
// after the best move (or none), promotion included, discounted by the probability a that the way
// is free:
//
//   U(c) = m(c)/2 + (U(c) + max(0, max over moves to c' of a (U'(c') - U(c))))/2
//
// solved by iteration. A kind is worth the mean of U over all its cells; one of the array, the mean
// of that and of U over the cells where it stands there. Half of what U is more or less on a cell
// is that cell's bonus. In hand a piece is worth the mean of its value and of U over the cells
// where it can be dropped.
//
// All of it is integer arithmetic: the same on every machine. Immutable; safe to share.
class PieceValues {
 public:
  // `rules` must outlive the object.
  explicit PieceValues(const Rules& rules);

  const Rules& rules() const { return rules_; }
  // On the board, wherever; 0 for the royal kind.
  int value(Kind kind) const { return values_[static_cast<size_t>(kind)]; }
  int hand_value(Kind kind) const { return hand_values_[static_cast<size_t>(kind)]; }
  // On this cell, to its owner.
  int at(Piece piece, Cell cell) const {
    return placed_[static_cast<size_t>(piece) * kMaxCells + static_cast<size_t>(cell)];
  }
  // What its capture changes: it goes from the board and perhaps to a hand.
  int capture_gain(Kind kind) const { return capture_gains_[static_cast<size_t>(kind)]; }
  // The kinds that the variant has, royal one included, cheapest first and the royal one last.
  const std::vector<Kind>& by_value() const { return by_value_; }
  // The value of one side's pieces in the array.
  int army() const { return army_; }

  // The cells from which a piece of this code attacks the royal piece on `royal` of the other side,
  // or a cell beside it, at least when nothing is in its way.
  SquareSet pressing_cells(Piece piece, Cell royal) const {
    return pressing_[static_cast<size_t>(piece) * kMaxCells + static_cast<size_t>(royal)];
  }
  // The steps of a lone royal piece of the side from the cell.
  int royal_freedom(Side side, Cell cell) const {
    return royal_freedom_[static_cast<size_t>(side)][static_cast<size_t>(cell)];
  }

  // A table of kinds and values for people.
  std::string Describe() const;

 private:
  void SetPlaces(const std::vector<int64_t>& prospects);
  void SetPressure();

  const Rules& rules_;
  std::array<int, kMaxKinds> values_ = {};
  std::array<int, kMaxKinds> hand_values_ = {};
  std::array<int, kMaxKinds> capture_gains_ = {};
  std::vector<Kind> by_value_;
  int army_ = 0;
  std::vector<int16_t> placed_;      // [piece][cell]
  std::vector<SquareSet> pressing_;  // [piece][royal cell]
  std::array<std::array<int, kMaxCells>, kNumSides> royal_freedom_ = {};
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_PLAYERS_PIECE_VALUES_H_
