// Making room in a full tree.
#ifndef CROSSRIVER_MCTS_PRUNE_H_
#define CROSSRIVER_MCTS_PRUNE_H_

#include <cstddef>
#include <cstdint>

#include "mcts/tree.h"

namespace crossriver {

// Frees nodes that were visited least and longest ago. A hand goes round the arena, as in the clock
// algorithm of paging, and takes each childless node with at most `visits_` visits; blocks are used
// again from where it has been, so it comes to old nodes first. Where it finds too few, the bound
// doubles, and falls again when they abound. The edge keeps visits, value and bounds of a node that
// is gone, so selection above it does not change.
//
// The root and nodes with walks through them stay; the root's children, whose wins and draws are
// reported apart, go last. Not synchronised: the tree must be
// the caller's alone.
class Pruner {
 public:
  // Frees at least `blocks`, or all that can be freed. Returns how many it freed.
  size_t Free(Tree* tree, size_t blocks);
  // After the tree has been cleared.
  void Reset() { *this = Pruner(); }

 private:
  bool MayGo(const Tree& tree, const Node& node) const;

  BlockIndex hand_ = 1;
  uint32_t visits_ = 1;
};

}  // namespace crossriver

#endif  // CROSSRIVER_MCTS_PRUNE_H_
