// All that makes one run of training what it is: the content of its config.toml.
#ifndef CROSSRIVER_SELFPLAY_RUN_CONFIG_H_
#define CROSSRIVER_SELFPLAY_RUN_CONFIG_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "nn/network_options.h"
#include "nn/number_option.h"
#include "nn/trainer_options.h"
#include "selfplay/replay.h"
#include "selfplay/selfplay_options.h"

namespace crossriver {

enum class LoopSchedule : uint8_t {
  kInterleaved,  // self-play rests while the network trains: both have all cores in turn
  kConcurrent,   // both at once: where the network lives on a GPU
};

// How self-play and training take turns, and what is kept.
struct LoopOptions {
  int seed = 1;  // everything random in the run follows from it
  int generations = 100;
  // The run is also over with the generation in which self-play and training have had so much
  // processor time in all, so that runs of equal cost can be compared; 0 = no such limit.
  double processor_minutes = 0;
  int games_per_generation = 200;
  int workers = 0;  // threads of self-play; 0 = one a core
  LoopSchedule schedule = LoopSchedule::kInterleaved;

  // A generation trains on `reuse` times as many rows as it has brought, or until training has had
  // `training_share` of the generation's time (1 = as long as it takes; interleaved only). What is
  // left over is made up for in the next one.
  double reuse = 4;
  double training_share = 0.5;
  int batch_size = 256;
  int first_training_rows = 2000;  // nothing is trained before there are so many

  int cache_megabytes = 64;  // of evaluations, shared by the workers; 0 = none

  // Checkpoints: the newest, and each whose number `keep_every` divides, within `max_gigabytes` in
  // all (0 = without limit).
  int keep_newest = 3;
  int keep_every = 10;
  double max_gigabytes = 10;
  double min_free_gigabytes = 0.5;  // of the disk; with less left the run stops

  // A new network is played with only if it passes a match of so many games against the one before;
  // 0 = every new network is. With gate_elo1 above gate_elo0 the match ends as soon as a sequential
  // test (selfplay/sprt.h) tells a lead of gate_elo1 or more, which passes, from one of gate_elo0
  // or less; it is wrong in gate_error of the cases. Undecided, or without a test, gate_score or
  // more passes.
  int gate_games = 0;
  double gate_score = 0.5;
  double gate_elo0 = 0;
  double gate_elo1 = 0;
  double gate_error = 0.05;
  int gate_visits = 32;

  // After so many generations the newest network plays so many games against the one of as many
  // generations before, so that the run's metrics have its progress in Elo ("eval/…"); 0 = never.
  int eval_every = 0;
  int eval_games = 100;
  int eval_visits = 32;

  // Games of the last network against the untrained one when the run is over; 0 = none.
  int final_games = 0;
  int final_visits = 32;
};

using LoopRateOption = NumberOption<LoopOptions, double>;
using LoopCountOption = NumberOption<LoopOptions, int>;
const std::vector<LoopRateOption>& LoopRateOptions();
const std::vector<LoopCountOption>& LoopCountOptions();

struct RunConfig {
  std::string variant;  // an id, or the path of a file
  // Other variants of its family, which games are of in turn with it, and which the same network
  // learns. Matches and openings are of `variant` alone.
  std::vector<std::string> also;
  std::string device = "auto";  // see ChooseDevice
  NetworkOptions network;
  TrainerOptions training;
  SelfPlayOptions selfplay;
  ReplayOptions replay;
  LoopOptions loop;

  // `variant`, then those of `also`.
  std::vector<std::string> Variants() const;
};

// OK, or the first option that can't be: "[loop] reuse: expected …".
absl::Status Validate(const RunConfig& config);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_RUN_CONFIG_H_
