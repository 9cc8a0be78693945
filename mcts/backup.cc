#include "mcts/backup.h"

#include <algorithm>

namespace crossriver {
namespace {

void AddVisit(Node* node, const Wdl& wdl) {
  ++node->visits;
  node->win_sum += static_cast<double>(wdl.win);
  node->draw_sum += static_cast<double>(wdl.draw);
  --node->in_flight;
}

}  // namespace

Wdl MeanWdl(const Node& node) {
  if (node.bounds.exact()) return ExactWdl(node.bounds.lower);
  const double visits = node.visits;
  const auto win = static_cast<float>(node.win_sum / visits);
  const auto draw = static_cast<float>(node.draw_sum / visits);
  return {win, draw, std::max(0.0F, 1.0F - win - draw)};
}

bool Backup::Run(std::span<const Step> path, BlockIndex leaf, const Wdl& wdl) {
  if (concurrent_) {
    for (const Step& step : path) {
      tree_.Prefetch(step.node);
      tree_.Prefetch(step.stats);
    }
  }
  Node* below = &tree_.node(leaf);
  NodeLock lock(below, concurrent_);
  Wdl value = below->bounds.exact() ? ExactWdl(below->bounds.lower) : wdl;
  AddVisit(below, value);
  // The lock of the node below is held until its parent's is taken, so that two walks through both
  // leave their means in the edge in the order in which they were made.
  for (size_t depth = path.size(); depth-- > 0;) {
    const Step& step = path[depth];
    Node* const node = &tree_.node(step.node);
    NodeLock node_lock(node, concurrent_);
    EdgeStats& edge = tree_.stats(step.stats);
    const Bounds bounds = Turned(below->bounds);
    edge.value[step.lane] =
        Clamp(Score(Turned(MeanWdl(*below)), DrawScore(depth)), bounds, DrawScore(depth));
    ++edge.visits[step.lane];
    --edge.in_flight[step.lane];
    if (edge.bounds_of(step.lane) != bounds) {
      edge.set_bounds(step.lane, bounds);
      if (!node->bounds.exact() && UpdateBounds(node)) UpdateProof(node);
    }
    value = node->bounds.exact() ? ExactWdl(node->bounds.lower) : Turned(value);
    AddVisit(node, value);
    ++node->edge_visits;
    lock = std::move(node_lock);
    below = node;
  }
  return below->bounds.exact();
}

void Backup::TakeBack(std::span<const Step> path, BlockIndex leaf) {
  if (leaf != kNoBlock) {
    NodeLock lock(&tree_.node(leaf), concurrent_);
    --tree_.node(leaf).in_flight;
  }
  for (size_t depth = path.size(); depth-- > 0;) {
    const Step& step = path[depth];
    NodeLock lock(&tree_.node(step.node), concurrent_);
    --tree_.stats(step.stats).in_flight[step.lane];
    --tree_.node(step.node).in_flight;
  }
}

void Backup::Rescore() {
  for (BlockIndex index = 1; index < tree_.arena().end_of_used(); ++index) {
    if (!tree_.arena().is_node(index)) continue;
    const Node& node = tree_.node(index);
    if (node.visits == 0 || node.parent == kNoBlock) continue;
    size_t depth = 0;  // of the parent
    for (BlockIndex at = node.parent; at != tree_.root(); at = tree_.node(at).parent) ++depth;
    const EdgeRef edge = tree_.Ref(&tree_.node(node.parent), node.parent_edge);
    edge.stats->value[edge.lane] = Clamp(Score(Turned(MeanWdl(node)), DrawScore(depth)),
                                         Turned(node.bounds), DrawScore(depth));
  }
}

bool Backup::UpdateBounds(Node* node) {
  Bounds bounds = Bounds::Exact(Worth::kLoss);
  if (node->num_tracked < node->num_edges) bounds.upper = Worth::kWin;
  tree_.ForEachTracked(*node, [&bounds](const EdgeRef& ref) {
    const Bounds edge = ref.stats->bounds_of(ref.lane);
    bounds.lower = std::max(bounds.lower, edge.lower);
    bounds.upper = std::max(bounds.upper, edge.upper);
    return true;
  });
  if (bounds == node->bounds) return false;
  node->bounds = bounds;
  return true;
}

void Backup::UpdateProof(Node* node) {
  const bool win = node->bounds.lower == Worth::kWin;
  int shortest = -1;
  bool shortest_depends = false;
  int longest = 0;
  bool depends = false;
  tree_.ForEachTracked(*node, [&](const EdgeRef& ref) {
    const Bounds bounds = ref.stats->bounds_of(ref.lane);
    if (bounds.open()) return true;
    const BlockIndex index = ref.stats->child[ref.lane];
    // A pruned child takes its distance along, and what it depended on.
    const bool edge_depends = index == kNoBlock || tree_.node(index).depends_on_path;
    depends |= edge_depends;
    if (!bounds.exact()) return true;
    const int distance =
        index == kNoBlock ? Node::kUnknownDistance : tree_.node(index).mate_distance;
    if (bounds.lower == Worth::kWin && distance >= 0 && (shortest < 0 || distance < shortest)) {
      shortest = distance;
      shortest_depends = edge_depends;
    }
    longest = distance < 0 || longest < 0 ? -1 : std::max(longest, distance);
    return true;
  });
  node->depends_on_path = win && shortest >= 0 ? shortest_depends : depends;
  if (!node->bounds.exact() || node->bounds.lower == Worth::kDraw) return;
  const int distance = win ? shortest : longest;
  node->mate_distance = static_cast<int16_t>(distance < 0 ? -1 : std::min(distance + 1, 32767));
}

}  // namespace crossriver
