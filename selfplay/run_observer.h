// How a run shows what it does.
#ifndef CROSSRIVER_SELFPLAY_RUN_OBSERVER_H_
#define CROSSRIVER_SELFPLAY_RUN_OBSERVER_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "nn/trainer.h"
#include "selfplay/counters.h"
#include "selfplay/generation_stats.h"

namespace crossriver {

struct SelfPlayProgress {
  int64_t generation = 0;
  int64_t games = 0;  // of the generation
  int64_t wanted = 0;
  int64_t resumed = 0;    // of the games, those of an earlier process
  SelfPlayCounts counts;  // of this generation in this process
  double seconds = 0;
};

struct TrainingProgress {
  int64_t generation = 0;
  int64_t steps = 0;   // of the generation
  int64_t wanted = 0;  //
  int64_t rows_per_step = 0;
  LossReport losses;  // of the last step
  double seconds = 0;
};

// What the whole run will take, from what was measured so far.
struct RunEstimate {
  int64_t games = 0;
  int64_t evaluations = 0;
  double hours = 0;
  double gigabytes = 0;  // of disk
  double measured_seconds = 0;
};

struct GenerationReport {
  int64_t generation = 0;
  int64_t generations = 0;       // of the run, at most
  double processor_minutes = 0;  // likewise; 0 = without limit
  int64_t checkpoint = 0;
  bool accepted = true;  // by the gate
  int64_t step = 0;
  int64_t total_games = 0;
  SelfPlayCounts counts;
  const GenerationStats* stats = nullptr;
  double play_seconds = 0;  // in which `counts` was counted
  int64_t steps = 0;        // of the generation
  LossReport losses;
  double gradient_norm = 0;
  double learning_rate = 0;
  double training_seconds = 0;
  double seconds = 0;            // of all of it, by the clock
  double cpu_seconds = 0;        // and of this process, all of its threads
  double total_cpu_seconds = 0;  // of all generations
  int64_t window_rows = 0;
  int64_t total_rows = 0;
  std::vector<std::string> alarms;
};

// GenerationReport::cpu_seconds among the metrics; a resumed run adds them up.
inline constexpr char kProcessorMetric[] = "loop/cpu_seconds";
// The report as the run's metrics: names and values.
std::vector<std::pair<std::string, double>> MetricsOf(const GenerationReport& report);

// Called by the thread that runs the run. What is not overridden stays silent.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  virtual void OnMessage(const std::string& /*message*/) {}
  virtual void OnEstimate(const RunEstimate& /*estimate*/) {}
  // Several times a second.
  virtual void OnSelfPlay(const SelfPlayProgress& /*progress*/) {}
  virtual void OnTraining(const TrainingProgress& /*progress*/) {}
  virtual void OnMatch(const char* /*what*/, int64_t /*games*/, int64_t /*wanted*/) {}
  virtual void OnGeneration(const GenerationReport& /*report*/) {}
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_RUN_OBSERVER_H_
