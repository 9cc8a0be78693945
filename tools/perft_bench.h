// The speed of the move generator, beside an outside engine's where one plays the variant.
#ifndef CROSSRIVER_TOOLS_PERFT_BENCH_H_
#define CROSSRIVER_TOOLS_PERFT_BENCH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace crossriver {

struct PerftBenchOptions {
  std::vector<std::string> variants;
  int repeats = 3;
  std::string engine;  // path of Fairy-Stockfish; empty = no comparison
};

struct PerftBenchRow {
  std::string variant;
  int depth = 0;
  uint64_t nodes = 0;
  bool has_reference = false;  // `correct` compares with the variant file's published count
  bool correct = false;
  double nodes_per_second = 0;         // median, last ply counted in bulk
  double played_nodes_per_second = 0;  // median, every node made and unmade
  double copied_nodes_per_second = 0;  // the same on copies of the position
  double engine_nodes_per_second = 0;  // 0 = not compared
  double ratio = 0;                    // median of the ratios of runs side by side
};

// One thread. Ours and the engine's runs alternate; the engine is already up when its clock starts.
absl::StatusOr<std::vector<PerftBenchRow>> RunPerftBench(const PerftBenchOptions& options);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_PERFT_BENCH_H_
