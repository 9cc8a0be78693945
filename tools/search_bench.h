// The speed of the search itself, with an evaluator that costs nothing.
#ifndef CROSSRIVER_TOOLS_SEARCH_BENCH_H_
#define CROSSRIVER_TOOLS_SEARCH_BENCH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mcts/options.h"

namespace crossriver {

struct SearchBenchOptions {
  std::vector<std::string> variants;
  RootPolicy policy = RootPolicy::kPuct;
  int64_t visits = 800;  // a search
  int positions = 100;   // a variant
  int repeats = 3;
  uint64_t seed = 1;
};

struct SearchBenchRow {
  std::string variant;
  std::string positions;         // "middle game" or "full hand"
  double legal_moves = 0;        // mean of the positions
  double visits_per_second = 0;  // median over positions and repeats, one thread, a tree each
  double two_thread_ratio = 0;   // median: two threads, 16 leaves each, to one thread with one
  double bytes_per_node = 0;     // of the trees' blocks, mean
};

// Middle-game positions are reached by random moves from the start. Variants with drops have a
// second row, from those positions of long random games that have the most pieces in hand.
absl::StatusOr<std::vector<SearchBenchRow>> RunSearchBench(const SearchBenchOptions& options);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_SEARCH_BENCH_H_
