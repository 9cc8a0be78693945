#include "nn/trainer_options.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "absl/strings/str_cat.h"

namespace crossriver {
namespace {

struct Range {
  const char* name;
  double value;
  double min;
  double max;
};

}  // namespace

absl::Status Validate(const TrainerOptions& options) {
  const Range ranges[] = {
      {"learning_rate", options.learning_rate, 0, 10},
      {"weight_decay", options.weight_decay, 0, 1},
      {"momentum", options.momentum, 0, 0.9999},
      {"beta1", options.beta1, 0, 0.9999},
      {"beta2", options.beta2, 0, 0.99999},
      {"warmup_steps", static_cast<double>(options.warmup_steps), 0, 1e9},
      {"schedule_steps", static_cast<double>(options.schedule_steps), 1, 1e9},
      {"final_share", options.final_share, 0, 1},
      {"step_every", static_cast<double>(options.step_every), 1, 1e9},
      {"step_factor", options.step_factor, 0, 1},
      {"gradient_clip", options.gradient_clip, 0, 1e6},
      {"ema_decay", options.ema_decay, 0, 0.999999},
      {"value_weight", options.value_weight, 0, 100},
      {"search_share", options.search_share, 0, 1},
      {"threads", static_cast<double>(options.threads), 1, 1024},
  };
  for (const Range& range : ranges) {
    if (range.value >= range.min && range.value <= range.max) continue;
    return absl::InvalidArgumentError(absl::StrCat(range.name, ": expected ", range.min, " to ",
                                                   range.max, ", got ", range.value));
  }
  return absl::OkStatus();
}

double LearningRate(const TrainerOptions& options, int64_t step) {
  if (step < options.warmup_steps) {
    return options.learning_rate * static_cast<double>(step + 1) / options.warmup_steps;
  }
  const auto since = static_cast<double>(step - options.warmup_steps);
  switch (options.schedule) {
    case Schedule::kConstant:
      break;
    case Schedule::kCosine: {
      const double progress = std::min(1.0, since / options.schedule_steps);
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
