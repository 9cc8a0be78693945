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

void Backup::Prefetch(std::span<const Step> path) {
  for (const Step& step : path) {
    tree_.Prefetch(step.node);
    tree_.Prefetch(step.stats);
  }
}

inline void Backup::CountVisit(Node* node, const Step& step) {
  EdgeStats& edge = tree_.stats(step.stats);
  ++edge.visits[step.lane];
  --edge.in_flight[step.lane];
  ++node->edge_visits;
}

inline void Backup::UpdateEdge(Node* node, const Step& step, size_t depth, const Node& below) {
  EdgeStats& edge = tree_.stats(step.stats);
  const Bounds bounds = Turned(below.bounds);
  edge.value[step.lane] =
      Clamp(Score(Turned(MeanWdl(below)), DrawScore(depth)), bounds, DrawScore(depth));
  if (edge.bounds_of(step.lane) == bounds) return;
  edge.set_bounds(step.lane, bounds);
  if (!node->bounds.exact() && UpdateBounds(node)) UpdateProof(node);
}

void Backup::Climb(std::span<const Step> path, BlockIndex leaf, const Wdl& wdl,
                   std::vector<Arrival>* arrivals) {
  Node* below = &tree_.node(leaf);
  NodeLock lock(below, concurrent_);
  Wdl value = below->bounds.exact() ? ExactWdl(below->bounds.lower) : wdl;
  AddVisit(below, value);
  // The lock of the node below is held until its parent's is taken, so that two walks through both
  // leave their means in the edge in the order in which they were made.
  for (size_t depth = path.size(); depth-- > 1;) {
    const Step& step = path[depth];
    Node* const node = &tree_.node(step.node);
    NodeLock node_lock(node, concurrent_);
    UpdateEdge(node, step, depth, *below);
    CountVisit(node, step);
    value = node->bounds.exact() ? ExactWdl(node->bounds.lower) : Turned(value);
    AddVisit(node, value);
    lock = std::move(node_lock);
    below = node;
  }
  if (path.empty()) return;  // the evaluation of the root itself
  arrivals->push_back({path[0], path.size() > 1 ? path[1].node : leaf, /*answered=*/true, value});
}

void Backup::TakeBack(std::span<const Step> path, BlockIndex leaf, std::vector<Arrival>* arrivals) {
  if (leaf != kNoBlock) {
    NodeLock lock(&tree_.node(leaf), concurrent_);
    --tree_.node(leaf).in_flight;
  }
  for (size_t depth = path.size(); depth-- > 1;) {
    const Step& step = path[depth];
    NodeLock lock(&tree_.node(step.node), concurrent_);
    --tree_.stats(step.stats).in_flight[step.lane];
    --tree_.node(step.node).in_flight;
  }
  if (!path.empty()) arrivals->push_back({path[0], kNoBlock, /*answered=*/false, {}});
}

// A child's lock is taken under the root's, against the order of the walks; but none of them waits
// for the root's while it holds a child's.
bool Backup::FinishAtRoot(std::span<const Arrival> arrivals) {
  Node* const root = &tree_.node(tree_.root());
  NodeLock lock(root, concurrent_);
  for (size_t i = 0; i < arrivals.size(); ++i) {
    const auto& [step, child, answered, value] = arrivals[i];
    if (!answered) {
      --tree_.stats(step.stats).in_flight[step.lane];
      --root->in_flight;
      continue;
    }
    // Of walks through one child, one after the other, the last brings what all have found.
    if (i + 1 == arrivals.size() || arrivals[i + 1].child != child) {
      NodeLock child_lock(&tree_.node(child), concurrent_);
      UpdateEdge(root, step, 0, tree_.node(child));
    }
    CountVisit(root, step);
    AddVisit(root, root->bounds.exact() ? ExactWdl(root->bounds.lower) : Turned(value));
  }
  return root->bounds.exact();
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
