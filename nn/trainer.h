// Trains a network on rows. Needs no LibTorch in this header.
#ifndef CROSSRIVER_NN_TRAINER_H_
#define CROSSRIVER_NN_TRAINER_H_

#include <cstdint>
#include <memory>
#include <span>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/rules.h"
#include "core/variant_group.h"
#include "nn/device.h"
#include "nn/network_options.h"
#include "nn/trainer_options.h"
#include "nn/training_row.h"

namespace crossriver {

class Network;

// Means over the rows; heads that are absent have 0. See nn/loss.h.
struct LossReport {
  double total = 0;
  double policy = 0;
  double value = 0;
  double plies_left = 0;
  double reply = 0;
  double agreement = 0;    // share of rows whose likeliest move is the target's
  double value_error = 0;  // mean square of win - loss
};

// Adds `share` times `part`.
void AddLosses(const LossReport& part, double share, LossReport* sum);

struct StepReport {
  LossReport losses;
  double gradient_norm = 0;  // before clipping
  double learning_rate = 0;
};

// Everything a trainer needs to go on as if it had not stopped; filled and read by the checkpoint
// code. Defined in nn/trainer_state.h, which includes LibTorch.
struct TrainerState;

// Not synchronised; one at a time on a device. With one thread, the same rows, options and state
// give the same numbers bit for bit.
class Trainer {
 public:
  // Starts from random weights drawn from options.seed. Rows may be of all these variants.
  static absl::StatusOr<std::unique_ptr<Trainer>> Create(const VariantGroup& variants,
                                                         const NetworkOptions& network,
                                                         const TrainerOptions& options,
                                                         const DeviceChoice& device);
  virtual ~Trainer() = default;

  // How far the run is, from 0 to 1, for the learning rate (see LearningRate). No part of the
  // state.
  virtual void SetRunShare(double share) = 0;

  // One step on one batch. Error: a loss or gradient that is not finite; it names the step and the
  // games, and leaves weights and optimiser as they were before the step.
  virtual absl::StatusOr<StepReport> Step(std::span<const TrainingRow* const> batch) = 0;

  // Losses of rows, without learning: of the trained weights with their running norm statistics.
  virtual absl::StatusOr<LossReport> Evaluate(std::span<const TrainingRow* const> rows) = 0;

  // The network to play with: the averaged weights, with norm statistics estimated anew on `rows`
  // (a few thousand are enough; they may be training rows). The trainer's own are those of other
  // weights and would not fit.
  virtual absl::StatusOr<std::shared_ptr<Network>> Export(
      std::span<const TrainingRow* const> rows) = 0;

  virtual TrainerState CopyState() const = 0;
  // Errors: tensors that do not fit the network or the optimiser, by name.
  virtual absl::Status SetState(const TrainerState& state) = 0;

  // Takes over a network's weights, as trained and averaged ones; the optimiser starts anew.
  // Errors: weights that do not fit.
  virtual absl::Status StartFrom(const Network& network) = 0;

  virtual int64_t step() const = 0;
  virtual const Network& network() const = 0;
};

// Losses of rows under any network, in batches, in fp32 and without augmentation.
absl::StatusOr<LossReport> EvaluateNetwork(Network* network, std::shared_ptr<const Rules> rules,
                                           const TrainerOptions& options,
                                           const DeviceChoice& device,
                                           std::span<const TrainingRow* const> rows);

}  // namespace crossriver

#endif  // CROSSRIVER_NN_TRAINER_H_
