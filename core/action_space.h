// The actions of a variant as rows and columns of a table, for policies.
#ifndef CROSSRIVER_CORE_ACTION_SPACE_H_
#define CROSSRIVER_CORE_ACTION_SPACE_H_

#include <string>
#include <vector>

#include "core/rules.h"
#include "core/types.h"

namespace crossriver {

// An action is a row (what moves: a cell, a cell with promotion, or a kind in hand) and a column
// (the destination cell), both as the mover sees the board: ranks are turned over for the second
// player. A policy head scores row x column and needs no geometry. Variants of one family have the
// same action space: it depends on the board and on the names of the kinds in hand only.
//
//   rows    0 .. cells-1           moves from a cell
//           cells .. 2*cells-1     moves from a cell that promote (where the variant has
//           promotions) then one for each kind that can be in hand
//   columns 0 .. cells-1
//
// Immutable, thread-safe. `rules` must outlive it.
class ActionSpace {
 public:
  struct Action {
    int row = 0;
    int column = 0;
    friend bool operator==(Action, Action) = default;
  };

  explicit ActionSpace(const Rules* rules);

  int rows() const { return rows_; }
  int columns() const { return rules_->num_cells(); }
  int size() const { return rows() * columns(); }
  bool has_promotions() const { return promotion_row_ >= 0; }

  // The action of a legal move of `side`.
  Action Of(Move move, Side side) const;
  int IndexOf(Move move, Side side) const {
    const Action action = Of(move, side);
    return action.row * columns() + action.column;
  }
  // The move of `side` with this index; most indices are no legal move anywhere.
  Move MoveOf(int index, Side side) const;

  // The name of each row from the first player's view: "b1", "b1+", "drop point".
  std::vector<std::string> RowNames() const;
  // A fingerprint of the row names and the board: equal where indices mean the same.
  uint64_t hash() const { return hash_; }

 private:
  Cell Seen(Cell cell, Side side) const {
    return side == Side::kFirst ? cell : rules_->topology().MirrorRank(cell);
  }

  const Rules* rules_;
  int promotion_row_ = -1;  // the first of them; -1 where nothing promotes
  int drop_row_ = 0;
  int rows_ = 0;
  std::vector<int> row_of_hand_kind_;  // by kind
  uint64_t hash_ = 0;
};

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_ACTION_SPACE_H_
