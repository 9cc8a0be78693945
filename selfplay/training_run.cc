// The loop: games, training, a checkpoint. Opening a run is in training_run_open.cc, learning in
// training_run_learn.cc, matches in training_run_match.cc.
#include "selfplay/training_run.h"

#include <malloc.h>
#include <time.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "selfplay/checkpoint_store.h"
#include "selfplay/openings/opening_update.h"

namespace crossriver {
namespace {

constexpr std::chrono::milliseconds kLook{100};  // at the workers and for interrupts
constexpr double kGigabyte = 1e9;
// Self-play is measured for so long before the cost of the run is told.
constexpr double kEstimateSeconds = 60;
// A generation says how fast games are made if so much of it was made by this process.
constexpr double kEnoughMade = 0.2;
// Freed memory goes back to the system so often.
constexpr double kTrimSeconds = 60;

}  // namespace

TrainingRun::~TrainingRun() {
  if (pool_ != nullptr) pool_->Stop().IgnoreError();
}

double TrainingRun::SecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double TrainingRun::ProcessorSeconds() {
  timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

absl::Status TrainingRun::Run() {
  return Guarded([this] { return RunAll(); });
}

absl::Status TrainingRun::RunAll() {
  if (gate_pending_) {
    if (absl::Status status = GateNewest(); !status.ok()) return status;
  }
  for (;;) {
    absl::Status status = EvaluateIfDue();
    if (status.ok()) {
      if (IsDone()) break;
      if (pool_ == nullptr) StartWorkers();
      status = Interrupted() ? absl::CancelledError("interrupted") : RunGeneration();
    }
    if (status.ok()) continue;
    // What was played stays, whatever stopped the run.
    if (pool_ != nullptr) pool_->Pause().IgnoreError();
    const absl::Status flushed = store_->Flush();
    return flushed.ok() ? status : flushed;
  }
  absl::Status status = pool_ != nullptr ? pool_->Stop() : absl::OkStatus();
  status.Update(store_->Flush());
  return status;
}

double TrainingRun::Share() const {
  const LoopOptions& loop = options_.config.loop;
  double share = static_cast<double>(generation_) / loop.generations;
  if (loop.processor_minutes > 0) {
    share = std::max(share, cpu_seconds_ / (60 * loop.processor_minutes));
  }
  return std::min(share, 1.0);
}

absl::Status TrainingRun::RunGeneration() {
  const LoopOptions& loop = options_.config.loop;
  absl::Status status =
      CheckFreeDisk(directory_.path(), static_cast<int64_t>(loop.min_free_gigabytes * kGigabyte));
  if (!status.ok()) return status;
  store_->SetGeneration(generation_ + 1);
  const SelfPlayCounts before = pool_->counts();
  const Effort begin;
  if (status = PlayGames(); !status.ok()) return status;
  double play_seconds = SecondsSince(begin.time);
  const int64_t made = pool_->counts().games - before.games;
  if (static_cast<double>(made) >= kEnoughMade * loop.games_per_generation) {
    games_per_second_ = static_cast<double>(made) / play_seconds;
  }
  if (status = TakeGames(); !status.ok()) return status;
  const absl::StatusOr<Learnt> learnt = Learn();
  if (!learnt.ok()) return learnt.status();
  // Where play goes on meanwhile, it has had all this time.
  if (loop.schedule == LoopSchedule::kConcurrent) play_seconds = SecondsSince(begin.time);
  const SelfPlayCounts counts = pool_->counts() - before;
  if (status = SaveCheckpoint(); !status.ok()) return status;
  return FinishGeneration(*learnt, counts, play_seconds, begin);
}

absl::Status TrainingRun::PlayGames() {
  const auto wanted = static_cast<int64_t>(options_.config.loop.games_per_generation);
  const SelfPlayCounts before = pool_->counts();
  const int64_t resumed = sink_->games();
  const auto begin = Clock::now();
  if (options_.config.selfplay.deterministic) {
    ids_->OpenNext(std::max<int64_t>(0, wanted - resumed), playing_);
  } else if (options_.config.loop.schedule == LoopSchedule::kConcurrent) {
    // Play runs ahead of training by a generation at most.
    ids_->OpenNext(std::max<int64_t>(0, 2 * wanted - resumed), kNoCheckpoint);
  }
  pool_->Resume();
  while (sink_->games() < wanted) {
    std::this_thread::sleep_for(kLook);
    ReportSelfPlay(before, begin, resumed);
    if (absl::Status status = pool_->status(); !status.ok()) return status;
    if (Interrupted()) return absl::CancelledError("interrupted");
  }
  if (options_.config.loop.schedule == LoopSchedule::kInterleaved) {
    if (absl::Status status = pool_->Pause(); !status.ok()) return status;
  }
  ReportSelfPlay(before, begin, resumed);
  return store_->Flush();
}

void TrainingRun::ReportSelfPlay(const SelfPlayCounts& before, Clock::time_point begin,
                                 int64_t resumed) {
  SelfPlayProgress progress;
  progress.generation = generation_ + 1;
  progress.wanted = options_.config.loop.games_per_generation;
  progress.games = std::min(sink_->games(), progress.wanted);
  progress.resumed = std::min(resumed, progress.wanted);
  progress.counts = pool_->counts() - before;
  progress.seconds = SecondsSince(begin);
  observer_->OnSelfPlay(progress);
  const bool enough = progress.seconds >= kEstimateSeconds || progress.games >= progress.wanted;
  if (estimated_ || !enough || progress.counts.games == 0) return;
  estimated_ = true;
  Estimate(progress);
}

// Moves a second, divided by the length of the games that are over. The first to end are short, so
// the first minute of a run promises a little too much.
void TrainingRun::Estimate(const SelfPlayProgress& progress) {
  const LoopOptions& loop = options_.config.loop;
  const auto rate = [&progress](int64_t count) {
    return static_cast<double>(count) / progress.seconds;
  };
  const double length = static_cast<double>(std::max<int64_t>(1, sink_->plies())) /
                        static_cast<double>(std::max<int64_t>(1, sink_->games()));
  const double left = static_cast<double>(loop.generations - generation_) *
                      static_cast<double>(loop.games_per_generation);
  RunEstimate estimate;
  estimate.games = static_cast<int64_t>(left);
  const double moves = left * length;
  estimate.evaluations =
      static_cast<int64_t>(moves * static_cast<double>(progress.counts.evaluations) /
                           static_cast<double>(std::max<int64_t>(1, progress.counts.moves)));
  // Training has at most its share of the time; as long as it takes is taken for as long again.
  const bool interleaved = loop.schedule == LoopSchedule::kInterleaved;
  const double training = interleaved ? std::min(loop.training_share, 0.5) : 0;
  estimate.hours = moves / rate(progress.counts.moves) / (1 - training) / 3600;
  estimate.gigabytes = EstimateGigabytes(moves);
  estimate.measured_seconds = progress.seconds;
  if (loop.processor_minutes > 0) {
    const double hours =
        std::max(0.0, loop.processor_minutes / 60 - cpu_seconds_ / 3600) / options_.workers;
    const double share = std::min(1.0, hours / estimate.hours);
    estimate.games = static_cast<int64_t>(share * static_cast<double>(estimate.games));
    estimate.evaluations = static_cast<int64_t>(share * static_cast<double>(estimate.evaluations));
    estimate.hours *= share;
    estimate.gigabytes = EstimateGigabytes(share * moves);
  }
  observer_->OnEstimate(estimate);
}

double TrainingRun::EstimateGigabytes(double moves) const {
  const LoopOptions& loop = options_.config.loop;
  constexpr double kMoveBytes = 60;  // of a compressed record
  // Played, trained and averaged weights, and two moments of the optimiser, in four bytes each.
  const NetworkShape shape = ShapeOf(*rules(), FeatureSchema(*rules()));
  const double checkpoint =
      static_cast<double>(CountParameters(options_.config.network, shape)) * 5 * 4;
  const int every = loop.keep_every > 0 ? loop.generations / loop.keep_every + 1 : 0;
  double checkpoints = (loop.keep_newest + every) * checkpoint;
  if (loop.max_gigabytes > 0) checkpoints = std::min(checkpoints, loop.max_gigabytes * kGigabyte);
  return (moves * kMoveBytes + checkpoints) / kGigabyte;
}

absl::Status TrainingRun::TakeGames() {
  std::vector<GameRecord> games = sink_->Take();
  // What is stored from now on, while the network trains, belongs to the next generation.
  store_->SetGeneration(generation_ + 2);
  const bool deterministic = options_.config.selfplay.deterministic;
  if (deterministic) SortById(&games);  // not in the order in which workers were ready
  const int64_t rows_before = window_.total_rows();
  stats_ = GenerationStats();
  for (const GameRecord& game : games) {
    if (absl::Status status = window_.Add(game); !status.ok()) {
      if (status = SetAside({game.id, std::string(status.message())}); !status.ok()) return status;
      continue;
    }
    stats_.Add(game);
    if (deterministic) AddStarts(game);
  }
  new_rows_ = window_.total_rows() - rows_before;
  return absl::OkStatus();
}

absl::Status TrainingRun::SetAside(const BadGame& bad) {
  Say(absl::StrCat("game ", bad.id, " is set aside: ", bad.why));
  return store_->Quarantine(bad);
}

void TrainingRun::AddStarts(const GameRecord& game) {
  const Rules* played = options_.variants.Find(game.rules_hash);
  if (played != nullptr) starts_.Add(*played, game);
}

void TrainingRun::SortById(std::vector<GameRecord>* games) {
  std::sort(games->begin(), games->end(),
            [](const GameRecord& a, const GameRecord& b) { return a.id < b.id; });
}

// It can be made again from the games at any time, so training does not stop for it.
void TrainingRun::UpdateOpeningTree() {
  OpeningUpdateOptions options;
  options.progress = [this](int64_t) { return !Interrupted(); };
  // A reader of its own: the run's sets bad games aside, for which it needs the store.
  const absl::StatusOr<std::unique_ptr<RunReader>> reader = RunReader::Open(directory_);
  const absl::Status updated =
      reader.ok() ? UpdateOpenings(opening_classes_, options, reader->get(), store_.get()).status()
                  : reader.status();
  if (!updated.ok()) Say(absl::StrCat("the tree of openings: ", std::string(updated.message())));
}

absl::Status TrainingRun::FinishGeneration(const Learnt& learnt, const SelfPlayCounts& counts,
                                           double play_seconds, const Effort& begin) {
  GenerationReport report;
  report.generation = generation_;
  report.generations = options_.config.loop.generations;
  report.processor_minutes = options_.config.loop.processor_minutes;
  report.checkpoint = generation_;
  report.accepted = playing_ == generation_;
  report.step = trainer_->step();
  report.counts = counts;
  report.stats = &stats_;
  report.play_seconds = play_seconds;
  report.steps = learnt.steps;
  report.losses = learnt.losses;
  report.gradient_norm = learnt.gradient_norm;
  report.learning_rate = learnt.learning_rate;
  report.training_seconds = learnt.seconds;
  report.window_rows = window_.rows();
  report.total_rows = window_.total_rows();
  report.seconds = SecondsSince(begin.time);
  report.cpu_seconds = ProcessorSeconds() - begin.cpu_seconds;
  cpu_seconds_ += report.cpu_seconds;
  report.total_cpu_seconds = cpu_seconds_;
  report.alarms = Alarms(stats_);
  UpdateOpeningTree();
  if (absl::Status status = KeepMetrics(report); !status.ok()) return status;
  if (absl::Status status = DeleteOldCheckpoints(); !status.ok()) return status;
  TrimMemory();
  const absl::StatusOr<GameTotals> totals = reader_->CountGames();
  if (!totals.ok()) return totals.status();
  report.total_games = totals->games;
  observer_->OnGeneration(report);
  return absl::OkStatus();
}

// LibTorch asks for aligned blocks of many sizes, and glibc makes poor use of what they leave
// behind: without this a run's heap grows for hours. What is used again costs page faults, hence
// not always.
void TrainingRun::TrimMemory() {
  if (SecondsSince(trimmed_) < kTrimSeconds) return;
  malloc_trim(0);
  trimmed_ = Clock::now();
}

absl::Status TrainingRun::KeepMetrics(const GenerationReport& report) {
  absl::Status status = PutMetrics(MetricsOf(report));
  status.Update(store_->TruncateLog());
  return status;
}

absl::Status TrainingRun::DeleteOldCheckpoints() {
  const LoopOptions& loop = options_.config.loop;
  RetentionOptions retention;
  retention.keep_newest = loop.keep_newest;
  retention.keep_every = loop.keep_every;
  retention.max_bytes = static_cast<int64_t>(loop.max_gigabytes * kGigabyte);
  retention.needed = {playing_};
  if (loop.final_games > 1) retention.needed.push_back(0);
  if (const int64_t every = loop.eval_every; every > 0) {
    // Opponents in the evaluation that is due now, and in the next one.
    retention.needed.push_back((generation_ - 1) / every * every);
    retention.needed.push_back(generation_ / every * every);
  }
  const absl::StatusOr<RetentionReport> kept =
      ApplyRetention(directory_, store_.get(), reader_.get(), retention);
  if (!kept.ok()) return kept.status();
  for (const std::string& message : kept->messages) Say(message);
  return absl::OkStatus();
}

}  // namespace crossriver
