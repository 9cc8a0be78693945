// The tree of the alpha-beta engine: full-width search with what is selective about it.
#include <algorithm>
#include <bit>

#include "core/movegen.h"
#include "selfplay/players/alphabeta_search.h"

namespace crossriver {
namespace {

// A position so much above beta is not searched: for each ply of depth left.
constexpr int kSafeMargin = 120;
constexpr int kSafeDepth = 3;

constexpr int kNullDepth = 3;
constexpr int kNullReduction = 2;
// Below this share of the array's army in the mover's hands, being out of good moves happens, and a
// null move's success is checked by a search.
constexpr int kVerifiedShare = 3;

// A quiet move is not tried where the score is so much below alpha …
constexpr int kHopelessDepth = 3;
constexpr int kHopelessMargin = 100;
constexpr int kHopelessMarginAPly = 120;
// … or where so many have been tried: kFewQuiet + kQuietADepth * depth * depth.
constexpr int kFewQuiet = 4;
constexpr int kQuietADepth = 3;

constexpr int kReducedDepth = 3;
constexpr int kReducedIndex = 3;
constexpr int kReductionScale = 5;

// What a cut adds to the history, for each ply of depth squared.
constexpr int kLearntADepth = 16;
constexpr int kMostLearnt = 2048;

int Log2(int n) { return static_cast<int>(std::bit_width(static_cast<unsigned>(n))); }

// A score of the table is counted from its position, one of the search from the root.
int ToTable(int score, int ply) {
  return !IsMateScore(score) ? score : score > 0 ? score + ply : score - ply;
}
int FromTableScore(int score, int ply) {
  return !IsMateScore(score) ? score : score > 0 ? score - ply : score + ply;
}

}  // namespace

std::optional<int> AlphaBetaSearch::FromTable(Node* node) {
  const AlphaBetaTable::Entry* entry = table_.Find(node->key);
  if (ply_ == 0) {
    node->first = root_first_;
    return std::nullopt;
  }
  if (entry == nullptr) return std::nullopt;
  node->first = entry->best();
  // A deeper score is as good, but not the same.
  const bool deep = options_.selective ? entry->depth >= node->depth : entry->depth == node->depth;
  if (node->pv || !deep) return std::nullopt;
  const int score = FromTableScore(entry->score, ply_);
  switch (entry->bound) {
    case BoundKind::kExact:
      return score;
    case BoundKind::kLower:
      return score >= node->window.beta ? std::optional<int>(score) : std::nullopt;
    case BoundKind::kUpper:
      return score <= node->window.alpha ? std::optional<int>(score) : std::nullopt;
    case BoundKind::kNone:
      break;
  }
  return std::nullopt;
}

void AlphaBetaSearch::Store(const Node& node, Move best, int score) {
  BoundKind bound = BoundKind::kNone;
  if (!frame().rests_on_path) {
    bound = score >= node.window.beta   ? BoundKind::kLower
            : score > node.window.alpha ? BoundKind::kExact
                                        : BoundKind::kUpper;
  }
  table_.Store(node.key, best, ToTable(score, ply_), node.depth, bound);
}

int AlphaBetaSearch::Search(int depth, Window window, bool null_allowed) {
  frame().pv.clear();
  frame().rests_on_path = false;
  if (!CountNode()) return 0;
  if (ply_ > 0) {
    if (const std::optional<int> score = Ended()) return *score;
  }
  Node node;
  node.in_check = history_.in_check();
  node.depth = std::max(depth, 0);
  if (node.in_check && options_.selective && ply_ < 2 * root_depth_) ++node.depth;
  if (ply_ >= kMaxSearchPly) node.depth = 0;
  node.window = window;
  node.pv = window.beta - window.alpha > 1;
  node.key = Key();
  if (const std::optional<int> score = FromTable(&node)) return *score;
  if (node.depth == 0) {
    const int score = SearchQuiet(0, window);
    if (!stopped_) Store(node, frame().pv.empty() ? Move() : frame().pv.front(), score);
    return score;
  }
  if (!node.in_check) node.score = Score();
  if (const std::optional<int> score = WithoutMoves(node, null_allowed)) return *score;
  return stopped_ ? 0 : SearchMoves(node);
}

// What needs no search of moves: a score far above beta, or a null move that is good enough.
std::optional<int> AlphaBetaSearch::WithoutMoves(const Node& node, bool null_allowed) {
  if (!options_.selective || node.pv || node.in_check || IsMateScore(node.window.beta) ||
      node.score < node.window.beta) {
    return std::nullopt;
  }
  if (node.depth <= kSafeDepth && node.score - kSafeMargin * node.depth >= node.window.beta) {
    return node.score;
  }
  if (!null_allowed || node.depth < kNullDepth) return std::nullopt;
  return TryNullMove(node);
}

// If even a move less leaves the score at beta, so does the best move: but not in zugzwang.
std::optional<int> AlphaBetaSearch::TryNullMove(const Node& node) {
  const int material = frame().totals.Of(position_.side_to_move()).material;
  if (material == 0) return std::nullopt;
  const int beta = node.window.beta;
  const int depth = node.depth - 1 - kNullReduction - node.depth / 4;
  PlayNull();
  int score = -Search(depth, {-beta, -beta + 1}, /*null_allowed=*/false);
  const bool rests_on_path = frame().rests_on_path;
  TakeBackNull();
  if (stopped_ || score < beta) return std::nullopt;
  if (IsMateScore(score)) score = beta;
  if (material * kVerifiedShare < values_.army()) {
    const int verified = Search(std::max(depth, 1), {beta - 1, beta}, /*null_allowed=*/false);
    frame().pv.clear();
    if (stopped_ || verified < beta) return std::nullopt;
  }
  frame().rests_on_path |= rests_on_path;
  return score;
}

// What quiet moves at a low depth are taken to reach at most.
int AlphaBetaSearch::MostOfQuiet(const Node& node) {
  return node.score + kHopelessMargin + kHopelessMarginAPly * node.depth;
}

// For a quiet move late in the order at a low depth; what holds for one holds for all that follow.
bool AlphaBetaSearch::IsHopeless(const Node& node, const RatedMove& rated, Window window) const {
  if (!options_.selective || node.pv || node.in_check || rated.tactical || rated.maybe_check ||
      node.depth > kHopelessDepth) {
    return false;
  }
  const auto tried = static_cast<int>(frames_[static_cast<size_t>(ply_)].quiet.size());
  return tried >= kFewQuiet + kQuietADepth * node.depth * node.depth ||
         MostOfQuiet(node) <= window.alpha;
}

int AlphaBetaSearch::Reduction(const Node& node, const RatedMove& rated, int index) const {
  if (!options_.selective || node.depth < kReducedDepth || index < kReducedIndex || node.in_check ||
      (rated.tactical && !rated.losing)) {
    return 0;
  }
  int reduction = Log2(node.depth) * Log2(index) / kReductionScale;
  if (node.pv || rated.maybe_check || rated.losing) --reduction;
  return std::clamp(reduction, 0, node.depth - 2);
}

int AlphaBetaSearch::SearchMove(const Node& node, const RatedMove& rated, int index,
                                Window window) {
  Play(rated.move);
  const int depth = node.depth - 1;
  const Window open = {-window.beta, -window.alpha};
  const Window closed = {-window.alpha - 1, -window.alpha};
  int score;
  if (index == 0) {
    score = -Search(depth, open, true);
  } else {
    const int reduction = history_.in_check() ? 0 : Reduction(node, rated, index);
    score = -Search(depth - reduction, closed, true);
    if (reduction > 0 && score > window.alpha && !stopped_) score = -Search(depth, closed, true);
    if (node.pv && score > window.alpha && score < window.beta && !stopped_) {
      score = -Search(depth, open, true);
    }
  }
  TakeBack();
  return score;
}

int AlphaBetaSearch::SearchMoves(const Node& node) {
  Frame& f = frame();
  const Frame& child = frames_[static_cast<size_t>(ply_ + 1)];
  GenerateLegalMoves(position_, &f.moves);
  if (f.moves.empty()) return NoMoveScore();
  f.order.Begin(values_, move_history_, position_, f.moves, node.first, f.killers);
  f.quiet.clear();
  Window window = node.window;
  int best = -kInfiniteScore;
  Move best_move;
  int index = 0;
  while (const RatedMove* rated = f.order.Next()) {
    if (best > -kRepetitionScore && IsHopeless(node, *rated, window)) {
      best = std::max(best, std::min(window.alpha, MostOfQuiet(node)));  // all that is known
      f.order.DropQuiet();
      continue;
    }
    const int score = SearchMove(node, *rated, index++, window);
    if (stopped_) return 0;
    if (score >= window.beta) f.rests_on_path = false;  // this move alone decides
    f.rests_on_path |= child.rests_on_path;
    if (score > best) {
      best = score;
      if (score > window.alpha) {
        window.alpha = score;
        best_move = rated->move;
        if (ply_ == 0) root_score_ = score;
        f.pv.assign(1, rated->move);
        f.pv.insert(f.pv.end(), child.pv.begin(), child.pv.end());
      }
    }
    if (score >= window.beta) {
      Learn(node, *rated);
      break;
    }
    if (!rated->tactical) f.quiet.push_back(rated->move);
  }
  Store(node, best_move, best);
  return best;
}

// `cut` refuted the move before.
void AlphaBetaSearch::Learn(const Node& node, const RatedMove& cut) {
  if (cut.tactical) return;
  Frame& f = frame();
  if (f.killers[0] != cut.move) f.killers = {cut.move, f.killers[0]};
  const int by = std::min(node.depth * node.depth * kLearntADepth, kMostLearnt);
  move_history_.Add(position_, cut.move, by);
  for (const Move move : f.quiet) move_history_.Add(position_, move, -by);
}

}  // namespace crossriver
