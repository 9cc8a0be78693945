#include "mcts/root.h"

#include <algorithm>
#include <cmath>

namespace crossriver {
namespace {

// The least positive number in 16 bits stands in for priors that 16 bits round to nothing.
constexpr float kLeastPrior = 5.96e-8F;

}  // namespace

void Root::Prepare(Tree* tree, const SearchOptions& options, const SearchLimits& limits,
                   RandomStream* random, Arena::Cache* cache) {
  Node& node = tree->node(tree->root());
  options_ = options;
  while (node.num_tracked < node.num_edges) tree->TrackNext(&node, cache);
  const size_t size = node.num_edges;
  log_priors_.resize(size);
  base_visits_.resize(size);
  tree->ForEachTracked(node, [&](const EdgeRef& ref) {
    const Eigen::half prior = tree->edge(node, ref.index).prior;
    ref.stats->prior[ref.lane] = prior;  // an earlier search may have left its noise
    const auto i = static_cast<size_t>(ref.index);
    log_priors_[i] = std::log(std::max(static_cast<float>(prior), kLeastPrior));
    base_visits_[i] = ref.stats->visits[ref.lane];
    return true;
  });
  noise_.assign(size, 0.0F);
  if (options.root_policy == RootPolicy::kPuct) {
    if (options.puct.noise_share > 0) SetDirichletNoise(tree, random);
    return;
  }
  if (options.gumbel.noise) {
    for (float& noise : noise_) noise = static_cast<float>(random->Gumbel());
  }
  if (limits.visits < 1) return;
  std::vector<float> scores(size);
  for (size_t i = 0; i < size; ++i) scores[i] = noise_[i] + log_priors_[i];
  halving_ = SequentialHalving(scores, options.gumbel.sampled_moves, limits.visits);
}

void Root::SetDirichletNoise(Tree* tree, RandomStream* random) const {
  Node& node = tree->node(tree->root());
  const PuctOptions& puct = options_.puct;
  const std::vector<float> noise =
      Dirichlet(node.num_edges, puct.noise_total / static_cast<float>(node.num_edges), random);
  tree->ForEachTracked(node, [&](const EdgeRef& ref) {
    Eigen::half& prior = ref.stats->prior[ref.lane];
    prior = Eigen::half((1 - puct.noise_share) * static_cast<float>(prior) +
                        puct.noise_share * noise[static_cast<size_t>(ref.index)]);
    return true;
  });
}

template <typename Use>
auto Root::WithInputs(Tree* tree, Use use) const {
  const Node& node = tree->node(tree->root());
  std::vector<float> values(log_priors_.size());
  std::vector<int64_t> visits(log_priors_.size());
  PolicyInputs inputs{log_priors_, values, visits, Score(node.raw(), options_.draw_score), 0};
  tree->ForEachTracked(node, [&](const EdgeRef& ref) {
    const auto i = static_cast<size_t>(ref.index);
    values[i] = ref.stats->value[ref.lane];
    visits[i] = ref.stats->visits[ref.lane];
    inputs.max_visits = std::max(inputs.max_visits, NewVisits(ref));
    return true;
  });
  return use(inputs);
}

SequentialHalving::Count Root::CountOf(Tree* tree, int move) const {
  const EdgeRef ref = tree->Ref(&tree->node(tree->root()), move);
  return {NewVisits(ref), ref.stats->in_flight[ref.lane],
          ref.stats->bounds_of(ref.lane).upper == Worth::kLoss};
}

std::vector<float> Root::GumbelScores(Tree* tree) const {
  return WithInputs(tree, [this](const PolicyInputs& inputs) {
    std::vector<float> scores = CompletedValues(inputs);
    for (size_t i = 0; i < scores.size(); ++i) {
      scores[i] = noise_[i] + log_priors_[i] + Sigma(options_.gumbel, inputs.max_visits, scores[i]);
    }
    return scores;
  });
}

Selection Root::Select(Tree* tree) {
  Node& node = tree->node(tree->root());
  if (options_.root_policy == RootPolicy::kPuct) {
    return SelectPuct(tree, node, options_.puct, options_.draw_score, /*at_root=*/true);
  }
  std::vector<float> scores;  // needed at the end of a round only
  const int move = halving_.Next([&](int i) { return CountOf(tree, i); },
                                 [&](int i) {
                                   if (scores.empty()) scores = GumbelScores(tree);
                                   return scores[static_cast<size_t>(i)];
                                 });
  if (move == SequentialHalving::kWait) return {};
  const EdgeRef ref = tree->Ref(&node, move);
  if (ref.stats->in_flight[ref.lane] == kMaxInFlight) return {};
  return {ref, false};
}

int Root::ChooseGumbel(Tree* tree) const {
  const std::vector<float> scores = GumbelScores(tree);
  if (halving_.considered().empty()) {  // a search without a visit
    return static_cast<int>(std::max_element(scores.begin(), scores.end()) - scores.begin());
  }
  return halving_.Choose([&](int i) { return CountOf(tree, i); },
                         [&](int i) { return scores[static_cast<size_t>(i)]; });
}

std::vector<float> Root::GumbelPolicy(Tree* tree) const {
  return WithInputs(
      tree, [this](const PolicyInputs& inputs) { return ImprovedPolicy(options_.gumbel, inputs); });
}

std::vector<float> Root::PuctPolicy(Tree* tree) const {
  const Node& node = tree->node(tree->root());
  std::vector<float> visits(log_priors_.size());
  const auto total = static_cast<float>(node.edge_visits);
  const PuctOptions& puct = options_.puct;
  const float scale = 0.5F * (puct.c_init + puct.c_factor * std::log1p((1 + total) / puct.c_base)) *
                      std::sqrt(std::max(total, 1.0F));
  float best_visits = -1;
  float best_score = 0;
  tree->ForEachTracked(node, [&](const EdgeRef& ref) {
    const auto count = static_cast<float>(ref.stats->visits[ref.lane]);
    visits[static_cast<size_t>(ref.index)] = count;
    if (count > best_visits) {
      best_visits = count;
      best_score = ref.stats->value[ref.lane] +
                   scale * static_cast<float>(ref.stats->prior[ref.lane]) / (1 + count);
    }
    return true;
  });
  float sum = 0;
  tree->ForEachTracked(node, [&](const EdgeRef& ref) {
    float& count = visits[static_cast<size_t>(ref.index)];
    if (puct.forced_playouts > 0 && count > 0 && count < best_visits) {
      // So many visits as bring the move's score up to the best one's would have come unforced.
      const auto prior = static_cast<float>(ref.stats->prior[ref.lane]);
      const float gap = best_score - ref.stats->value[ref.lane];
      const float earned = gap > 0 ? std::ceil(scale * prior / gap - 1) : count;
      const float forced = std::sqrt(puct.forced_playouts * prior * total);
      count = std::clamp(earned, std::max(0.0F, std::floor(count - forced)), count);
      if (count <= 1) count = 0;
    }
    // What is proven needs no exploring: a won root wins, and no other root loses on purpose.
    const Bounds bounds = ref.stats->bounds_of(ref.lane);
    if (bounds.upper < node.bounds.upper && node.bounds.exact()) count = 0;
    if (bounds.upper == Worth::kLoss && node.bounds.upper > Worth::kLoss) count = 0;
    sum += count;
    return true;
  });
  for (size_t i = 0; i < visits.size(); ++i) {
    visits[i] = sum > 0 ? visits[i] / sum : std::exp(log_priors_[i]);
  }
  return visits;
}

}  // namespace crossriver
