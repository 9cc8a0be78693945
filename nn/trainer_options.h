// How a network is trained. Needs no LibTorch.
#ifndef CROSSRIVER_NN_TRAINER_OPTIONS_H_
#define CROSSRIVER_NN_TRAINER_OPTIONS_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "nn/features.h"
#include "nn/number_option.h"

namespace crossriver {

enum class OptimizerKind : uint8_t {
  kAdamW,  // Loshchilov and Hutter 2019
  kSgd,    // with Nesterov momentum
};

enum class Schedule : uint8_t {
  kConstant,
  // Falls to final_share along half a cosine, over schedule_steps and then stays, or over the run.
  kCosine,
  kStep,  // falls by step_factor every step_every steps
};

struct TrainerOptions {
  OptimizerKind optimizer = OptimizerKind::kAdamW;
  double learning_rate = 1e-3;
  double weight_decay = 1e-2;  // of matrices and kernels; norms and biases are spared
  double momentum = 0.9;       // SGD
  double beta1 = 0.9;          // AdamW
  double beta2 = 0.99;

  // The learning rate rises linearly over the warm-up; the schedule counts from its end.
  int warmup_steps = 100;
  Schedule schedule = Schedule::kConstant;
  int schedule_steps = 10000;  // 0: of the cosine, as long as the run lasts
  double final_share = 0.1;
  int step_every = 10000;
  double step_factor = 0.5;

  double gradient_clip = 4;  // norm of the whole gradient; 0 = none
  // The exported weights follow the trained ones: ema = d * ema + (1 - d) * weights, with d rising
  // to ema_decay over the first steps.
  double ema_decay = 0.999;

  double value_weight = 1;
  double search_share = 0;  // of the value target, see BatchOptions
  bool augment = true;      // rows are seen under random reach symmetries
  // Of the trunk: float32, or bfloat16 where it pays. Heads, losses and weights are float32.
  ElementType type = ElementType::kFloat32;
  int threads = 2;    // of LibTorch, on the CPU; 0 = one a core
  uint64_t seed = 1;  // of the first weights and the augmentation
};

// The options that are numbers, as configs and messages name them.
using RateOption = NumberOption<TrainerOptions, double>;
using CountOption = NumberOption<TrainerOptions, int>;
const std::vector<RateOption>& RateOptions();
const std::vector<CountOption>& CountOptions();

// OK, or the first option out of its range.
absl::Status Validate(const TrainerOptions& options);

// The rate of the given step, 0 being the first. `run_share`, from 0 to 1, is how far the run is;
// only a cosine without schedule_steps follows it.
double LearningRate(const TrainerOptions& options, int64_t step, double run_share);

}  // namespace crossriver

#endif  // CROSSRIVER_NN_TRAINER_OPTIONS_H_
