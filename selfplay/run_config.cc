#include "selfplay/run_config.h"

#include "absl/strings/str_cat.h"

namespace crossriver {
namespace {

constexpr int kMany = 1'000'000'000;

absl::Status InTable(const char* table, const absl::Status& status) {
  if (status.ok()) return status;
  return {status.code(), absl::StrCat("[", table, "] ", absl::string_view(status.message()))};
}

absl::Status ValidateLoop(const RunConfig& config) {
  absl::Status status = CheckRanges(LoopRateOptions(), config.loop);
  status.Update(CheckRanges(LoopCountOptions(), config.loop));
  if (status.ok() && config.selfplay.deterministic &&
      config.loop.schedule == LoopSchedule::kConcurrent) {
    return absl::InvalidArgumentError(
        "schedule: a deterministic run needs \"interleaved\": when the network changes must not "
        "depend on the clock");
  }
  if (status.ok() && config.selfplay.deterministic && config.training.threads != 1) {
    return absl::InvalidArgumentError(
        "deterministic: expected [training] threads = 1, because sums over threads may differ");
  }
  const bool follows_clock = config.training.schedule == Schedule::kCosine &&
                             config.training.schedule_steps == 0 &&
                             config.loop.processor_minutes > 0;
  if (status.ok() && config.selfplay.deterministic && follows_clock) {
    return absl::InvalidArgumentError(
        "deterministic: expected schedule_steps of [training] or processor_minutes = 0, because "
        "the learning rate would follow the clock");
  }
  if (status.ok() && config.selfplay.full_share == 0 && !config.replay.cheap_rows) {
    return absl::InvalidArgumentError(
        "full_share of [selfplay]: 0 leaves nothing to train on, unless cheap_rows of [replay]");
  }
  return status;
}

}  // namespace

const std::vector<LoopRateOption>& LoopRateOptions() {
  using Options = LoopOptions;
  static const auto& options = *new std::vector<LoopRateOption>{
      {"processor_minutes", &Options::processor_minutes, 0, 1e9},
      {"reuse", &Options::reuse, 0, 1000},
      {"training_share", &Options::training_share, 0.01, 1},
      {"max_gigabytes", &Options::max_gigabytes, 0, 1e6},
      {"min_free_gigabytes", &Options::min_free_gigabytes, 0, 1e6},
      {"gate_score", &Options::gate_score, 0, 1},
      {"gate_elo0", &Options::gate_elo0, -1000, 1000},
      {"gate_elo1", &Options::gate_elo1, -1000, 1000},
      {"gate_error", &Options::gate_error, 0.0001, 0.4},
  };
  return options;
}

const std::vector<LoopCountOption>& LoopCountOptions() {
  using Options = LoopOptions;
  static const auto& options = *new std::vector<LoopCountOption>{
      {"seed", &Options::seed, 0, kMany},
      {"generations", &Options::generations, 1, kMany},
      {"games_per_generation", &Options::games_per_generation, 1, kMany},
      {"workers", &Options::workers, 0, 1024},
      {"batch_size", &Options::batch_size, 1, 1 << 16},
      {"first_training_rows", &Options::first_training_rows, 1, kMany},
      {"cache_megabytes", &Options::cache_megabytes, 0, 1 << 20},
      {"keep_newest", &Options::keep_newest, 1, kMany},
      {"keep_every", &Options::keep_every, 0, kMany},
      {"gate_games", &Options::gate_games, 0, 100'000},
      {"gate_visits", &Options::gate_visits, 1, 1'000'000},
      {"eval_every", &Options::eval_every, 0, kMany},
      {"eval_games", &Options::eval_games, 2, 100'000},
      {"eval_visits", &Options::eval_visits, 1, 1'000'000},
      {"final_games", &Options::final_games, 0, 100'000},
      {"final_visits", &Options::final_visits, 1, 1'000'000},
  };
  return options;
}

std::vector<std::string> RunConfig::Variants() const {
  std::vector<std::string> variants = {variant};
  variants.insert(variants.end(), also.begin(), also.end());
  return variants;
}

absl::Status Validate(const RunConfig& config) {
  absl::Status status = InTable("network", Validate(config.network));
  status.Update(InTable("training", Validate(config.training)));
  status.Update(InTable("selfplay", Validate(config.selfplay)));
  status.Update(InTable("replay", Validate(config.replay)));
  status.Update(InTable("loop", ValidateLoop(config)));
  if (status.ok() && !config.also.empty() && config.selfplay.start_opening > 0) {
    return absl::InvalidArgumentError(
        "start_opening of [selfplay]: expected 0 where games are `also` of other variants, because "
        "a file's openings are of one");
  }
  return status;
}

}  // namespace crossriver
