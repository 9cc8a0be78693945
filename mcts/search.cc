#include "mcts/search.h"

#include <algorithm>
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
      blocks_per_walk_(MostEdges(start.rules()) / MoreEdges::kEdges + 6 + Arena::kBatch),
      reserve_blocks_(Tree::BlocksOf(MostEdges(start.rules()))),
      random_(options.seed) {
  CR_CHECK_OK(Validate(options));
  Restart();
}

Search::~Search() { CR_CHECK(!AnyOut()); }

int Search::max_leaves() const {
  const size_t by_blocks =
      (tree_.arena().size() / 2 - Tree::BlocksOf(MostEdges(*rules_))) / blocks_per_walk_;
  const size_t by_bytes = options_.tree_bytes / 10 / kBytesPerLeaf;
  return static_cast<int>(std::clamp<size_t>(std::min(by_blocks, by_bytes), 1, kMaxInFlight));
}

Leaf* Search::leaf(int number) {
  CR_CHECK(number >= 0 && number < max_leaves());
  while (leaves_.size() <= static_cast<size_t>(number)) {
    leaves_.push_back(std::unique_ptr<Leaf>(new Leaf(root_position_)));
    reserve_blocks_ += blocks_per_walk_;
  }
  return leaves_[static_cast<size_t>(number)].get();
}

size_t Search::bytes() const {
  size_t bytes = tree_.arena().size() * kBlockBytes + played_.capacity() * sizeof(Move);
  for (const auto& leaf : leaves_) bytes += leaf->bytes();
  return bytes;
}

bool Search::AnyOut() const {
  return std::any_of(leaves_.begin(), leaves_.end(), [](const auto& leaf) { return leaf->out_; });
}

int64_t Search::CountEvaluations() const {
  int64_t sum = 0;
  for (const auto& leaf : leaves_) sum += leaf->evaluations_.load(std::memory_order_relaxed);
  return sum;
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
  CR_CHECK(!AnyOut());
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
  CR_CHECK(!AnyOut());
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

void Search::SetOptions(const SearchOptions& options) {
  CR_CHECK(!AnyOut());
  CR_CHECK_OK(Validate(options));
  CR_CHECK(options.tree_bytes == options_.tree_bytes && options.concurrent == options_.concurrent);
  const bool rescore = options.draw_score != options_.draw_score;
  options_ = options;
  searches_ = 0;
  if (rescore) Backup(&tree_, options_.draw_score, false).Rescore();
}

void Search::Begin(const SearchLimits& limits) {
  CR_CHECK(!AnyOut());
  CR_CHECK_OK(Validate(limits, options_));
  stop_ = false;
  stopped_ = StopReason::kNone;
  mate_.reset();
  for (const auto& leaf : leaves_) leaf->evaluations_ = 0;
  base_visits_ = tree_.node(tree_.root()).edge_visits;
  stop_rules_.Begin(limits, options_, base_visits_);
  // Searches of one seed have nothing in common with those of the next.
  random_ = RandomStream(RandomStream(options_.seed).Next() + searches_++);
  random_ = RandomStream(random_.Next());
  if (tree_.node(tree_.root()).state == NodeState::kOpen) {
    if (NeedsRoom()) pruner_.Free(&tree_, reserve_blocks_);
    Arena::Cache cache;
    root_.Prepare(&tree_, options_, limits, &random_, &cache);
    tree_.arena().Return(&cache);
  }
}

void Search::EndWithMate(const MateResult& mate) {
  CR_CHECK(mate.answer == MateResult::Answer::kMate && !mate.line.empty());
  mate_ = mate;
  StopReason none = StopReason::kNone;
  stopped_.compare_exchange_strong(none, StopReason::kProven);
}

SearchResult Search::Result() {
  CR_CHECK(!AnyOut());
  SearchResult result;
  result.outcome = root_outcome_;
  result.visits = tree_.node(tree_.root()).edge_visits - base_visits_;
  result.evaluations = CountEvaluations();
  result.tree_bytes = tree_bytes();
  result.stopped = stopped_;
  if (result.stopped == StopReason::kNone && result.visits >= stop_rules_.limits().visits) {
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
  if (mate_.has_value()) ReportMate(*mate_, &result);
  return result;
}

}  // namespace crossriver
