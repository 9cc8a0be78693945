// Walks through the tree: the part of Search that runs once a visit.
#include <algorithm>
#include <thread>

#include "core/movegen.h"
#include "mcts/backup.h"
#include "mcts/search.h"

namespace crossriver {

bool Search::ShouldStop() {
  if (stopped_.load(std::memory_order_relaxed) != StopReason::kNone) return true;
  StopReason reason = StopReason::kNone;
  if (stop_.load(std::memory_order_relaxed)) {
    reason = StopReason::kStopped;
  } else if (root_outcome_.is_over()) {
    reason = StopReason::kGameOver;
  } else if (root_decided_.load(std::memory_order_relaxed)) {
    reason = StopReason::kProven;
  } else if (stop_rules_.limits().nodes != kNoLimit &&
             CountEvaluations() >= stop_rules_.limits().nodes) {
    reason = StopReason::kNodes;
  } else {
    reason = stop_rules_.Check(&tree_);
  }
  if (reason == StopReason::kNone) return false;
  StopReason none = StopReason::kNone;
  stopped_.compare_exchange_strong(none, reason);
  return true;
}

Next Search::NextLeaf(Leaf* leaf) {
  CR_CHECK(!leaf->out_);
  for (;;) {
    // The stop rules take the root's lock, and so have to be in the tree as well.
    Enter(leaf);
    if (ShouldStop()) {
      Exit(leaf);
      return Next::kDone;
    }
    if (NeedsRoom()) MakeRoom(leaf);
    const Walked walked = Walk(leaf);
    Exit(leaf);
    if (walked == Walked::kLeaf) return Next::kLeaf;
    if (walked == Walked::kBlocked) return Next::kWait;
    if (walked == Walked::kFull) return Next::kDone;
  }
}

Search::Walked Search::Walk(Leaf* leaf) {
  tree_.Prefetch(tree_.root());
  if (leaf->epoch_ != epoch_) {
    leaf->history_ = root_history_;
    leaf->epoch_ = epoch_;
  }
  leaf->position_ = root_position_;
  leaf->path_.clear();
  leaf->node_ = tree_.root();
  for (;;) {
    switch (Descend(leaf)) {
      case Descent::kOn:
        break;
      case Descent::kArrived:
        return Arrive(leaf);
      case Descent::kKnown:
        return Answer(leaf, leaf->known_);
      case Descent::kBlocked:
        Backup(&tree_, options_.draw_score, options_.concurrent).TakeBack(leaf->path_, kNoBlock);
        Rewind(leaf);
        return Walked::kBlocked;
      case Descent::kFull:
        return Walked::kFull;
    }
  }
}

Selection Search::Select(const Node& node, size_t depth) {
  if (depth == 0) return root_.Select(&tree_);
  const float draw_score = depth % 2 == 0 ? options_.draw_score : 1 - options_.draw_score;
  return options_.root_policy == RootPolicy::kGumbel
             ? SelectGumbelInterior(&tree_, node, options_.gumbel, draw_score)
             : SelectPuct(&tree_, node, options_.puct, draw_score, /*at_root=*/false);
}

// One ply.
Search::Descent Search::Descend(Leaf* leaf) {
  const BlockIndex index = leaf->node_;
  const size_t depth = leaf->path_.size();
  Node& node = tree_.node(index);
  NodeLock lock(&node, options_.concurrent);
  if (node.state == NodeState::kPending) {
    // New, or left behind by a cancelled walk; or another walk is here.
    if (node.in_flight > 0) return Descent::kBlocked;
    ++node.in_flight;
    return Descent::kArrived;
  }
  // The root counts the walks that are back and those under way: with a counter that all threads
  // write they would wait for its cache line as well.
  if (depth == 0 &&
      int64_t{node.edge_visits} - base_visits_ + node.in_flight >= stop_rules_.limits().visits) {
    return Descent::kFull;
  }
  if (node.state != NodeState::kOpen || (depth > 0 && node.bounds.exact())) {
    leaf->known_ = node.raw();  // of a horizon; the backup sees what is exact
    ++node.in_flight;
    return Descent::kKnown;
  }
  const Selection selection = Select(node, depth);
  if (selection.none()) return Descent::kBlocked;
  const EdgeRef edge =
      selection.next_untracked ? tree_.TrackNext(&node, &leaf->cache_) : selection.edge;
  BlockIndex child = edge.stats->child[edge.lane];
  if (child == kNoBlock) child = tree_.NewChild(index, edge, &leaf->cache_);
  ++edge.stats->in_flight[edge.lane];
  ++node.in_flight;
  leaf->path_.push_back({index, edge.block, edge.lane});
  leaf->node_ = child;
  tree_.Prefetch(child);
  const Move move = tree_.edge(node, edge.index).move;
  const UndoRecord undo = leaf->position_.Do(move);
  leaf->history_.Push(leaf->position_, undo);
  return Descent::kOn;
}

// At a pending node that is this walk's alone.
Search::Walked Search::Arrive(Leaf* leaf) {
  GenerateLegalMoves(leaf->position_, &leaf->moves_);
  const Outcome outcome = Adjudicate(leaf->position_, leaf->history_, !leaf->moves_.empty());
  if (outcome.is_over()) {
    Node& node = tree_.node(leaf->node_);
    {
      NodeLock lock(&node, options_.concurrent);
      node.state = NodeState::kTerminal;
      node.bounds = Bounds::Exact(WorthOf(outcome.result));
      node.depends_on_path = outcome.depends_on_path();
      if (outcome.result != Result::kDraw) node.mate_distance = 0;
    }
    return Answer(leaf, ExactWdl(WorthOf(outcome.result)));
  }
  leaf->horizon_ = options_.max_plies > 0 && !leaf->path_.empty() &&
                   leaf->history_.plies() >= options_.max_plies;
  leaf->out_ = true;
  leaf->CountEvaluations(1);
  return Walked::kLeaf;
}

Search::Walked Search::Answer(Leaf* leaf, const Wdl& wdl) {
  Backup backup(&tree_, options_.draw_score, options_.concurrent);
  if (backup.Run(leaf->path_, leaf->node_, wdl)) {
    root_decided_.store(true, std::memory_order_relaxed);
  }
  Rewind(leaf);
  return Walked::kAnswered;
}

void Search::Rewind(Leaf* leaf) {
  for (size_t i = 0; i < leaf->path_.size(); ++i) leaf->history_.Pop();
  leaf->path_.clear();
}

void Search::Deliver(Leaf* leaf, const Evaluation& evaluation) {
  CR_CHECK(leaf->out_);
  CR_CHECK(evaluation.log_priors.size() == leaf->moves_.size());
  Enter(leaf);
  {
    Node& node = tree_.node(leaf->node_);
    NodeLock lock(&node, options_.concurrent);
    node.raw_win = evaluation.wdl.win;
    node.raw_draw = evaluation.wdl.draw;
    if (leaf->horizon_) {
      node.state = NodeState::kHorizon;
    } else {
      tree_.SetEdges(&node, leaf->moves_, evaluation.log_priors, &leaf->cache_);
      if (leaf->path_.empty()) {
        root_.Prepare(&tree_, options_, stop_rules_.limits(), &random_, &leaf->cache_);
      }
      node.state = NodeState::kOpen;
    }
  }
  Answer(leaf, evaluation.wdl);
  Exit(leaf);
  leaf->out_ = false;
}

void Search::Cancel(Leaf* leaf) {
  CR_CHECK(leaf->out_);
  Enter(leaf);
  Backup(&tree_, options_.draw_score, options_.concurrent).TakeBack(leaf->path_, leaf->node_);
  Rewind(leaf);
  Exit(leaf);
  leaf->out_ = false;
  leaf->CountEvaluations(-1);
}

// Each thread marks its leaf while it is in the tree, a store to a cache line of its own, instead
// of taking a lock that all share. Who wants the tree alone says so and waits until all marks are
// gone; with sequentially consistent accesses one of the two always sees the other.
void Search::Enter(Leaf* leaf) {
  if (!options_.concurrent) return;
  for (;;) {
    leaf->inside_.store(true);
    if (!alone_.load()) return;
    leaf->inside_.store(false);
    while (alone_.load()) std::this_thread::yield();
  }
}

void Search::Exit(Leaf* leaf) {
  if (options_.concurrent) leaf->inside_.store(false, std::memory_order_release);
}

// Called and left inside the tree.
void Search::MakeRoom(Leaf* leaf) {
  Exit(leaf);
  {
    MutexLock lock(&alone_mutex_);
    alone_.store(true);
    for (const auto& other : leaves_) {
      while (other->inside_.load()) std::this_thread::yield();
    }
    if (NeedsRoom()) {
      // Some more than is needed, so that it is not needed again at once, and not so much that it
      // takes long.
      const size_t some = std::min<size_t>(tree_.arena().size() / 16, 4096);
      pruner_.Free(&tree_, reserve_blocks_ - tree_.arena().free_blocks() + some);
    }
    alone_.store(false);
  }
  Enter(leaf);
}

}  // namespace crossriver
