// Walks down the tree: the part of Search that runs once a visit.
#include <algorithm>
#include <thread>
#include <utility>

#include "mcts/backup.h"
#include "mcts/search.h"

namespace crossriver {
namespace {

constexpr int kVisitsPerCompanion = 32;

}  // namespace

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

Next Search::NextLeaves(std::span<Leaf*> leaves, size_t* num_out) {
  for (const Leaf* const leaf : leaves) CR_CHECK(!leaf->out_);
  Leaf* const mark = leaves[0];
  *num_out = 0;
  for (;;) {
    // The stop rules take the root's lock, and so have to be in the tree as well.
    Enter(mark);
    if (ShouldStop()) {
      Exit(mark);
      return Next::kDone;
    }
    if (NeedsRoom()) MakeRoom(mark);
    const std::span<Leaf*> idle = leaves.subspan(*num_out);
    Descent last = Descent::kOn;
    const size_t started = StartWalks(idle, &last);
    bool blocked = last == Descent::kBlocked && started == 0;
    for (size_t i = 0; i < started; ++i) {
      const Walked walked = Walk(idle[i], &mark->arrivals_);
      if (walked == Walked::kLeaf) std::swap(idle[i], leaves[(*num_out)++]);
      if (walked == Walked::kBlocked) blocked = true;
    }
    FinishAtRoot(&mark->arrivals_);
    Exit(mark);
    if (*num_out == leaves.size()) return Next::kLeaf;
    if (blocked) return Next::kWait;
    if (last == Descent::kFull) return Next::kDone;
  }
}

Selection Search::Select(const Node& node, size_t depth) {
  if (depth == 0) return root_.Select(&tree_);
  const float draw_score = depth % 2 == 0 ? options_.draw_score : 1 - options_.draw_score;
  return options_.root_policy == RootPolicy::kGumbel
             ? SelectGumbelInterior(&tree_, node, options_.gumbel, draw_score)
             : SelectPuct(&tree_, node, options_.puct, draw_score, /*at_root=*/false);
}

// One ply, at the walk's node; with its lock.
inline Search::Descent Search::Choose(Leaf* leaf, Node* node) {
  const size_t depth = leaf->path_.size();
  if (node->state == NodeState::kPending) {
    // New, or left behind by a cancelled walk; or another walk is here.
    if (node->in_flight > 0) return Descent::kBlocked;
    ++node->in_flight;
    return Descent::kArrived;
  }
  // The root counts the walks that are back and those under way: with a counter that all threads
  // write they would wait for its cache line as well.
  if (depth == 0 && IsFull(*node)) return Descent::kFull;
  if (node->state != NodeState::kOpen || (depth > 0 && node->bounds.exact())) {
    leaf->known_ = node->raw();  // of a horizon; the backup sees what is exact
    ++node->in_flight;
    return Descent::kKnown;
  }
  const Selection selection = Select(*node, depth);
  if (selection.none()) return Descent::kBlocked;
  const EdgeRef edge =
      selection.next_untracked ? tree_.TrackNext(node, &leaf->cache_) : selection.edge;
  BlockIndex child = edge.stats->child[edge.lane];
  if (child == kNoBlock) child = tree_.NewChild(leaf->node_, edge, &leaf->cache_);
  ++edge.stats->in_flight[edge.lane];
  ++node->in_flight;
  tree_.Prefetch(child);
  leaf->move_ = tree_.edge(*node, edge.index).move;
  leaf->path_.push_back({leaf->node_, edge.block, edge.lane});
  leaf->node_ = child;
  return Descent::kOn;
}

// Under one lock of the root, as many walks as there are leaves, or until one can't begin or ends
// at the root itself; `last` says which. Returns how many begin.
size_t Search::StartWalks(std::span<Leaf*> leaves, Descent* last) {
  tree_.Prefetch(tree_.root());
  for (Leaf* const leaf : leaves) {
    leaf->path_.clear();
    leaf->node_ = tree_.root();
  }
  Node& root = tree_.node(tree_.root());
  NodeLock lock(&root, options_.concurrent);
  size_t started = 0;
  while (started < leaves.size()) {
    Leaf* const leaf = leaves[started];
    *last = Choose(leaf, &root);
    if (*last == Descent::kBlocked || *last == Descent::kFull) break;
    ++started;
    if (*last != Descent::kOn) break;
    started += Accompany(*leaf, leaves.subspan(started));
  }
  return started;
}

// Further walks through the move that the one before has chosen: one for each
// kVisitsPerCompanion visits of the move.
size_t Search::Accompany(const Leaf& leader, std::span<Leaf*> leaves) {
  if (options_.root_policy != RootPolicy::kPuct || leaves.empty()) return 0;
  const Step& step = leader.path_[0];
  Node& root = tree_.node(step.node);
  EdgeStats& stats = tree_.stats(step.stats);
  const auto most = static_cast<size_t>(stats.visits[step.lane] / kVisitsPerCompanion);
  size_t count = 0;
  while (count < std::min(most, leaves.size()) && !IsFull(root) &&
         stats.in_flight[step.lane] < kMaxInFlight) {
    Leaf* const leaf = leaves[count++];
    ++stats.in_flight[step.lane];
    ++root.in_flight;
    leaf->path_.push_back(step);
    leaf->node_ = leader.node_;
    leaf->move_ = leader.move_;
  }
  return count;
}

Search::Walked Search::Walk(Leaf* leaf, std::vector<Arrival>* arrivals) {
  if (leaf->epoch_ != epoch_) {
    leaf->history_ = root_history_;
    leaf->epoch_ = epoch_;
  }
  leaf->position_ = root_position_;
  // The first step, or a walk that ends at the root.
  Descent descent = leaf->path_.empty() ? Descent::kArrived : Descent::kOn;
  for (;; descent = Descend(leaf)) {
    switch (descent) {
      case Descent::kOn:
        Play(leaf);
        break;
      case Descent::kArrived:
        if (const Walked walked = Arrive(leaf, arrivals); walked != Walked::kOpened) return walked;
        break;
      case Descent::kKnown:
        Answer(leaf, leaf->known_, arrivals);
        return Walked::kAnswered;
      default:
        Up().TakeBack(leaf->path_, kNoBlock, arrivals);
        Rewind(leaf);
        return Walked::kBlocked;
    }
  }
}

Search::Descent Search::Descend(Leaf* leaf) {
  Node& node = tree_.node(leaf->node_);
  NodeLock lock(&node, options_.concurrent);
  return Choose(leaf, &node);
}

void Search::Play(Leaf* leaf) {
  const UndoRecord undo = leaf->position_.Do(leaf->move_);
  leaf->history_.Push(leaf->position_, undo);
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
