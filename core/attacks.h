// Who attacks the royal piece, and what that leaves the other pieces free to do.
#ifndef CROSSRIVER_CORE_ATTACKS_H_
#define CROSSRIVER_CORE_ATTACKS_H_

#include "absl/container/inlined_vector.h"
#include "core/position.h"
#include "core/square_set.h"
#include "core/types.h"

namespace crossriver {

// Whether a royal piece of `side` on `royal` would be attacked if the board held the pieces
// `occupied`, of which `enemies` are the other side's, standing as they do in `position`.
bool IsAttacked(const Position& position, Side side, Cell royal, SquareSet occupied,
                SquareSet enemies);

// Whether the royal pieces would see each other along a file, where that is banned.
bool AreFacing(const Position& position, Side side, Cell royal, SquareSet occupied);

// Whether the side to move is in check (bare facing is no check).
bool InCheck(const Position& position);

// What the safety of the mover's royal piece asks of his other pieces.
//
// Every enemy piece e that attacks the royal cell k, or would with another occupancy, does so by a
// path P of cells: a slide, a lame leap or bare facing needs 0 pieces in P, a hop exactly 1. A move
// changes the number in P by +1 (to an empty cell of P) or -1 (from a cell of P), so for each e two
// sets of allowed destinations follow: for pieces outside P and for pieces in P. A piece's
// destinations are the intersection over all e. Displacing moves, which remove a second piece, are
// tried out instead, as are the moves of the royal piece itself.
class RoyalSafety {
 public:
  // For the side to move.
  explicit RoyalSafety(const Position& position);

  bool in_check() const { return in_check_; }
  // Destinations for pieces in hand and for pieces that no path constrains.
  SquareSet common() const { return common_; }
  // Destinations for the piece on `from`, which is not royal.
  SquareSet Allowed(Cell from) const {
    return special_.Contains(from) ? AllowedInPath(from) : common_;
  }

 private:
  struct Constraint {
    SquareSet path;
    SquareSet inside;   // for pieces that stand in the path
    SquareSet outside;  // for all others
  };

  void AddEnemyKind(const Position& position, const CellAttacks& attacks, const KindTables& tables,
                    SquareSet pieces);
  // `needed` pieces in the path make an attack from `enemy`.
  void AddPath(SquareSet path, Cell enemy, int needed, bool is_check);
  void AddPathAttacks(const CellAttacks& attacks, const KindTables& tables, SquareSet pieces);
  void AddDisplacers(const CellAttacks& attacks, const KindTables& tables, SquareSet pieces);
  SquareSet AllowedInPath(Cell from) const;

  SquareSet occupied_;
  SquareSet own_;
  bool in_check_ = false;
  SquareSet common_;
  SquareSet special_;  // own pieces in some constraining path
  // What the constraints without an own piece in their path leave, and the others.
  SquareSet base_;
  absl::InlinedVector<Constraint, 8> constraints_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_ATTACKS_H_
