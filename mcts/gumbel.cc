#include "mcts/gumbel.h"

#include <Eigen/Core>
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "core/check.h"

namespace crossriver {

std::vector<float> CompletedValues(const PolicyInputs& inputs) {
  double prior_sum = 0;
  double value_sum = 0;
  double visits = 0;
  for (size_t i = 0; i < inputs.values.size(); ++i) {
    if (inputs.visits[i] == 0) continue;
    const double prior = std::exp(static_cast<double>(inputs.log_priors[i]));
    prior_sum += prior;
    value_sum += prior * static_cast<double>(inputs.values[i]);
    visits += static_cast<double>(inputs.visits[i]);
  }
  double mixed = static_cast<double>(inputs.raw_value);
  if (prior_sum > 0) mixed = (mixed + visits * value_sum / prior_sum) / (1 + visits);
  std::vector<float> completed(inputs.values.begin(), inputs.values.end());
  for (size_t i = 0; i < completed.size(); ++i) {
    if (inputs.visits[i] == 0) completed[i] = static_cast<float>(mixed);
  }
  return completed;
}

float Sigma(const GumbelOptions& options, int64_t max_visits, float value) {
  return (options.c_visit + static_cast<float>(max_visits)) * options.c_scale * value;
}

std::vector<float> ImprovedPolicy(const GumbelOptions& options, const PolicyInputs& inputs) {
  const std::vector<float> completed = CompletedValues(inputs);
  const auto size = static_cast<Eigen::Index>(completed.size());
  using Array = Eigen::ArrayXf;
  const Eigen::Map<const Array> values(completed.data(), size);
  const Eigen::Map<const Array> logits(inputs.log_priors.data(), size);
  // An array of its own, because Eigen aligns it: which elements are computed in vectors, and with
  // that the last bits, would otherwise follow from where the memory happens to be.
  Array out = logits + Sigma(options, inputs.max_visits, 1.0F) * values;
  out = (out - out.maxCoeff()).exp();
  out /= out.sum();
  return std::vector<float>(out.begin(), out.end());
}

SequentialHalving::SequentialHalving(std::span<const float> scores, int sampled, int64_t visits)
    : scores_(scores.begin(), scores.end()), considered_(scores.size()), visits_(visits) {
  CR_CHECK(visits > 0 && sampled > 0 && !scores.empty());
  std::iota(considered_.begin(), considered_.end(), 0);
  std::stable_sort(considered_.begin(), considered_.end(), [this](int a, int b) {
    return scores_[static_cast<size_t>(a)] > scores_[static_cast<size_t>(b)];
  });
  const auto most = static_cast<size_t>(std::min<int64_t>(sampled, visits));
  considered_.resize(std::min(considered_.size(), most));
  rounds_ = std::max(1, static_cast<int>(std::bit_width(considered_.size() - 1)));
  StartRound();
}

void SequentialHalving::StartRound() {
  const auto size = static_cast<int64_t>(considered_.size());
  goal_ += std::max<int64_t>(1, visits_ / (rounds_ * size));
}

void SequentialHalving::Halve(absl::FunctionRef<float(int)> score) {
  if (considered_.size() <= 2) return;
  std::vector<std::pair<float, int>> scored;
  for (const int move : considered_) scored.emplace_back(score(move), move);
  std::stable_sort(scored.begin(), scored.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  considered_.resize(std::max<size_t>(2, considered_.size() / 2));
  for (size_t i = 0; i < considered_.size(); ++i) considered_[i] = scored[i].second;
}

bool SequentialHalving::Replace(absl::FunctionRef<Count(int)> count) {
  std::vector<int> others(scores_.size());
  std::iota(others.begin(), others.end(), 0);
  std::erase_if(others, [&count](int move) { return count(move).lost; });
  if (others.empty()) return false;
  std::stable_sort(others.begin(), others.end(), [this](int a, int b) {
    return scores_[static_cast<size_t>(a)] > scores_[static_cast<size_t>(b)];
  });
  others.resize(std::min(others.size(), considered_.size()));
  considered_ = std::move(others);
  return true;
}

int SequentialHalving::Next(absl::FunctionRef<Count(int)> count,
                            absl::FunctionRef<float(int)> score) {
  for (;;) {
    int next = kWait;
    int64_t least = goal_;
    bool all_lost = true;
    bool any_in_flight = false;
    for (const int move : considered_) {
      const Count state = count(move);
      any_in_flight |= state.in_flight > 0;
      if (state.lost) continue;
      all_lost = false;
      if (state.visits + state.in_flight < least) {
        least = state.visits + state.in_flight;
        next = move;
      }
    }
    if (next != kWait) return next;
    if (any_in_flight) return kWait;
    if (all_lost) {
      if (!Replace(count)) return kWait;
      continue;
    }
    Halve(score);
    StartRound();
  }
}

int SequentialHalving::Choose(absl::FunctionRef<Count(int)> count,
                              absl::FunctionRef<float(int)> score) const {
  int best = considered_.front();
  std::pair<int64_t, float> best_key = {-1, 0.0F};
  for (const int move : considered_) {
    const Count state = count(move);
    const std::pair<int64_t, float> key = {state.lost ? 0 : state.visits, score(move)};
    if (best_key.first < 0 || key > best_key) {
      best_key = key;
      best = move;
    }
  }
  return best;
}

}  // namespace crossriver
