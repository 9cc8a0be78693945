#include "selfplay/counters.h"

#include <algorithm>

namespace crossriver {

SelfPlayCounts Sum(std::span<const SelfPlayCounters* const> counters) {
  const auto sum = [counters](SelfPlayCounters::Counter counter) {
    int64_t total = 0;
    for (const SelfPlayCounters* one : counters) total += one->Get(counter);
    return total;
  };
  SelfPlayCounts counts;
  counts.games = sum(SelfPlayCounters::kGames);
  counts.moves = sum(SelfPlayCounters::kMoves);
  counts.full_searches = sum(SelfPlayCounters::kFullSearches);
  counts.cheap_searches = sum(SelfPlayCounters::kCheapSearches);
  counts.visits = sum(SelfPlayCounters::kVisits);
  counts.evaluations = sum(SelfPlayCounters::kEvaluations);
  counts.cache_hits = sum(SelfPlayCounters::kCacheHits);
  counts.batches = sum(SelfPlayCounters::kBatches);
  const auto places = std::max<int64_t>(1, sum(SelfPlayCounters::kPlaces));
  counts.batch_fill = static_cast<double>(counts.evaluations) / static_cast<double>(places);
  counts.evaluator_seconds = static_cast<double>(sum(SelfPlayCounters::kEvaluatorNanos)) * 1e-9;
  counts.seconds = static_cast<double>(sum(SelfPlayCounters::kNanos)) * 1e-9;
  return counts;
}

}  // namespace crossriver
