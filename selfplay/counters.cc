#include "selfplay/counters.h"

namespace crossriver {

SelfPlayCounts SelfPlayCounts::operator-(const SelfPlayCounts& before) const {
  SelfPlayCounts since = *this;
  since.games -= before.games;
  since.moves -= before.moves;
  since.full_searches -= before.full_searches;
  since.cheap_searches -= before.cheap_searches;
  since.visits -= before.visits;
  since.evaluations -= before.evaluations;
  since.cache_hits -= before.cache_hits;
  since.batches -= before.batches;
  since.places -= before.places;
  since.evaluator_seconds -= before.evaluator_seconds;
  since.seconds -= before.seconds;
  return since;
}

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
  counts.places = sum(SelfPlayCounters::kPlaces);
  counts.evaluator_seconds = static_cast<double>(sum(SelfPlayCounters::kEvaluatorNanos)) * 1e-9;
  counts.seconds = static_cast<double>(sum(SelfPlayCounters::kNanos)) * 1e-9;
  return counts;
}

}  // namespace crossriver
