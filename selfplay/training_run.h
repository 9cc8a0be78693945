// A run of training: self-play and learning in turn, from where the run's folder stands.
#ifndef CROSSRIVER_SELFPLAY_TRAINING_RUN_H_
#define CROSSRIVER_SELFPLAY_TRAINING_RUN_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/eval_cache.h"
#include "core/rules.h"
#include "core/variant_group.h"
#include "nn/device.h"
#include "nn/network_evaluator.h"
#include "nn/trainer.h"
#include "selfplay/counters.h"
#include "selfplay/game_ids.h"
#include "selfplay/generation_sink.h"
#include "selfplay/generation_stats.h"
#include "selfplay/match_score.h"
#include "selfplay/network_weights.h"
#include "selfplay/openings/position_classes.h"
#include "selfplay/replay.h"
#include "selfplay/run_config.h"
#include "selfplay/run_directory.h"
#include "selfplay/run_observer.h"
#include "selfplay/run_reader.h"
#include "selfplay/run_store.h"
#include "selfplay/sprt.h"
#include "selfplay/starts.h"
#include "selfplay/tensorboard.h"
#include "selfplay/worker_pool.h"

namespace crossriver {

struct LoadedNetwork;

// Metrics that a resumed run begins with.
inline constexpr char kPlayingMetric[] = "loop/playing";       // the checkpoint that plays
inline constexpr char kTotalRowsMetric[] = "loop/total_rows";  // that the window has seen
inline constexpr char kRowBudgetMetric[] = "loop/row_budget";  // still to be trained on

struct TrainingRunOptions {
  RunConfig config;       // valid
  VariantGroup variants;  // config.variant and config.also
  DeviceChoice device = {};
  int workers = 1;
  // What autotune found; measured anew in about a second where it is missing.
  std::optional<InferenceSettings> inference = std::nullopt;
  // A network file that a new run begins with; empty: random weights.
  std::string init_from = {};
  std::function<bool()> interrupted = nullptr;  // asked some times a second
  RunObserver* observer = nullptr;              // not owned
};

// One generation is: games until there are games_per_generation more of them; training; a
// checkpoint; its network is played with from then on. Checkpoint 0 is the network that the run
// began with, and checkpoint n that of generation n, which played with checkpoint n-1 (with gating,
// with the last one that was accepted).
//
// Killed at any moment, a run loses the games in play and what was trained since the last
// checkpoint, and goes on from there. Used by one thread.
class TrainingRun {
 public:
  // Makes what the run's folder lacks, reads what it has. `directory` must be open for writing and
  // outlive the run. Errors: those of the files (each says what to do), a network of other options
  // than the config's.
  static absl::StatusOr<std::unique_ptr<TrainingRun>> Open(const RunDirectory* directory,
                                                           TrainingRunOptions options);
  ~TrainingRun();

  // Goes on until config.loop's generations or processor_minutes are done. Cancelled: interrupted.
  absl::Status Run();

  // The newest network against the untrained one, checkpoint 0, over config.loop.final_games games.
  // The result is kept among the metrics ("final/…"), so that a second call plays nothing.
  absl::StatusOr<MatchScore> FinalMatch();

  // Generations that are done.
  int64_t generation() const { return generation_; }
  // Whether generations or processor time have reached what the config allows.
  bool IsDone() const { return Share() >= 1; }

 private:
  using Clock = std::chrono::steady_clock;

  struct Learnt {
    int64_t steps = 0;
    LossReport losses;  // means over the steps
    double gradient_norm = 0;
    double learning_rate = 0;
    double seconds = 0;
  };

  // What has been spent, as seen by clocks that only grow.
  struct Effort {
    Clock::time_point time = Clock::now();
    double cpu_seconds = ProcessorSeconds();
  };

  struct RunMatch {
    const char* what = nullptr;  // for people
    int games = 0;               // at most
    int visits = 0;              // a move
    uint64_t seed = 1;
    std::optional<SprtOptions> sprt;
  };

  TrainingRun(const RunDirectory* directory, TrainingRunOptions options);

  // LibTorch's exceptions as a status.
  static absl::Status Guarded(absl::FunctionRef<absl::Status()> work);
  static double SecondsSince(Clock::time_point begin);
  static double ProcessorSeconds();  // of all threads of this process
  static void SortById(std::vector<GameRecord>* games);

  // Opening.
  absl::Status Prepare();
  absl::Status ReadOpenings();
  absl::Status OpenDatabase();
  absl::Status RestoreTrainer();
  absl::Status BeginTrainer();
  absl::Status RestoreCounters();
  absl::Status RestoreGames();
  absl::Status CheckRulesOf(const std::vector<GameRecord>& games) const;
  absl::StatusOr<std::vector<GameRecord>> ReadGames(int64_t total_rows,
                                                    std::vector<GameRecord>* begun);
  absl::Status RestoreIds();
  absl::Status ChooseInference();
  absl::Status PublishCheckpoint(int64_t number);
  void StartWorkers();

  // What is done of it, from 0 to 1, by generations or by processor time, whichever is further.
  double Share() const;

  absl::Status RunAll();
  absl::Status RunGeneration();

  // Self-play.
  absl::Status PlayGames();
  void ReportSelfPlay(const SelfPlayCounts& before, Clock::time_point begin, int64_t resumed);
  void Estimate(const SelfPlayProgress& progress);
  double EstimateGigabytes(double moves) const;
  // The games of the generation, into the window and the statistics.
  absl::Status TakeGames();
  absl::Status SetAside(const BadGame& bad);
  void AddStarts(const GameRecord& game);

  // Learning.
  absl::StatusOr<Learnt> Learn();
  int64_t StepsToTrain();
  std::optional<double> SecondsToTrain() const;
  absl::StatusOr<StepReport> TrainStep();
  absl::StatusOr<std::shared_ptr<const Network>> ExportNetwork();
  absl::Status SaveCheckpoint();
  absl::Status StoreCheckpoint(int64_t number, const Network& network);

  // The newest checkpoint's network plays from now on, if it passes the gate.
  absl::Status GateNewest();
  absl::StatusOr<bool> PassesGate(const LoadedNetwork& newest);
  // Progress: the newest network against an earlier one.
  absl::Status EvaluateIfDue();
  absl::Status EvaluateNewest();
  absl::StatusOr<MatchScore> PlayMatchOf(const LoadedNetwork& first, const LoadedNetwork& second,
                                         const RunMatch& wanted);
  std::optional<MatchScore> PlayedFinalMatch();
  absl::StatusOr<MatchScore> PlayFinalMatch();

  absl::Status FinishGeneration(const Learnt& learnt, const SelfPlayCounts& counts,
                                double play_seconds, const Effort& begin);
  absl::Status KeepMetrics(const GenerationReport& report);
  // In the database and in the event file.
  absl::Status PutMetrics(const std::vector<std::pair<std::string, double>>& values);
  absl::Status DeleteOldCheckpoints();
  void TrimMemory();
  // The run's tree of openings, with what the generation has played.
  void UpdateOpeningTree();

  // The newest value of a metric up to the generation that is done; nullopt where there is none.
  absl::StatusOr<std::optional<Metric>> NewestMetric(const char* name);
  // Of the generations that are done, this process's and earlier ones'.
  absl::StatusOr<double> SpentProcessorSeconds();
  std::string NetworkPath(int64_t checkpoint) const;
  std::string OptimizerPath(int64_t checkpoint) const;
  const std::shared_ptr<const Rules>& rules() const { return options_.variants.first(); }
  bool Interrupted() const { return options_.interrupted && options_.interrupted(); }
  void Say(const std::string& message) const { observer_->OnMessage(message); }

  const RunDirectory& directory_;
  const TrainingRunOptions options_;
  RunObserver* const observer_;
  RunObserver silent_;

  std::unique_ptr<RunStore> store_;
  std::unique_ptr<RunReader> reader_;
  std::unique_ptr<EventWriter> events_;

  const PositionClasses opening_classes_;
  std::vector<Position> openings_;  // where some games begin

  std::unique_ptr<Trainer> trainer_;
  ReplayWindow window_;
  StartPool starts_;
  std::optional<EvalCache> cache_;
  InferenceSettings inference_;
  std::unique_ptr<NetworkWeights> weights_;
  std::unique_ptr<GenerationSink> sink_;
  std::unique_ptr<LocalGameIds> ids_;
  std::unique_ptr<WorkerPool> pool_;  // last: it uses the rest

  int64_t generation_ = 0;     // done; also the newest checkpoint
  int64_t playing_ = 0;        // the checkpoint that plays
  bool gate_pending_ = false;  // the newest checkpoint has not been tried
  GenerationStats stats_;      // of the present generation
  int64_t new_rows_ = 0;       // that it has brought
  Clock::time_point trimmed_ = Clock::now();
  double cpu_seconds_ = 0;    // of the generations that are done
  double row_budget_ = 0;     // rows that are still to be trained on
  int64_t trained_rows_ = 0;  // in all
  bool estimated_ = false;
  double games_per_second_ = 0;  // 0: not known yet
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_TRAINING_RUN_H_
