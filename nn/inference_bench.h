// The speed of evaluation, and the settings that are fastest here. Needs no LibTorch.
#ifndef CROSSRIVER_NN_INFERENCE_BENCH_H_
#define CROSSRIVER_NN_INFERENCE_BENCH_H_

#include <functional>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "nn/device.h"
#include "nn/network_evaluator.h"

namespace crossriver {

// Lower precision is taken for faster only where it changes no probability of a move or a result
// by more than this on the positions compared.
inline constexpr double kPrecisionTolerance = 0.05;

struct InferenceBenchOptions {
  DeviceChoice device;
  int max_workers = 2;   // threads with an evaluator of their own
  double seconds = 1;    // a measurement
  int repeats = 5;       // of the comparison with the bare loop
  int positions = 1024;  // evaluated in turn, of random games
  uint64_t seed = 1;
};

struct InferenceBenchRow {
  InferenceSettings settings;
  int workers = 1;
  double positions_per_second = 0;  // all workers together
};

struct InferenceBenchReport {
  std::vector<InferenceBenchRow> rows;
  InferenceBenchRow best;
  // The best setting's forward passes alone, on random input, nothing encoded or read: measured in
  // turn with the whole evaluation. Medians.
  double bare_positions_per_second = 0;
  double ratio_to_bare_loop = 0;
  // Of the best setting's type against fp32.
  double max_policy_difference = 0;
  double max_wdl_difference = 0;
};

// Finds the best type, layout and kernel at a middling batch first, then the best batch and number
// of workers for them. `report` sees rows as they come.
absl::StatusOr<InferenceBenchReport> RunInferenceBench(
    const Network& network, std::shared_ptr<const Rules> rules,
    const InferenceBenchOptions& options,
    const std::function<void(const InferenceBenchRow&)>& report);

// Positions a second of some settings, measured for so long.
absl::StatusOr<double> InferenceSpeed(const Network& network, std::shared_ptr<const Rules> rules,
                                      const InferenceBenchOptions& options,
                                      const InferenceSettings& settings, int workers);

// The fastest type, layout and kernel for one worker at the given batch, in about a second: what to
// use where no autotune has been run.
absl::StatusOr<InferenceSettings> FastestSettings(const Network& network,
                                                  std::shared_ptr<const Rules> rules,
                                                  const DeviceChoice& device, int batch);

}  // namespace crossriver

#endif  // CROSSRIVER_NN_INFERENCE_BENCH_H_
