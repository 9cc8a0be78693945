#include "mcts/search.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "core/movegen.h"
#include "mcts/backup.h"
#include "mcts/report.h"

namespace crossriver {
namespace {

// A leaf with its position, a history of a long game, its moves and blocks set aside.
constexpr size_t kBytesPerLeaf = size_t{24} << 10;
// No position has more moves: every kind in hand on every cell, and ample moves on the board.
size_t MostEdges(const Rules& rules) {
  return rules.hand_kinds().size() * static_cast<size_t>(rules.num_cells()) + 1000;
}

}  // namespace

// A tenth of the memory is for what is not in the tree.
Search::Search(const SearchOptions& options, const Position& start)
    : options_(options),
      rules_(&start.rules()),
      start_(start),
      root_position_(start),
      root_history_(start),
      tree_(options.tree_bytes - options.tree_bytes / 10),
      blocks_per_walk_(MostEdges(start.rules()) / MoreEdges::kEdges + 4 + Arena::kBatch),
      reserve_blocks_(Tree::BlocksOf(MostEdges(start.rules()))),
      random_(options.seed) {
  CR_CHECK_OK(Validate(options));
  Restart();
}

Search::~Search() { CR_CHECK(out_ == 0); }

int Search::max_leaves() const {
  const size_t by_blocks =
      (tree_.arena().size() / 2 - Tree::BlocksOf(MostEdges(*rules_))) / blocks_per_walk_;
  const size_t by_bytes = options_.tree_bytes / 10 / kBytesPerLeaf;
  return static_cast<int>(std::clamp<size_t>(std::min(by_blocks, by_bytes), 1, kMaxInFlight));
}

Leaf* Search::NewLeaf() {
  CR_CHECK(leaves_.size() < static_cast<size_t>(max_leaves()));
  leaves_.push_back(std::unique_ptr<Leaf>(new Leaf(root_position_)));
  leaves_.back()->history_ = root_history_;
  leaves_.back()->epoch_ = epoch_;
  reserve_blocks_ += blocks_per_walk_;
  return leaves_.back().get();
}

size_t Search::bytes() const {
  return tree_.arena().size() * kBlockBytes + leaves_.size() * kBytesPerLeaf;
}

size_t Search::CountNodes() const {
  size_t count = 0;
  for (BlockIndex index = 1; index < tree_.arena().end_of_used(); ++index) {
    count += tree_.arena().is_node(index) ? size_t{1} : 0;
  }
  return count;
}

// A new tree for the position that root_position_ and root_history_ have been set to.
void Search::Restart() {
  CR_CHECK(out_ == 0);
  for (const auto& leaf : leaves_) tree_.arena().Return(&leaf->cache_);
  tree_.Clear();
  pruner_.Reset();
  Arena::Cache cache;
  tree_.NewRoot(&cache);
  tree_.arena().Return(&cache);
  UpdateRoot();
}

void Search::UpdateRoot() {
  ++epoch_;
  root_.Reset();
  root_outcome_ = Adjudicate(root_position_, root_history_, HasLegalMove(root_position_));
  Node& root = tree_.node(tree_.root());
  // A root is searched whatever its ply.
  if (root.state == NodeState::kHorizon) root.state = NodeState::kPending;
  root_decided_ = root.bounds.exact();
}

absl::Status Search::SetGame(const Position& start, std::span<const Move> moves) {
  const bool same_start = start == start_ && &start.rules() == rules_;
  const bool goes_on = same_start && moves.size() >= played_.size() &&
                       std::equal(played_.begin(), played_.end(), moves.begin());
  Position position = start;
  for (const Move move : moves) {
    if (!IsLegal(position, move)) return absl::InvalidArgumentError("not a legal move");
    position.Do(move);
  }
  if (!goes_on) {
    CR_CHECK(&start.rules() == rules_);
    start_ = root_position_ = start;
    root_history_ = History(start);
    played_.clear();
    Restart();
  }
  for (size_t i = played_.size(); i < moves.size(); ++i) CR_CHECK_OK(Advance(moves[i]));
  return absl::OkStatus();
}

absl::Status Search::Advance(Move move) {
  CR_CHECK(out_ == 0);
  if (!IsLegal(root_position_, move)) return absl::InvalidArgumentError("not a legal move");
  played_.push_back(move);
  const UndoRecord undo = root_position_.Do(move);
  root_history_.Push(root_position_, undo);
  if (!tree_.MoveRootTo(move)) {
    Restart();
    return absl::OkStatus();
  }
  UpdateRoot();
  // The other side is now the one to which a draw is worth draw_score.
  if (options_.draw_score != 0.5F) Backup(&tree_, options_.draw_score, false).Rescore();
  return absl::OkStatus();
}

void Search::Begin(const SearchLimits& limits) {
  CR_CHECK(out_ == 0);
  CR_CHECK_OK(Validate(limits, options_));
  stop_ = false;
  stopped_ = StopReason::kNone;
  started_ = 0;
  evaluations_ = 0;
  stop_rules_.Begin(limits, options_);
  random_ = RandomStream(RandomStream(options_.seed + searches_++).Next());
  if (tree_.node(tree_.root()).state == NodeState::kOpen) {
    if (NeedsRoom()) pruner_.Free(&tree_, reserve_blocks_);
    Arena::Cache cache;
    root_.Prepare(&tree_, options_, limits, &random_, &cache);
    tree_.arena().Return(&cache);
  }
}

bool Search::ShouldStop() {
  if (stopped_.load(std::memory_order_relaxed) != StopReason::kNone) return true;
  StopReason reason = StopReason::kNone;
  if (stop_.load(std::memory_order_relaxed)) {
    reason = StopReason::kStopped;
  } else if (root_outcome_.is_over()) {
    reason = StopReason::kGameOver;
  } else if (root_decided_.load(std::memory_order_relaxed)) {
    reason = StopReason::kProven;
  } else if (evaluations_.load(std::memory_order_relaxed) >= stop_rules_.limits().nodes) {
    reason = StopReason::kNodes;
  } else {
    reason = stop_rules_.Check(&tree_, started_.load(std::memory_order_relaxed));
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
        if (leaf->counted_) started_.fetch_sub(1, std::memory_order_relaxed);
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
  if (depth == 0) leaf->counted_ = false;
  if (node.state == NodeState::kPending) {
    // New, or left behind by a cancelled walk; or another walk is here.
    if (node.in_flight > 0) return Descent::kBlocked;
    ++node.in_flight;
    return Descent::kArrived;
  }
  if (depth == 0) {
    const int64_t limit = stop_rules_.limits().visits;
    if (started_.fetch_add(1, std::memory_order_relaxed) >= limit) {
      started_.fetch_sub(1, std::memory_order_relaxed);
      return Descent::kFull;
    }
    leaf->counted_ = true;
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
  out_.fetch_add(1, std::memory_order_relaxed);
  evaluations_.fetch_add(1, std::memory_order_relaxed);
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
  out_.fetch_sub(1, std::memory_order_relaxed);
}

void Search::Cancel(Leaf* leaf) {
  CR_CHECK(leaf->out_);
  Enter(leaf);
  Backup(&tree_, options_.draw_score, options_.concurrent).TakeBack(leaf->path_, leaf->node_);
  if (leaf->counted_) started_.fetch_sub(1, std::memory_order_relaxed);
  Rewind(leaf);
  Exit(leaf);
  leaf->out_ = false;
  evaluations_.fetch_sub(1, std::memory_order_relaxed);
  out_.fetch_sub(1, std::memory_order_relaxed);
}

SearchResult Search::Result() {
  CR_CHECK(out_ == 0);
  SearchResult result;
  result.outcome = root_outcome_;
  result.visits = started_;
  result.evaluations = evaluations_;
  result.tree_bytes = tree_bytes();
  result.stopped = stopped_;
  if (result.stopped == StopReason::kNone && started_ >= stop_rules_.limits().visits) {
    result.stopped = StopReason::kVisits;
  }
  if (root_outcome_.is_over()) {
    const Worth worth = WorthOf(root_outcome_.result);
    result.wdl = result.raw_wdl = ExactWdl(worth);
    result.proof = {root_outcome_.result, worth == Worth::kDraw ? -1 : 0,
                    root_outcome_.depends_on_path()};
  } else if (root_.ready()) {
    ReportRoot(&tree_, root_, options_, &result);
  } else {
    // Stopped before its first evaluation: any move is better than none.
    std::vector<Move> moves;
    GenerateLegalMoves(root_position_, &moves);
    for (const Move move : moves) {
      MoveResult& entry = result.moves.emplace_back();
      entry.move = move;
      entry.pv = {move};
      entry.prior = entry.target = 1.0F / static_cast<float>(moves.size());
    }
    result.best = moves.front();
  }
  return result;
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
