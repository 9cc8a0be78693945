// How fast a run's tree of openings grows and is read.
#ifndef CROSSRIVER_TOOLS_OPENINGS_BENCH_H_
#define CROSSRIVER_TOOLS_OPENINGS_BENCH_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace crossriver {

struct OpeningsBenchOptions {
  std::string variant = "switchback";
  int64_t games = 100000;
  int64_t games_a_generation = 1000;
  int plies = 60;  // of a game
  uint64_t seed = 1;
};

struct OpeningsBenchReport {
  int64_t games = 0;
  int64_t positions = 0;  // of the tree
  int64_t moves = 0;      // rows of it, by checkpoint
  int64_t waiting = 0;    // games whose beginning is kept
  double tree_megabytes = 0;
  double games_megabytes = 0;            // of all else in the database
  double games_per_second = 0;           // into the tree, over all generations
  double first_generations_seconds = 0;  // median of an update, of the first tenth
  double last_generations_seconds = 0;   // of the last tenth
  double root_seconds = 0;               // the array's moves, over all checkpoints
  double lines_seconds = 0;              // the main lines
  double diversity_seconds = 0;
  double changes_seconds = 0;
};

// Makes a run of made-up games in a folder of its own, which it removes again. Each generation has
// a checkpoint's taste: at each position few moves are likely, the same for all its games, and
// tastes change now and then.
absl::StatusOr<OpeningsBenchReport> RunOpeningsBench(const OpeningsBenchOptions& options);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_OPENINGS_BENCH_H_
