#include "mcts/report.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "mcts/backup.h"

namespace crossriver {
namespace {

constexpr size_t kLongestPv = 64;

// Whether a proven result is one to strive for: 2 a win, 0 a loss, 1 all else; a draw only where
// the root is no better.
int Rank(const MoveResult& move) {
  return move.proof.result == Result::kWin ? 2 : move.proof.result == Result::kLoss ? 0 : 1;
}

// Wins in few plies and losses in many come first. Unknown distances come last among wins.
int DistanceKey(const MoveResult& move) {
  if (move.proof.result == Result::kWin) {
    return move.proof.distance < 0 ? -32768 : -move.proof.distance;
  }
  return move.proof.result == Result::kLoss ? move.proof.distance : 0;
}

class Reporter {
 public:
  Reporter(Tree* tree, const Root& root, const SearchOptions& options)
      : tree_(*tree), root_(root), options_(options), node_(tree->node(tree->root())) {}

  void Fill(SearchResult* result) {
    result->wdl = MeanWdl(node_);
    result->raw_wdl = node_.raw();
    result->proof = ProofOf(node_.bounds, node_.mate_distance, node_.depends_on_path);
    result->tree_visits = node_.visits;
    const std::vector<float> targets = options_.root_policy == RootPolicy::kGumbel
                                           ? root_.GumbelPolicy(&tree_)
                                           : root_.PuctPolicy(&tree_);
    tree_.ForEachTracked(node_, [&](const EdgeRef& ref) {
      result->moves.push_back(Describe(ref, result->wdl));
      result->moves.back().target = targets[static_cast<size_t>(ref.index)];
      return true;
    });
    Sort(&result->moves);
    result->best = result->moves.front().move;
  }

 private:
  static Proof ProofOf(Bounds bounds, int distance, bool depends_on_path) {
    if (!bounds.exact()) return {};
    return {ResultOf(bounds), bounds.lower == Worth::kDraw ? -1 : distance, depends_on_path};
  }

  MoveResult Describe(const EdgeRef& ref, const Wdl& root_wdl) {
    MoveResult move;
    move.move = tree_.edge(node_, ref.index).move;
    move.visits = ref.stats->visits[ref.lane];
    move.new_visits = root_.NewVisits(ref);
    move.prior = std::exp(root_.log_priors()[static_cast<size_t>(ref.index)]);
    move.wdl = root_wdl;
    move.score = Score(root_wdl, options_.draw_score);
    const Bounds bounds = ref.stats->bounds_of(ref.lane);
    const BlockIndex child = ref.stats->child[ref.lane];
    if (bounds.exact()) {
      const bool known = child != kNoBlock;
      const int distance = known ? tree_.node(child).mate_distance : Node::kUnknownDistance;
      move.proof = ProofOf(bounds, distance < 0 ? -1 : distance + 1,
                           !known || tree_.node(child).depends_on_path);
      move.wdl = ExactWdl(bounds.lower);
    } else if (move.visits > 0) {
      // A pruned child leaves its score.
      const float score = ref.stats->value[ref.lane];
      move.wdl = child != kNoBlock && tree_.node(child).visits > 0
                     ? Turned(MeanWdl(tree_.node(child)))
                     : Wdl{score, 0, 1 - score};
    }
    if (move.visits > 0) {
      move.score = ref.stats->value[ref.lane];
      move.lower_bound =
          LowerBound(move.wdl, move.visits, options_.draw_score, options_.lcb_deviations);
    }
    move.pv.push_back(move.move);
    if (child != kNoBlock) Follow(child, &move.pv);
    return move;
  }

  // What a side would play at a node: what decides it, or else what was visited most.
  EdgeRef Likeliest(const Node& node) {
    EdgeRef best;
    std::tuple<int, int, int> best_key;
    tree_.ForEachTracked(node, [&](const EdgeRef& ref) {
      if (ref.stats->visits[ref.lane] == 0) return true;
      const BlockIndex child = ref.stats->child[ref.lane];
      const Bounds bounds = ref.stats->bounds_of(ref.lane);
      const int distance = child == kNoBlock ? -1 : tree_.node(child).mate_distance;
      int worth = 1;
      int reach = 0;
      if (bounds.exact() && bounds.lower != Worth::kDraw) {
        worth = bounds.lower == Worth::kWin ? 2 : 0;
        reach = worth == 0 ? distance : distance < 0 ? -32768 : -distance;
      } else if (bounds.exact() && node.bounds == Bounds::Exact(Worth::kDraw)) {
        reach = 1;  // the draw that decides it
      }
      const std::tuple<int, int, int> key = {worth, reach, ref.stats->visits[ref.lane]};
      if (best.stats == nullptr || key > best_key) {
        best = ref;
        best_key = key;
      }
      return true;
    });
    return best;
  }

  void Follow(BlockIndex index, std::vector<Move>* pv) {
    while (index != kNoBlock && pv->size() < kLongestPv) {
      const Node& node = tree_.node(index);
      if (node.state != NodeState::kOpen) return;
      const EdgeRef ref = Likeliest(node);
      if (ref.stats == nullptr) return;
      pv->push_back(tree_.edge(node, ref.index).move);
      index = ref.stats->child[ref.lane];
    }
  }

  void Sort(std::vector<MoveResult>* moves) {
    const bool drawn = node_.bounds == Bounds::Exact(Worth::kDraw);
    // Without visits the prior decides; the edges are in its order, and the sort is stable.
    std::stable_sort(moves->begin(), moves->end(), [&](const MoveResult& a, const MoveResult& b) {
      const auto key = [&](const MoveResult& move) {
        const bool holds = drawn && move.proof.result == Result::kDraw;
        return std::tuple(Rank(move), holds, DistanceKey(move), move.visits);
      };
      return key(a) > key(b);
    });
    if (Rank(moves->front()) != 1 || drawn) return;
    const auto best = std::find_if(
        moves->begin(), moves->end(),
        [move = Choice(*moves)](const MoveResult& candidate) { return candidate.move == move; });
    std::rotate(moves->begin(), best, best + 1);
  }

  // Among moves of which none is proven to win; they are sorted, lost ones last.
  Move Choice(const std::vector<MoveResult>& moves) {
    if (options_.root_policy == RootPolicy::kGumbel) {
      const Move chosen = tree_.edge(node_, root_.ChooseGumbel(&tree_)).move;
      const auto at = std::find_if(moves.begin(), moves.end(),
                                   [chosen](const auto& move) { return move.move == chosen; });
      return at->proof.result == Result::kLoss ? moves.front().move : chosen;
    }
    if (options_.final_move == FinalMove::kVisits) return moves.front().move;
    const auto least = options_.lcb_min_share * static_cast<float>(moves.front().visits);
    const MoveResult* best = &moves.front();
    for (const MoveResult& move : moves) {
      if (Rank(move) == 0 || static_cast<float>(move.visits) < least) continue;
      if (move.lower_bound > best->lower_bound) best = &move;
    }
    return best->move;
  }

  Tree& tree_;
  const Root& root_;
  const SearchOptions& options_;
  Node& node_;
};

}  // namespace

float LowerBound(const Wdl& wdl, int64_t visits, float draw_score, float deviations) {
  const float mean = Score(wdl, draw_score);
  const float variance = wdl.win + wdl.draw * draw_score * draw_score - mean * mean;
  return mean - deviations * std::sqrt(std::max(0.0F, variance) / static_cast<float>(visits));
}

void ReportRoot(Tree* tree, const Root& root, const SearchOptions& options, SearchResult* result) {
  Reporter(tree, root, options).Fill(result);
}

void ReportMate(const MateResult& mate, SearchResult* result) {
  const Proof proof = {Result::kWin, mate.plies, /*depends_on_path=*/false};
  const Wdl won = ExactWdl(Worth::kWin);
  result->best = mate.line.front();
  result->proof = proof;
  result->wdl = won;
  const auto best = std::find_if(result->moves.begin(), result->moves.end(),
                                 [&](const MoveResult& move) { return move.move == result->best; });
  CR_CHECK(best != result->moves.end());
  for (MoveResult& move : result->moves) move.target = 0;
  best->target = best->score = 1;
  best->wdl = won;
  best->proof = proof;
  best->pv = mate.line;
  std::rotate(result->moves.begin(), best, best + 1);
}

}  // namespace crossriver
