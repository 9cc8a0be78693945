// What self-play has done, counted while it runs.
#ifndef CROSSRIVER_SELFPLAY_COUNTERS_H_
#define CROSSRIVER_SELFPLAY_COUNTERS_H_

#include <atomic>
#include <cstdint>
#include <span>

namespace crossriver {

struct SelfPlayCounts {
  int64_t games = 0;  // finished and handed to the sink
  int64_t moves = 0;  // of all games, those in play as well
  int64_t full_searches = 0;
  int64_t cheap_searches = 0;
  int64_t visits = 0;       // of finished searches
  int64_t evaluations = 0;  // by the evaluator
  int64_t cache_hits = 0;   // answered without it
  int64_t batches = 0;      // calls of it
  int64_t places = 0;       // in all batches
  double evaluator_seconds = 0;
  double seconds = 0;  // in Worker::Step, the evaluator included

  // The share of the places that were used.
  double batch_fill() const { return Share(evaluations, places); }
  // The share of the positions asked for that the cache answered.
  double cache_share() const { return Share(cache_hits, cache_hits + evaluations); }

  // What has come since `before`.
  SelfPlayCounts operator-(const SelfPlayCounts& before) const;

 private:
  static double Share(int64_t part, int64_t whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
  }
};

// One thread counts, any may read. Each number is right by itself; together they may be a moment
// apart.
class SelfPlayCounters {
 public:
  enum Counter {
    kGames,
    kMoves,
    kFullSearches,
    kCheapSearches,
    kVisits,
    kEvaluations,
    kCacheHits,
    kBatches,
    kPlaces,  // in all batches
    kEvaluatorNanos,
    kNanos,
    kNumCounters,
  };

  void Add(Counter counter, int64_t by) {
    counters_[counter].store(Get(counter) + by, std::memory_order_relaxed);
  }
  int64_t Get(Counter counter) const { return counters_[counter].load(std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> counters_[kNumCounters] = {};
};

// The sum over workers.
SelfPlayCounts Sum(std::span<const SelfPlayCounters* const> counters);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_COUNTERS_H_
