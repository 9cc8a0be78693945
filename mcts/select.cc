#include "mcts/select.h"

#include <cmath>

#include "mcts/backup.h"

namespace crossriver {
namespace {

using Floats = EdgeStats::Floats;
constexpr float kNever = -std::numeric_limits<float>::infinity();

// The best edge so far.
class Best {
 public:
  // `scores` of the edges from `first` on. Fixed-size maxima and then one scan are faster than a
  // maximum with its place.
  void Offer(const Floats& scores, EdgeStats* stats, BlockIndex block, int first) {
    const float best = scores.maxCoeff();
    if (!(best > score_)) return;
    int lane = 0;
    while (scores[lane] != best) {
      ++lane;
    }
    score_ = best;
    selection_.edge = {stats, block, lane, first + lane};
  }
  void OfferUntracked(float score) {
    if (!(score > score_)) return;
    score_ = score;
    selection_ = {{}, true};
  }
  const Selection& selection() const { return selection_; }

 private:
  float score_ = kNever;
  Selection selection_;
};

// Takes the edges away that no walk may use.
void Exclude(const EdgeStats& stats, Floats* scores) {
  if (stats.bounds != kAllOpen) {
    for (int lane = 0; lane < EdgeStats::kEdges; ++lane) {
      if (stats.bounds_of(lane).upper == Worth::kLoss) (*scores)[lane] = kNever;
    }
  }
  for (int lane = 0; lane < EdgeStats::kEdges; ++lane) {
    if (stats.in_flight[lane] == kMaxInFlight) [[unlikely]] {
      (*scores)[lane] = kNever;
    }
  }
}

// Calls visit(stats, block, index of the first edge) for each block of statistics.
template <typename Visit>
void ForEachBlock(Tree* tree, const Node& node, Visit visit) {
  BlockIndex block = node.stats;
  for (int first = 0; first < node.num_tracked; first += EdgeStats::kEdges) {
    EdgeStats& stats = tree->stats(block);
    visit(&stats, block, first);
    block = stats.next;
  }
}

// At the root all edges are tracked, so the visited ones have to be looked for.
float VisitedPrior(Tree* tree, const Node& node) {
  float sum = 0;
  ForEachBlock(tree, node, [&sum](EdgeStats* stats, BlockIndex, int) {
    const Floats count = stats->visit_array() + stats->in_flight_array();
    sum += (count > 0).select(stats->prior_array(), 0.0F).sum();
  });
  return sum;
}

}  // namespace

Selection SelectPuct(Tree* tree, const Node& node, const PuctOptions& options, float draw_score,
                     bool at_root) {
  const float visits = static_cast<float>(node.edge_visits) + static_cast<float>(node.in_flight);
  const float c = options.c_init + options.c_factor * std::log1p((1 + visits) / options.c_base);
  // Scores go from 0 to 1, half as far as the Q of the formula.
  const float scale = 0.5F * c * std::sqrt(std::max(visits, 1.0F));
  const float explored =
      at_root ? VisitedPrior(tree, node) : static_cast<float>(node.tracked_prior);
  const float unvisited =
      Score(MeanWdl(node), draw_score) - 0.5F * options.fpu_reduction * std::sqrt(explored);
  const float forced = at_root ? options.forced_playouts * visits : 0.0F;
  Best best;
  ForEachBlock(tree, node, [&](EdgeStats* stats, BlockIndex block, int first) {
    const Floats done = stats->visit_array();
    const Floats count = done + stats->in_flight_array();
    const Floats prior = stats->prior_array();
    const Floats value =
        (count > 0).select(stats->value_array() * done / count.max(1.0F), unvisited);
    Floats score = value + scale * prior / (1.0F + count);
    // Far above every score, and still in the order of the scores.
    if (forced > 0) {
      score += (done > 0 && count.square() < forced * prior).select(Floats(1e3F), 0.0F);
    }
    Exclude(*stats, &score);
    best.Offer(score, stats, block, first);
  });
  if (node.num_tracked < node.num_edges) {
    const auto prior = static_cast<float>(tree->edge(node, node.num_tracked).prior);
    best.OfferUntracked(unvisited + scale * prior);
  }
  return best.selection();
}

Selection SelectGumbelInterior(Tree* tree, const Node& node, const GumbelOptions& options,
                               float draw_score) {
  float max_visits = 0;
  float max_value = 0;
  float visited_prior = 0;
  float prior_value = 0;
  ForEachBlock(tree, node, [&](EdgeStats* stats, BlockIndex, int) {
    const Floats done = stats->visit_array();
    const Floats prior = (done > 0).select(stats->prior_array(), 0.0F);
    max_visits = std::max(max_visits, done.maxCoeff());
    max_value = std::max(max_value, stats->value_array().maxCoeff());
    visited_prior += prior.sum();
    prior_value += (prior * stats->value_array()).sum();
  });
  const auto visits = static_cast<float>(node.edge_visits);
  float mixed = Score(node.raw(), draw_score);
  // The prior of visited moves can be 0 in 16 bits.
  if (visited_prior > 0) mixed = (mixed + visits * prior_value / visited_prior) / (1 + visits);
  max_value = std::max(max_value, mixed);
  const float scale = (options.c_visit + max_visits) * options.c_scale;
  // The weights p exp(sigma(q)) of the policy, over a common factor that keeps them finite.
  const float unvisited = std::exp(scale * (mixed - max_value));
  float sum = std::max(0.0F, 1 - visited_prior) * unvisited;
  const auto weights = [&](const EdgeStats& stats, const Floats& done) -> Floats {
    const Floats factor =
        (done > 0).select((scale * (stats.value_array() - max_value)).exp(), unvisited);
    return stats.prior_array().max(0.0F) * factor;
  };
  ForEachBlock(tree, node, [&](EdgeStats* stats, BlockIndex, int) {
    const Floats done = stats->visit_array();
    sum += (done > 0).select(weights(*stats, done), 0.0F).sum();
  });
  sum = std::max(sum, std::numeric_limits<float>::min());
  const float share = 1.0F / (1.0F + visits + static_cast<float>(node.in_flight));
  Best best;
  ForEachBlock(tree, node, [&](EdgeStats* stats, BlockIndex block, int first) {
    const Floats done = stats->visit_array();
    Floats score = weights(*stats, done) / sum - (done + stats->in_flight_array()) * share;
    score = (stats->prior_array() < 0.0F).select(kNever, score);
    Exclude(*stats, &score);
    best.Offer(score, stats, block, first);
  });
  if (node.num_tracked < node.num_edges) {
    const auto prior = static_cast<float>(tree->edge(node, node.num_tracked).prior);
    best.OfferUntracked(prior * unvisited / sum);
  }
  return best.selection();
}

}  // namespace crossriver
