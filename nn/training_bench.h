// The speed of training, and which trunk learns most in a given time.
#ifndef CROSSRIVER_NN_TRAINING_BENCH_H_
#define CROSSRIVER_NN_TRAINING_BENCH_H_

#include <functional>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "nn/device.h"
#include "nn/trainer.h"

namespace crossriver {

struct TrainingBenchOptions {
  NetworkOptions network;
  TrainerOptions trainer;
  DeviceChoice device;
  int batch = 256;
  int steps = 10;  // a repeat
  int repeats = 3;
};

struct TrainingBenchRow {
  ElementType type = ElementType::kFloat32;
  int threads = 0;
  int batch = 0;
  double rows_per_second = 0;  // median of the repeats: batch assembly, augmentation and step
};

// One row for each type that the device computes in.
absl::StatusOr<std::vector<TrainingBenchRow>> RunTrainingBench(std::shared_ptr<const Rules> rules,
                                                               const TrainingBenchOptions& options);

struct TrunkBenchOptions {
  NetworkOptions network;  // its geometry is varied
  TrainerOptions trainer;
  int rows = 60000;  // of practice games; the last tenth is held out
  int batch = 128;
  double seconds = 240;  // of processor time for each geometry, one thread
  int reports = 4;       // evenly spread over the time
};

struct TrunkBenchRow {
  Geometry geometry = Geometry::kUnfolded;
  double seconds = 0;  // spent training so far
  int64_t steps = 0;
  LossReport held_out;
};

// Trains the same network with each geometry that the board has on the same games for the same
// processor time (which other work on the machine does not stretch). `report` sees rows as they
// come.
absl::StatusOr<std::vector<TrunkBenchRow>> RunTrunkBench(
    std::shared_ptr<const Rules> rules, const TrunkBenchOptions& options,
    const std::function<void(const TrunkBenchRow&)>& report);

}  // namespace crossriver

#endif  // CROSSRIVER_NN_TRAINING_BENCH_H_
