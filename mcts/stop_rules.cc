#include "mcts/stop_rules.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace crossriver {
namespace {

constexpr int kClearInterval = 16;  // visits between looks for a clear best move

}  // namespace

void StopRules::Begin(const SearchLimits& limits, const SearchOptions& options,
                      int64_t base_visits) {
  limits_ = limits;
  concurrent_ = options.concurrent;
  limits_.stop_when_clear &=
      options.root_policy == RootPolicy::kPuct && options.final_move == FinalMove::kVisits;
  looks_at_root_ = limits_.stop_when_clear || limits_.min_kl_gain > 0;
  looks_ = looks_at_root_ || limits_.time != absl::InfiniteDuration();
  begin_ = std::chrono::steady_clock::now();
  base_visits_ = base_visits;
  MutexLock lock(&mutex_);
  next_look_ = 1;
  visits_.clear();
  before_.clear();
}

StopReason StopRules::Look(Tree* tree) {
  // Clocks are read every time: a walk takes many times as long.
  if (limits_.time != absl::InfiniteDuration() && Spent() >= limits_.time) {
    return StopReason::kTime;
  }
  if (!looks_at_root_) return StopReason::kNone;
  MutexLock lock(&mutex_);
  return LookAtRoot(tree);
}

StopReason StopRules::LookAtRoot(Tree* tree) {
  Node& root = tree->node(tree->root());
  int64_t visits = 0;
  std::vector<int64_t> now;
  {
    NodeLock lock(&root, concurrent_);
    visits = int64_t{root.edge_visits} - base_visits_;
    if (root.state != NodeState::kOpen || visits < next_look_) return StopReason::kNone;
    tree->ForEachTracked(root, [&now](const EdgeRef& ref) {
      now.push_back(ref.stats->visits[ref.lane]);
      return true;
    });
  }
  next_look_ = visits + (limits_.min_kl_gain > 0 ? limits_.kl_interval : kClearInterval);
  visits_ = std::move(now);
  if (limits_.stop_when_clear && IsClear(visits)) return StopReason::kClearBest;
  if (limits_.min_kl_gain > 0) {
    if (!before_.empty() && KlGain() < limits_.min_kl_gain) return StopReason::kKlGain;
    if (std::accumulate(visits_.begin(), visits_.end(), int64_t{0}) > 0) before_ = visits_;
  }
  return StopReason::kNone;
}

bool StopRules::IsClear(int64_t visits) const {
  int64_t best = 0;
  int64_t second = 0;
  for (const int64_t count : visits_) {
    second = std::max(second, std::min(best, count));
    best = std::max(best, count);
  }
  double left = limits_.visits == kNoLimit ? std::numeric_limits<double>::infinity()
                                           : static_cast<double>(limits_.visits - visits);
  if (limits_.time != absl::InfiniteDuration() && visits > kClearInterval) {
    const absl::Duration spent = Spent();
    const double rate = static_cast<double>(visits) / absl::ToDoubleSeconds(spent);
    left = std::min(left, rate * absl::ToDoubleSeconds(limits_.time - spent));
  }
  // A lone move is clear as soon as it has been looked at.
  return best > 0 && (visits_.size() == 1 || static_cast<double>(best - second) > left);
}

// A visit, of the distribution now from the one before: sum of q log(q / p), q the one before.
// Every move that had visits has them still.
double StopRules::KlGain() const {
  const auto sum_of = [](const std::vector<int64_t>& counts) {
    return static_cast<double>(std::accumulate(counts.begin(), counts.end(), int64_t{0}));
  };
  const double sum_before = sum_of(before_);
  const double sum_now = sum_of(visits_);
  if (sum_now <= sum_before) return std::numeric_limits<double>::infinity();
  double gain = 0;
  for (size_t i = 0; i < before_.size(); ++i) {
    if (before_[i] == 0) continue;
    const double q = static_cast<double>(before_[i]) / sum_before;
    gain += q * std::log(q / (static_cast<double>(visits_[i]) / sum_now));
  }
  return gain / (sum_now - sum_before);
}

}  // namespace crossriver
