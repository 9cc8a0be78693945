#include "mcts/tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "absl/container/inlined_vector.h"

namespace crossriver {
namespace {

// Writes edges one after the other, into the node and then into further blocks.
class EdgeWriter {
 public:
  EdgeWriter(Node* node, Arena* arena, Arena::Cache* cache)
      : arena_(*arena),
        cache_(cache),
        link_(&node->more_edges),
        at_(node->edges),
        end_(node->edges + Node::kInlineEdges) {}

  void Write(Move move, float prior) {
    if (at_ == end_) {
      *link_ = arena_.New<MoreEdges>(cache_);
      MoreEdges& more = arena_.At<MoreEdges>(*link_);
      link_ = &more.next;
      at_ = more.edges;
      end_ = more.edges + MoreEdges::kEdges;
    }
    *at_++ = {move, Eigen::half(prior)};
  }

 private:
  Arena& arena_;
  Arena::Cache* cache_;
  BlockIndex* link_;
  Edge* at_;
  Edge* end_;
};

}  // namespace

const Edge& Tree::edge(const Node& node, int index) const {
  if (index < Node::kInlineEdges) return node.edges[index];
  index -= Node::kInlineEdges;
  const MoreEdges* more = &arena_.At<MoreEdges>(node.more_edges);
  for (; index >= MoreEdges::kEdges; index -= MoreEdges::kEdges) {
    more = &arena_.At<MoreEdges>(more->next);
  }
  return more->edges[index];
}

EdgeRef Tree::Ref(Node* node, int index) {
  CR_DCHECK(index < node->num_tracked);
  BlockIndex block = node->stats;
  for (int hops = index / EdgeStats::kEdges; hops > 0; --hops) block = stats(block).next;
  return {&stats(block), block, index % EdgeStats::kEdges, index};
}

void Tree::SetEdges(Node* node, std::span<const Move> moves, std::span<const float> log_priors,
                    Arena::Cache* cache) {
  node->num_edges = static_cast<uint16_t>(moves.size());
  EdgeWriter writer(node, &arena_, cache);
  // The exponentials of a block at a time, as an array expression.
  constexpr Eigen::Index kChunk = 16;
  using Chunk = Eigen::Array<float, kChunk, 1>;
  if (std::is_sorted(log_priors.begin(), log_priors.end(), std::greater<>())) {
    for (size_t begin = 0; begin < moves.size(); begin += kChunk) {
      const size_t count = std::min<size_t>(kChunk, moves.size() - begin);
      Chunk chunk = Chunk::Zero();
      std::copy_n(log_priors.begin() + static_cast<ptrdiff_t>(begin), count, chunk.data());
      chunk = chunk.exp();
      for (size_t i = 0; i < count; ++i) {
        writer.Write(moves[begin + i], chunk[static_cast<Eigen::Index>(i)]);
      }
    }
    return;
  }
  absl::InlinedVector<uint16_t, 256> order(moves.size());
  std::iota(order.begin(), order.end(), uint16_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [log_priors](uint16_t a, uint16_t b) { return log_priors[a] > log_priors[b]; });
  for (const uint16_t i : order) writer.Write(moves[i], std::exp(log_priors[i]));
}

EdgeRef Tree::TrackNext(Node* node, Arena::Cache* cache) {
  const int index = node->num_tracked;
  CR_DCHECK(index < node->num_edges);
  BlockIndex* link = &node->stats;
  for (int hops = index / EdgeStats::kEdges; hops > 0; --hops) link = &stats(*link).next;
  if (index % EdgeStats::kEdges == 0) *link = arena_.New<EdgeStats>(cache);
  ++node->num_tracked;
  EdgeStats& block = stats(*link);
  const int lane = index % EdgeStats::kEdges;
  block.prior[lane] = edge(*node, index).prior;
  node->tracked_prior += block.prior[lane];
  return {&block, *link, lane, index};
}

BlockIndex Tree::NewChild(BlockIndex parent, const EdgeRef& edge, Arena::Cache* cache) {
  const BlockIndex index = arena_.NewNode(cache);
  Node& child = node(index);
  child.parent = parent;
  child.parent_edge = static_cast<uint16_t>(edge.index);
  const auto visits = static_cast<uint32_t>(edge.stats->visits[edge.lane]);
  if (visits > 0) {
    // How the score was made up of wins and draws is lost with the node.
    child.visits = visits;
    child.win_sum = (1.0 - static_cast<double>(edge.stats->value[edge.lane])) * visits;
  }
  edge.stats->child[edge.lane] = index;
  ++node(parent).num_children;
  return index;
}

size_t Tree::BlocksOf(size_t num_edges) {
  const size_t more = num_edges > Node::kInlineEdges ? num_edges - Node::kInlineEdges : 0;
  return 1 + (more + MoreEdges::kEdges - 1) / MoreEdges::kEdges +
         (num_edges + EdgeStats::kEdges - 1) / EdgeStats::kEdges;
}

void Tree::NewRoot(Arena::Cache* cache) { root_ = arena_.NewNode(cache); }

bool Tree::MoveRootTo(Move move) {
  BlockIndex next = kNoBlock;
  ForEachTracked(node(root_), [&](const EdgeRef& ref) {
    if (edge(node(root_), ref.index).move != move) return true;
    next = ref.stats->child[ref.lane];
    ref.stats->child[ref.lane] = kNoBlock;
    return false;
  });
  if (next == kNoBlock) return false;
  FreeSubtree(root_);
  root_ = next;
  node(root_).parent = kNoBlock;
  return true;
}

void Tree::Clear() {
  arena_.Clear();
  root_ = kNoBlock;
}

size_t Tree::FreeOne(BlockIndex index) {
  size_t freed = 1;
  const Node& dead = node(index);
  for (BlockIndex block = dead.more_edges; block != kNoBlock; ++freed) {
    const BlockIndex next = arena_.At<MoreEdges>(block).next;
    arena_.Free(block);
    block = next;
  }
  for (BlockIndex block = dead.stats; block != kNoBlock; ++freed) {
    const BlockIndex next = stats(block).next;
    arena_.Free(block);
    block = next;
  }
  arena_.Free(index);
  return freed;
}

// Down to a node without children, which is freed, and up again: no stack, whatever the depth.
size_t Tree::FreeSubtree(BlockIndex index) {
  size_t freed = 0;
  BlockIndex at = index;
  for (;;) {
    BlockIndex below = kNoBlock;
    if (node(at).num_children > 0) {
      ForEachTracked(node(at), [&](const EdgeRef& ref) {
        below = ref.stats->child[ref.lane];
        ref.stats->child[ref.lane] = kNoBlock;
        return below == kNoBlock;
      });
      --node(at).num_children;
    }
    if (below != kNoBlock) {
      at = below;
      continue;
    }
    const BlockIndex above = node(at).parent;
    freed += FreeOne(at);
    if (at == index) return freed;
    at = above;
  }
}

}  // namespace crossriver
