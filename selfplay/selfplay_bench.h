// The speed of self-play beside that of its network alone.
#ifndef CROSSRIVER_SELFPLAY_SELFPLAY_BENCH_H_
#define CROSSRIVER_SELFPLAY_SELFPLAY_BENCH_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "core/rules.h"
#include "nn/device.h"
#include "nn/inference_bench.h"
#include "nn/network_options.h"
#include "selfplay/selfplay_options.h"

namespace crossriver {

struct SelfPlayBenchOptions {
  NetworkOptions network;  // with random weights
  SelfPlayOptions selfplay;
  DeviceChoice device;
  int max_workers = 2;
  int games = 0;  // of a worker at a time; 0 = as many as inference is fastest with
  // Before the first measurement. All games begin together, so games/s is right only when it is
  // longer than the longest of them take, which few games make short; all else is right after a
  // second.
  double warm_up_seconds = 1;
  double seconds = 3;  // of each measurement
  int repeats = 3;
};

struct SelfPlayBenchRow {
  std::string variant;
  InferenceBenchRow inference;  // the best of `bench infer`; its speed measured again in turn
  double evaluations_per_second = 0;
  double visits_per_second = 0;
  double moves_per_second = 0;
  double games_per_second = 0;  // that came to their end
  double ratio_to_inference = 0;
  // Of a match between two networks, with as many games for each of them as a worker has.
  double match_evaluations_per_second = 0;
  double match_ratio = 0;  // to self-play
};

// Finds the best inference settings, then measures self-play with them (no cache, every leaf is
// evaluated), a match and inference alone in turn. Medians.
absl::StatusOr<SelfPlayBenchRow> RunSelfPlayBench(const std::shared_ptr<const Rules>& rules,
                                                  const SelfPlayBenchOptions& options);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_SELFPLAY_BENCH_H_
