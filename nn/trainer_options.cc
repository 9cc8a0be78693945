#include "nn/trainer_options.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace crossriver {
namespace {

constexpr int kMany = 1000000000;

}  // namespace

const std::vector<RateOption>& RateOptions() {
  using Options = TrainerOptions;
  static const auto& options = *new std::vector<RateOption>{
      {"learning_rate", &Options::learning_rate, 0, 10},
      {"weight_decay", &Options::weight_decay, 0, 1},
      {"momentum", &Options::momentum, 0, 0.9999},
      {"beta1", &Options::beta1, 0, 0.9999},
      {"beta2", &Options::beta2, 0, 0.99999},
      {"final_share", &Options::final_share, 0, 1},
      {"step_factor", &Options::step_factor, 0, 1},
      {"gradient_clip", &Options::gradient_clip, 0, 1e6},
      {"ema_decay", &Options::ema_decay, 0, 0.999999},
      {"value_weight", &Options::value_weight, 0, 100},
      {"search_share", &Options::search_share, 0, 1},
  };
  return options;
}

const std::vector<CountOption>& CountOptions() {
  using Options = TrainerOptions;
  static const auto& options = *new std::vector<CountOption>{
      {"warmup_steps", &Options::warmup_steps, 0, kMany},
      {"schedule_steps", &Options::schedule_steps, 0, kMany},
      {"step_every", &Options::step_every, 1, kMany},
      {"threads", &Options::threads, 0, 1024},
  };
  return options;
}

absl::Status Validate(const TrainerOptions& options) {
  absl::Status status = CheckRanges(RateOptions(), options);
  status.Update(CheckRanges(CountOptions(), options));
  return status;
}

double LearningRate(const TrainerOptions& options, int64_t step, double run_share) {
  if (step < options.warmup_steps) {
    return options.learning_rate * static_cast<double>(step + 1) / options.warmup_steps;
  }
  const auto since = static_cast<double>(step - options.warmup_steps);
  switch (options.schedule) {
    case Schedule::kConstant:
      break;
    case Schedule::kCosine: {
      const double progress = std::clamp(
          options.schedule_steps > 0 ? since / options.schedule_steps : run_share, 0.0, 1.0);
      const double share = options.final_share + (1 - options.final_share) *
                                                     (1 + std::cos(std::numbers::pi * progress)) /
                                                     2;
      return options.learning_rate * share;
    }
    case Schedule::kStep:
      return options.learning_rate *
             std::pow(options.step_factor, std::floor(since / options.step_every));
  }
  return options.learning_rate;
}

}  // namespace crossriver
