#include "mcts/prune.h"

#include <algorithm>
#include <limits>

namespace crossriver {
namespace {

constexpr uint32_t kAnyVisits = std::numeric_limits<uint32_t>::max();

}  // namespace

bool Pruner::MayGo(const Tree& tree, const Node& node) const {
  return node.num_children == 0 && node.in_flight == 0 && node.visits <= visits_ &&
         node.parent != kNoBlock && (node.parent != tree.root() || visits_ == kAnyVisits);
}

size_t Pruner::Free(Tree* tree, size_t blocks) {
  size_t freed = 0;
  size_t unfruitful = 0;  // blocks passed since one was freed
  const BlockIndex end = tree->arena().end_of_used();
  size_t passed = 0;
  while (freed < blocks) {
    if (hand_ >= end) hand_ = 1;
    const BlockIndex index = hand_++;
    ++passed;
    ++unfruitful;
    if (tree->arena().is_node(index)) {
      const Node& node = tree->node(index);
      if (MayGo(*tree, node)) {
        Node& parent = tree->node(node.parent);
        const EdgeRef edge = tree->Ref(&parent, node.parent_edge);
        edge.stats->child[edge.lane] = kNoBlock;
        --parent.num_children;
        freed += tree->FreeSubtree(index);
        unfruitful = 0;
      }
    }
    // A whole round for nothing at the highest bound: there is nothing left.
    const bool highest = visits_ == kAnyVisits;
    if (unfruitful > end && highest) break;
    if (passed > 32 * (freed + 256) && !highest) {
      visits_ = visits_ > kAnyVisits / 2 ? kAnyVisits : 2 * visits_;
      passed = 0;
    }
  }
  if (passed < 8 * freed) visits_ = std::max(1U, visits_ / 2);
  return freed;
}

}  // namespace crossriver
