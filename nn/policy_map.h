// Moves as the policy head scores them.
#ifndef CROSSRIVER_NN_POLICY_MAP_H_
#define CROSSRIVER_NN_POLICY_MAP_H_

#include <vector>

#include "core/action_space.h"
#include "core/symmetry.h"
#include "core/types.h"
#include "nn/features.h"

namespace crossriver {

// The vectors whose product is the score of a move, by index.
struct PolicyAction {
  int start = 0;  // a cell; cells + a cell: the same with promotion; behind these, a kind in hand
  int end = 0;    // a cell
};

// From moves to the rows and columns of the variant's ActionSpace, in the network's order of cells.
// Immutable, thread-safe.
class PolicyMap {
 public:
  // Both must outlive it; the encoder only until the constructor returns.
  PolicyMap(const Rules* rules, const FeatureEncoder& encoder);

  // A legal move of `side`, as it looks under `symmetry` (null: as it is).
  PolicyAction Of(Move move, Side side, const Symmetry* symmetry) const {
    const ActionSpace::Action action =
        actions_.Of(symmetry == nullptr ? move : symmetry->Map(move), side);
    return {starts_[static_cast<size_t>(action.row)], starts_[static_cast<size_t>(action.column)]};
  }

  int num_starts() const { return static_cast<int>(starts_.size()); }
  int num_cells() const { return actions_.columns(); }
  // Whether a start is a kind in hand, and the reply head's index of a start, where promotion does
  // not count: a cell, or cells + a kind in hand.
  bool IsDrop(int start) const { return start >= first_drop_; }
  int ReplyStart(int start) const {
    return IsDrop(start) ? num_cells() + start - first_drop_ : start % num_cells();
  }

 private:
  ActionSpace actions_;
  std::vector<int> starts_;  // by row of the action space; its first rows are the cells
  int first_drop_ = 0;
};

}  // namespace crossriver

#endif  // CROSSRIVER_NN_POLICY_MAP_H_
