// The loop: games, training, a checkpoint. Opening a run is in training_run_open.cc.
#include "selfplay/training_run.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "nn/checkpoint.h"
#include "nn/trainer_state.h"
#include "selfplay/checkpoint_store.h"

namespace crossriver {
namespace {

constexpr std::chrono::milliseconds kLook{100};  // at the workers and for interrupts
constexpr double kGigabyte = 1e9;
// Self-play is measured for so long before the cost of the run is told.
constexpr double kEstimateSeconds = 60;
// Rows on which the exported network's norms are estimated.
constexpr size_t kNormRows = 4096;

double SecondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

SelfPlayCounts Minus(SelfPlayCounts now, const SelfPlayCounts& before) {
  const auto places = [](const SelfPlayCounts& counts) {
    return counts.batch_fill > 0 ? static_cast<double>(counts.evaluations) / counts.batch_fill : 0;
  };
  const double filled = places(now) - places(before);
  now.games -= before.games;
  now.moves -= before.moves;
  now.full_searches -= before.full_searches;
  now.cheap_searches -= before.cheap_searches;
  now.visits -= before.visits;
  now.evaluations -= before.evaluations;
  now.cache_hits -= before.cache_hits;
  now.batches -= before.batches;
  now.batch_fill = filled > 0 ? static_cast<double>(now.evaluations) / filled : 0;
  now.evaluator_seconds -= before.evaluator_seconds;
  now.seconds -= before.seconds;
  return now;
}

std::vector<const TrainingRow*> Pointers(const std::vector<TrainingRow>& rows) {
  std::vector<const TrainingRow*> pointers;
  for (const TrainingRow& row : rows) pointers.push_back(&row);
  return pointers;
}

void AddLosses(const LossReport& losses, double share, LossReport* sum) {
  sum->total += share * losses.total;
  sum->policy += share * losses.policy;
  sum->value += share * losses.value;
  sum->plies_left += share * losses.plies_left;
  sum->reply += share * losses.reply;
  sum->agreement += share * losses.agreement;
  sum->value_error += share * losses.value_error;
}

}  // namespace

TrainingRun::~TrainingRun() {
  if (pool_ != nullptr) pool_->Stop().IgnoreError();
}

absl::Status TrainingRun::Run() {
  while (generation_ < options_.config.loop.generations) {
    if (Interrupted()) return absl::CancelledError("interrupted");
    if (pool_ == nullptr) StartWorkers();
    if (absl::Status status = RunGeneration(); !status.ok()) {
      // What was played stays, whatever stopped the run.
      pool_->Pause().IgnoreError();
      status.Update(store_->Flush());
      return status;
    }
  }
  if (pool_ != nullptr) return pool_->Stop();
  return absl::OkStatus();
}

absl::Status TrainingRun::RunGeneration() {
  const LoopOptions& loop = options_.config.loop;
  absl::Status status =
      CheckFreeDisk(directory_.path(), static_cast<int64_t>(loop.min_free_gigabytes * kGigabyte));
  if (!status.ok()) return status;
  store_->SetGeneration(generation_ + 1);
  const SelfPlayCounts before = pool_->counts();
  const auto begin = Clock::now();
  if (status = PlayGames(); !status.ok()) return status;
  const double play_seconds = SecondsSince(begin);
  if (status = TakeGames(); !status.ok()) return status;
  const absl::StatusOr<Learnt> learnt = Learn();
  if (!learnt.ok()) return learnt.status();
  if (status = SaveCheckpoint(); !status.ok()) return status;
  return FinishGeneration(*learnt, before, play_seconds);
}

absl::Status TrainingRun::PlayGames() {
  const auto wanted = static_cast<int64_t>(options_.config.loop.games_per_generation);
  const SelfPlayCounts before = pool_->counts();
  const int64_t games_before = sink_->games();
  const auto begin = Clock::now();
  if (options_.config.selfplay.deterministic) {
    const auto end = static_cast<uint64_t>((generation_ + 1) * wanted + 1);
    ids_->OpenUntil(end, playing_);
  }
  pool_->Resume();
  while (sink_->games() < wanted) {
    std::this_thread::sleep_for(kLook);
    ReportSelfPlay(before, begin, games_before);
    if (absl::Status status = pool_->status(); !status.ok()) return status;
    if (Interrupted()) return absl::CancelledError("interrupted");
  }
  if (options_.config.loop.schedule == LoopSchedule::kInterleaved) {
    if (absl::Status status = pool_->Pause(); !status.ok()) return status;
  }
  ReportSelfPlay(before, begin, games_before);
  return store_->Flush();
}

void TrainingRun::ReportSelfPlay(const SelfPlayCounts& before, Clock::time_point begin,
                                 int64_t games_before) {
  SelfPlayProgress progress;
  progress.generation = generation_ + 1;
  progress.wanted = options_.config.loop.games_per_generation;
  progress.games = std::min(sink_->games(), progress.wanted);
  progress.counts = Minus(pool_->counts(), before);
  progress.seconds = SecondsSince(begin);
  observer_->OnSelfPlay(progress);
  const bool enough = progress.seconds >= kEstimateSeconds || progress.games >= progress.wanted;
  if (estimated_ || !enough || progress.games <= games_before) return;
  estimated_ = true;
  Estimate(progress.counts, progress.seconds);
}

// Games that are over first are short ones: moves a second, divided by the mean length of what is
// known so far, are still the best there is.
void TrainingRun::Estimate(const SelfPlayCounts& done, double seconds) {
  const LoopOptions& loop = options_.config.loop;
  if (done.games == 0 || seconds <= 0) return;
  const double left = static_cast<double>(loop.generations - generation_) *
                      static_cast<double>(loop.games_per_generation);
  const double plies =
      static_cast<double>(done.moves) / std::max(1.0, static_cast<double>(done.games));
  const double limit = options_.config.selfplay.max_plies > 0
                           ? static_cast<double>(options_.config.selfplay.max_plies)
                           : plies;
  const double length = std::min(plies, limit);
  const double games_a_second = static_cast<double>(done.moves) / length / seconds;
  RunEstimate estimate;
  estimate.games = static_cast<int64_t>(left);
  estimate.evaluations =
      static_cast<int64_t>(left * length * static_cast<double>(done.evaluations) /
                           std::max(1.0, static_cast<double>(done.moves)));
  // Training has at most its share of the time; as long as it takes is taken for as long again.
  const double training = std::min(loop.training_share, 0.5);
  estimate.hours = left / games_a_second / (1 - training) / 3600;
  // A compressed move takes some 60 bytes; a checkpoint ten numbers a parameter, of four bytes.
  const auto parameters = static_cast<double>(CountParameters(
      options_.config.network, ShapeOf(*options_.rules, FeatureSchema(*options_.rules))));
  const double kept =
      loop.keep_newest + (loop.keep_every > 0 ? loop.generations / loop.keep_every : 0);
  const double checkpoints = kept * parameters * 6 * 4;
  const double limit_bytes = loop.max_gigabytes > 0 ? loop.max_gigabytes * kGigabyte : checkpoints;
  estimate.gigabytes = (left * length * 60 + std::min(checkpoints, limit_bytes)) / kGigabyte;
  estimate.measured_seconds = seconds;
  observer_->OnEstimate(estimate);
}

absl::Status TrainingRun::TakeGames() {
  std::vector<GameRecord> games = sink_->Take();
  const bool deterministic = options_.config.selfplay.deterministic;
  if (deterministic) {
    // In an order that does not depend on who was faster.
    std::sort(games.begin(), games.end(),
              [](const GameRecord& a, const GameRecord& b) { return a.id < b.id; });
  }
  stats_ = GenerationStats();
  for (const GameRecord& game : games) {
    if (absl::Status status = window_.Add(game); !status.ok()) {
      const BadGame bad = {game.id, std::string(status.message())};
      Say(absl::StrCat("game ", game.id, " is set aside: ", bad.why));
      if (status = store_->Quarantine(bad); !status.ok()) return status;
      continue;
    }
    stats_.Add(game);
    if (deterministic) starts_.Add(*options_.rules, game);
  }
  return absl::OkStatus();
}

// As many as bring all rows there are to `reuse`, but no more than two generations' worth, so that
// training cut short by the clock does not pile up.
int64_t TrainingRun::StepsToTrain() const {
  const LoopOptions& loop = options_.config.loop;
  if (window_.total_rows() < loop.first_training_rows) return 0;
  const double per_row = loop.reuse / loop.batch_size;
  const auto due =
      static_cast<int64_t>(per_row * static_cast<double>(window_.total_rows())) - trainer_->step();
  const auto most = static_cast<int64_t>(2 * per_row * static_cast<double>(stats_.rows())) + 1;
  return std::clamp<int64_t>(due, 0, most);
}

absl::StatusOr<TrainingRun::Learnt> TrainingRun::Learn() {
  const LoopOptions& loop = options_.config.loop;
  Learnt learnt;
  const int64_t wanted = StepsToTrain();
  const auto begin = Clock::now();
  auto reported = begin - kLook;
  // Of the time of this generation: what play has taken is known.
  const double play = games_per_second_ > 0 ? loop.games_per_generation / games_per_second_ : 0;
  const bool limited = loop.training_share < 1 && !options_.config.selfplay.deterministic &&
                       loop.schedule == LoopSchedule::kInterleaved && play > 0;
  const double most_seconds =
      play * loop.training_share / (1 - std::min(loop.training_share, 0.99));
  LossReport sum;
  double gradient_norms = 0;
  while (learnt.steps < wanted) {
    // Rows follow from the run's seed and the step, so that a resumed run draws the same.
    RandomStream random(
        GameSeed(static_cast<uint64_t>(loop.seed), ~static_cast<uint64_t>(trainer_->step())));
    const std::vector<TrainingRow> rows =
        window_.Sample(static_cast<size_t>(loop.batch_size), &random);
    const absl::StatusOr<StepReport> step = trainer_->Step(Pointers(rows));
    if (!step.ok()) return step.status();
    ++learnt.steps;
    AddLosses(step->losses, 1, &sum);
    gradient_norms += step->gradient_norm;
    learnt.learning_rate = step->learning_rate;
    learnt.seconds = SecondsSince(begin);
    if (Clock::now() - reported >= kLook || learnt.steps == wanted) {
      reported = Clock::now();
      observer_->OnTraining(
          {generation_ + 1, learnt.steps, wanted, loop.batch_size, step->losses, learnt.seconds});
      if (Interrupted()) return absl::CancelledError("interrupted");
    }
    if (limited && learnt.seconds >= most_seconds) break;
  }
  if (learnt.steps > 0) {
    const double share = 1 / static_cast<double>(learnt.steps);
    AddLosses(sum, share, &learnt.losses);
    learnt.gradient_norm = share * gradient_norms;
  }
  return learnt;
}

absl::Status TrainingRun::SaveCheckpoint() {
  std::shared_ptr<Network> exported;
  if (trainer_->step() > 0) {
    RandomStream random(GameSeed(static_cast<uint64_t>(options_.config.loop.seed),
                                 static_cast<uint64_t>(generation_)));
    const size_t count = std::min(kNormRows, static_cast<size_t>(window_.rows()));
    const std::vector<TrainingRow> rows = window_.Sample(count, &random);
    absl::StatusOr<std::shared_ptr<Network>> network = trainer_->Export(Pointers(rows));
    if (!network.ok()) return network.status();
    exported = *std::move(network);
  }
  const Network& network = exported != nullptr ? *exported : trainer_->network();
  const int64_t number = generation_ + 1;
  CheckpointInfo info = DescribeNetwork(options_.config.network, *options_.rules);
  info.step = trainer_->step();
  info.run_id = directory_.path();
  absl::Status status = SaveTraining(NetworkPath(number), OptimizerPath(number), network,
                                     trainer_->CopyState(), info);
  if (!status.ok()) return status;
  CheckpointRow row;
  row.number = number;
  row.step = trainer_->step();
  row.generation = number;
  row.network_file = NetworkFileName(number);
  row.optimizer_file = OptimizerFileName(number);
  const absl::StatusOr<GameCounts> counts = reader_->Counts();
  if (!counts.ok()) return counts.status();
  row.games = stored_games_ = counts->games;
  row.rows = trainer_->step() * options_.config.loop.batch_size;
  if (status = RegisterCheckpoint(directory_, store_.get(), row); !status.ok()) return status;
  generation_ = number;
  const absl::StatusOr<CheckpointInfo> written = InspectNetwork(NetworkPath(number));
  if (!written.ok()) return written.status();
  return ReplaceNetwork(network, written->weights_hash);
}

absl::Status TrainingRun::ReplaceNetwork(const Network& network, uint64_t weights_hash) {
  const absl::StatusOr<bool> accepted = PassesGate(network, weights_hash);
  if (!accepted.ok()) return accepted.status();
  if (*accepted) {
    playing_ = generation_;
    weights_->Publish(playing_, network, weights_hash);
  }
  return store_->PutMetrics(
      {{generation_, trainer_->step(), "loop/playing", static_cast<double>(playing_), 0}});
}

absl::StatusOr<bool> TrainingRun::PassesGate(const Network& network, uint64_t weights_hash) {
  const LoopOptions& loop = options_.config.loop;
  if (loop.gate_games < 2) return true;
  const absl::StatusOr<LoadedNetwork> best = LoadNetwork(NetworkPath(playing_), *options_.rules);
  if (!best.ok()) return best.status();
  const absl::StatusOr<MatchResult> result =
      PlayMatchOf(network, weights_hash, *best->network, best->info.weights_hash, loop.gate_games,
                  loop.gate_visits, static_cast<uint64_t>(generation_));
  if (!result.ok()) return result.status();
  Say(absl::StrFormat("gate: checkpoint %d scores %.1f %% against checkpoint %d in %d games",
                      generation_, 100 * result->score(), playing_, result->games()));
  return result->score() >= loop.gate_score;
}

absl::Status TrainingRun::FinishGeneration(const Learnt& learnt, const SelfPlayCounts& before,
                                           double play_seconds) {
  GenerationReport report;
  report.generation = generation_;
  report.generations = options_.config.loop.generations;
  report.checkpoint = generation_;
  report.accepted = playing_ == generation_;
  report.step = trainer_->step();
  report.total_games = stored_games_;
  report.counts = Minus(pool_->counts(), before);
  report.stats = &stats_;
  report.play_seconds = play_seconds;
  report.steps = learnt.steps;
  report.losses = learnt.losses;
  report.gradient_norm = learnt.gradient_norm;
  report.learning_rate = learnt.learning_rate;
  report.training_seconds = learnt.seconds;
  report.window_rows = window_.rows();
  report.total_rows = window_.total_rows();
  report.alarms = Alarms(stats_);
  games_per_second_ = play_seconds > 0 ? static_cast<double>(stats_.games()) / play_seconds : 0;
  std::vector<std::pair<std::string, double>> values = MetricsOf(report);
  std::vector<Metric> metrics;
  for (const auto& [name, value] : values) {
    metrics.push_back({generation_, trainer_->step(), name, value, 0});
    if (absl::Status status = events_->Scalar(name, trainer_->step(), value); !status.ok()) {
      return status;
    }
  }
  absl::Status status = store_->PutMetrics(std::move(metrics));
  status.Update(store_->Flush());
  status.Update(store_->TruncateLog());
  if (!status.ok()) return status;
  RetentionOptions retention;
  retention.keep_newest = options_.config.loop.keep_newest;
  retention.keep_every = options_.config.loop.keep_every;
  retention.max_bytes = static_cast<int64_t>(options_.config.loop.max_gigabytes * kGigabyte);
  const absl::StatusOr<RetentionReport> kept =
      ApplyRetention(directory_, store_.get(), reader_.get(), retention);
  if (!kept.ok()) return kept.status();
  for (const std::string& message : kept->messages) Say(message);
  observer_->OnGeneration(report);
  return absl::OkStatus();
}

absl::StatusOr<MatchResult> TrainingRun::PlayMatchOf(const Network& first, uint64_t first_hash,
                                                     const Network& second, uint64_t second_hash,
                                                     int games, int visits, uint64_t seed) {
  const auto evaluator = [this](const Network& network, uint64_t hash) {
    return NetworkEvaluator(std::make_shared<const InferenceModel>(network, options_.rules, hash,
                                                                   options_.device, inference_));
  };
  NetworkEvaluator a = evaluator(first, first_hash);
  NetworkEvaluator b = evaluator(second, second_hash);
  MatchOptions match;
  match.games = games;
  match.visits = visits;
  match.at_a_time = options_.config.selfplay.games;
  match.seed = seed;
  match.interrupted = options_.interrupted;
  if (options_.config.selfplay.max_plies > 0) {
    match.max_plies = options_.config.selfplay.max_plies;
  }
  match.progress = [this, games](int64_t done) { observer_->OnMatch("match", done, games); };
  return PlayMatch(options_.rules, &a, &b, match);
}

// The result of an earlier call, if it was of the same checkpoint and number of games.
std::optional<MatchResult> TrainingRun::PlayedFinalMatch() {
  MatchResult result;
  int64_t* const counts[] = {&result.wins, &result.draws, &result.losses};
  const char* const names[] = {"final/wins", "final/draws", "final/losses"};
  for (int i = 0; i < 3; ++i) {
    const absl::StatusOr<std::vector<Metric>> metrics = reader_->ReadMetrics(names[i]);
    if (!metrics.ok() || metrics->empty()) return std::nullopt;
    if (metrics->back().generation != generation_) return std::nullopt;
    *counts[i] = static_cast<int64_t>(metrics->back().value);
  }
  if (result.games() != options_.config.loop.final_games / 2 * 2) return std::nullopt;
  return result;
}

absl::StatusOr<MatchResult> TrainingRun::FinalMatch() {
  const LoopOptions& loop = options_.config.loop;
  if (const std::optional<MatchResult> played = PlayedFinalMatch()) return *played;
  const absl::StatusOr<LoadedNetwork> last = LoadNetwork(NetworkPath(generation_), *options_.rules);
  if (!last.ok()) return last.status();
  const absl::StatusOr<LoadedNetwork> first = LoadNetwork(NetworkPath(0), *options_.rules);
  if (!first.ok()) return first.status();
  absl::StatusOr<MatchResult> result = PlayMatchOf(
      *last->network, last->info.weights_hash, *first->network, first->info.weights_hash,
      loop.final_games, loop.final_visits, static_cast<uint64_t>(loop.seed));
  if (!result.ok()) return result;
  std::vector<Metric> metrics;
  for (const auto& [name, value] : std::vector<std::pair<std::string, double>>{
           {"final/wins", static_cast<double>(result->wins)},
           {"final/draws", static_cast<double>(result->draws)},
           {"final/losses", static_cast<double>(result->losses)},
           {"final/score", result->score()}}) {
    metrics.push_back({generation_, trainer_->step(), name, value, 0});
  }
  absl::Status status = store_->PutMetrics(std::move(metrics));
  status.Update(store_->Flush());
  if (!status.ok()) return status;
  return result;
}

}  // namespace crossriver
