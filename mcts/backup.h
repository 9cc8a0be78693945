// From a leaf back to the root: counts, values, proven results.
#ifndef CROSSRIVER_MCTS_BACKUP_H_
#define CROSSRIVER_MCTS_BACKUP_H_

#include <span>
#include <vector>

#include "core/evaluator.h"
#include "mcts/tree.h"
#include "mcts/value.h"

namespace crossriver {

// The same probabilities, bounds or worth as the other side sees them. All turning over is here.
constexpr Wdl Turned(const Wdl& wdl) { return {wdl.loss, wdl.draw, wdl.win}; }
constexpr Worth Turned(Worth worth) { return static_cast<Worth>(2 - static_cast<int>(worth)); }
constexpr Bounds Turned(Bounds bounds) { return {Turned(bounds.upper), Turned(bounds.lower)}; }

// The mean over a node's visits, or what is proven; its side to move's view. `visits` > 0 or exact.
Wdl MeanWdl(const Node& node);

// One step of a walk: a node and the edge that was taken from it.
struct Step {
  BlockIndex node = kNoBlock;
  BlockIndex stats = kNoBlock;
  int lane = 0;
};

// A walk that is back at the root's child and has still to be counted at the root.
struct Arrival {
  Step step;  // at the root
  BlockIndex child = kNoBlock;
  bool answered = false;  // else it is taken back
  Wdl value;              // as the child's side to move sees it
};

// A leaf's answer on its way to the root. What a draw is worth to the side to move at the root is
// `draw_score`. The root is what all walks share, so its part is done apart, for many walks under
// one lock: Climb or TakeBack for each, then FinishAtRoot for all.
class Backup {
 public:
  Backup(Tree* tree, float draw_score, bool concurrent)
      : tree_(*tree), draw_score_(draw_score), concurrent_(concurrent) {}

  // Starts to load what a walk is about to change.
  void Prefetch(std::span<const Step> path);

  // Adds one visit to `leaf`, whose value its side to move sees as `wdl`, and to all nodes and
  // edges on the way up to the root's child. An exact leaf may decide nodes above it (as in
  // MCTS-Solver, Winands et al. 2008): a win for the side to move by one move, a loss by all, a
  // draw where it is the best left.
  void Climb(std::span<const Step> path, BlockIndex leaf, const Wdl& wdl,
             std::vector<Arrival>* arrivals);

  // A walk without an answer leaves no trace but the nodes it made. `leaf` is kNoBlock where it has
  // not arrived.
  void TakeBack(std::span<const Step> path, BlockIndex leaf, std::vector<Arrival>* arrivals);

  // Returns whether the root is decided.
  bool FinishAtRoot(std::span<const Arrival> arrivals);

  // Derives all edges' values anew, after `draw_score` has changed. The tree must be the caller's
  // alone. Edges whose nodes were pruned keep their values.
  void Rescore();

 private:
  // Of the side to move at a node so many plies below the root.
  float DrawScore(size_t depth) const { return depth % 2 == 0 ? draw_score_ : 1 - draw_score_; }
  // One more visit of an edge, which is no longer in flight.
  void CountVisit(Node* node, const Step& step);
  // Brings the value and the bounds of an edge up to date with the node below it.
  void UpdateEdge(Node* node, const Step& step, size_t depth, const Node& below);
  // Derives the bounds of a node from its edges'. Returns whether they are new.
  bool UpdateBounds(Node* node);
  // Which distance and which dependence on the path follow from the children.
  void UpdateProof(Node* node);

  Tree& tree_;
  const float draw_score_;
  const bool concurrent_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_MCTS_BACKUP_H_
