// A search tree in an arena: nodes, their moves and statistics.
#ifndef CROSSRIVER_MCTS_TREE_H_
#define CROSSRIVER_MCTS_TREE_H_

#include <cstdint>
#include <span>

#include "core/evaluator.h"
#include "core/types.h"
#include "mcts/arena.h"
#include "mcts/node.h"

namespace crossriver {

// Where the statistics of a node's move are.
struct EdgeRef {
  EdgeStats* stats = nullptr;
  BlockIndex block = kNoBlock;
  int lane = 0;
  int index = 0;  // of the edge
};

// Holds the lock of a node while it lives; taken only where several threads search.
class NodeLock {
 public:
  NodeLock(Node* node, bool concurrent) : node_(concurrent ? node : nullptr) {
    if (node_ != nullptr) node_->lock.Lock();
  }
  ~NodeLock() {
    if (node_ != nullptr) node_->lock.Unlock();
  }
  NodeLock(NodeLock&& other) noexcept : node_(other.node_) { other.node_ = nullptr; }
  NodeLock& operator=(NodeLock&& other) noexcept {
    if (node_ != nullptr) node_->lock.Unlock();
    node_ = other.node_;
    other.node_ = nullptr;
    return *this;
  }

 private:
  Node* node_;
};

// Functions that take a node expect its lock to be held where several threads are in the tree;
// those of the second group want the tree to themselves.
class Tree {
 public:
  // At most `bytes` in all.
  explicit Tree(size_t bytes) : arena_(bytes) {}

  Node& node(BlockIndex index) { return arena_.At<Node>(index); }
  const Node& node(BlockIndex index) const { return arena_.At<Node>(index); }
  EdgeStats& stats(BlockIndex index) { return arena_.At<EdgeStats>(index); }
  const EdgeStats& stats(BlockIndex index) const { return arena_.At<EdgeStats>(index); }

  // Starts to load a block that is to be changed soon. Another thread may have changed it last, and
  // to get it from its cache can take as long as playing a move.
  void Prefetch(BlockIndex index) {
    const char* const block = reinterpret_cast<const char*>(&arena_.At<Node>(index));
    __builtin_prefetch(block, /*write=*/1);
    __builtin_prefetch(block + kBlockBytes / 2, /*write=*/1);
  }

  BlockIndex root() const { return root_; }
  Arena& arena() { return arena_; }
  const Arena& arena() const { return arena_; }

  const Edge& edge(const Node& node, int index) const;
  // Of a tracked edge.
  EdgeRef Ref(Node* node, int index);

  // The moves of an evaluated position, in order of falling prior, equal ones as they come.
  void SetEdges(Node* node, std::span<const Move> moves, std::span<const float> log_priors,
                Arena::Cache* cache);
  // Gives the next untracked edge statistics.
  EdgeRef TrackNext(Node* node, Arena::Cache* cache);
  // A pending node for a tracked edge without one. Where the edge has been visited before, and its
  // node pruned, the new one starts from the edge's visits and mean score.
  BlockIndex NewChild(BlockIndex parent, const EdgeRef& edge, Arena::Cache* cache);

  // Blocks that a node of `num_edges` moves takes when all are tracked, itself included.
  static size_t BlocksOf(size_t num_edges);

  // A pending root; any tree before it is gone.
  void NewRoot(Arena::Cache* cache);
  // Makes the root's child by `move` the root and frees the rest. False, and nothing changed, where
  // there is no such child.
  bool MoveRootTo(Move move);
  void Clear();
  // Frees a node whose edge is to forget it, and all below it. Returns the number of blocks.
  size_t FreeSubtree(BlockIndex index);

  // Calls visit(EdgeRef) for each tracked edge, in order, until it returns false.
  template <typename Visit>
  void ForEachTracked(const Node& node, Visit visit) {
    BlockIndex block = node.stats;
    for (int index = 0; index < node.num_tracked; ++index) {
      if (index > 0 && index % EdgeStats::kEdges == 0) block = stats(block).next;
      if (!visit(EdgeRef{&stats(block), block, index % EdgeStats::kEdges, index})) return;
    }
  }

 private:
  size_t FreeOne(BlockIndex index);

  Arena arena_;
  BlockIndex root_ = kNoBlock;
};

}  // namespace crossriver

#endif  // CROSSRIVER_MCTS_TREE_H_
