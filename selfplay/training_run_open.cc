// Opening a run: what its folder holds, back into memory.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/durable_file.h"
#include "nn/checkpoint.h"
#include "nn/features.h"
#include "nn/inference_bench.h"
#include "nn/random_network.h"
#include "nn/trainer_state.h"
#include "selfplay/checkpoint_store.h"
#include "selfplay/match_openings.h"
#include "selfplay/training_run.h"

namespace crossriver {

absl::StatusOr<std::unique_ptr<TrainingRun>> TrainingRun::Open(const RunDirectory* directory,
                                                               TrainingRunOptions options) {
  if (absl::Status status = Validate(options.config); !status.ok()) return status;
  std::unique_ptr<TrainingRun> run(new TrainingRun(directory, std::move(options)));
  const absl::Status status = Guarded([&run] { return run->Prepare(); });
  if (!status.ok()) return status;
  return run;
}

absl::Status TrainingRun::Guarded(absl::FunctionRef<absl::Status()> work) {
  try {
    return work();
  } catch (const std::exception& error) {
    return absl::InternalError(absl::StrCat("LibTorch: ", error.what()));
  }
}

TrainingRun::TrainingRun(const RunDirectory* directory, TrainingRunOptions options)
    : directory_(*directory),
      options_(std::move(options)),
      observer_(options_.observer != nullptr ? options_.observer : &silent_),
      opening_classes_(rules().get()),
      window_(options_.variants, options_.config.replay),
      starts_(static_cast<size_t>(std::max(1, options_.config.selfplay.restart_pool))) {}

absl::Status TrainingRun::Prepare() {
  TuneMalloc();
  if (absl::Status status = CheckSharedFeatures(options_.variants); !status.ok()) return status;
  if (absl::Status status = ReadOpenings(); !status.ok()) return status;
  if (absl::Status status = OpenDatabase(); !status.ok()) return status;
  if (absl::Status status = RestoreTrainer(); !status.ok()) return status;
  if (absl::Status status = RestoreGames(); !status.ok()) return status;
  if (absl::Status status = ChooseInference(); !status.ok()) return status;
  weights_ = std::make_unique<NetworkWeights>(options_.variants, options_.device, inference_);
  return PublishCheckpoint(playing_);
}

// Where some games shall begin.
absl::Status TrainingRun::ReadOpenings() {
  const std::string& file = options_.config.selfplay.openings;
  if (options_.config.selfplay.start_opening == 0) return absl::OkStatus();
  const absl::StatusOr<std::string> text = ReadWholeFile(file, kMaxOpeningsBytes);
  if (!text.ok()) return text.status();
  const absl::StatusOr<std::vector<MatchOpening>> openings =
      ParseMatchOpenings(*rules(), *text, file);
  if (!openings.ok()) return openings.status();
  for (const MatchOpening& opening : *openings) openings_.push_back(opening.Reached());
  return absl::OkStatus();
}

absl::Status TrainingRun::OpenDatabase() {
  absl::StatusOr<std::unique_ptr<RunStore>> store = RunStore::Open(directory_);
  if (!store.ok()) return store.status();
  store_ = *std::move(store);
  absl::StatusOr<std::unique_ptr<RunReader>> reader =
      RunReader::Open(directory_, [this](const BadGame& bad) {
        if (absl::Status status = SetAside(bad); !status.ok()) Say(std::string(status.message()));
      });
  if (!reader.ok()) return reader.status();
  reader_ = *std::move(reader);
  absl::StatusOr<std::unique_ptr<EventWriter>> events =
      EventWriter::Create(directory_.path() + "/tensorboard");
  if (!events.ok()) return events.status();
  events_ = *std::move(events);
  sink_ = std::make_unique<GenerationSink>(store_.get());
  return absl::OkStatus();
}

absl::Status TrainingRun::RestoreTrainer() {
  TrainerOptions training = options_.config.training;
  training.seed = GameSeed(static_cast<uint64_t>(options_.config.loop.seed), 0);
  absl::StatusOr<std::unique_ptr<Trainer>> trainer =
      Trainer::Create(options_.variants, options_.config.network, training, options_.device);
  if (!trainer.ok()) return trainer.status();
  trainer_ = *std::move(trainer);
  const absl::StatusOr<NewestCheckpoint> newest = NewestValidCheckpoint(directory_, reader_.get());
  if (!newest.ok()) return newest.status();
  for (const std::string& message : newest->messages) Say(message);
  if (!newest->row.has_value()) {
    if (!newest->any) return BeginTrainer();
    return absl::DataLossError(
        absl::StrCat(directory_.path(),
                     ": none of the checkpoints is whole; restore them from a backup, or "
                     "begin another run"));
  }
  if (!options_.init_from.empty()) {
    Say(absl::StrCat(options_.init_from, " is not used: the run has begun already"));
  }
  const CheckpointRow& row = *newest->row;
  const absl::StatusOr<TrainerState> state =
      LoadTraining(NetworkPath(row.number), OptimizerPath(row.number), *rules());
  if (!state.ok()) return state.status();
  if (absl::Status status = trainer_->SetState(*state); !status.ok()) return status;
  generation_ = row.number;
  trained_rows_ = row.rows;
  // What came after a damaged checkpoint is made again.
  if (absl::Status status = store_->DropCheckpointsAfter(row.number); !status.ok()) return status;
  return RestoreCounters();
}

// Checkpoint 0 of a new run.
absl::Status TrainingRun::BeginTrainer() {
  if (!options_.init_from.empty()) {
    const absl::StatusOr<LoadedNetwork> loaded =
        LoadNetwork(options_.init_from, *rules(), RulesMatch::kAny);
    if (!loaded.ok()) return loaded.status();
    if (loaded->info.options != options_.config.network) {
      return absl::InvalidArgumentError(
          absl::StrCat(options_.init_from, ": a network of ", WriteOptions(loaded->info.options),
                       "; the config's [network] is ", WriteOptions(options_.config.network)));
    }
    if (absl::Status status = trainer_->StartFrom(*loaded->network); !status.ok()) return status;
  }
  return StoreCheckpoint(0, trainer_->network());
}

absl::StatusOr<std::optional<Metric>> TrainingRun::NewestMetric(const char* name) {
  const absl::StatusOr<std::vector<Metric>> metrics = reader_->ReadMetrics(name);
  if (!metrics.ok()) return metrics.status();
  std::optional<Metric> newest;
  for (const Metric& metric : *metrics) {
    if (metric.generation <= generation_) newest = metric;
  }
  return newest;
}

absl::StatusOr<double> TrainingRun::SpentProcessorSeconds() {
  const absl::StatusOr<std::vector<Metric>> metrics = reader_->ReadMetrics(kProcessorMetric);
  if (!metrics.ok()) return metrics.status();
  double seconds = 0;
  for (const Metric& metric : *metrics) {
    if (metric.generation <= generation_) seconds += metric.value;
  }
  return seconds;
}

// What plays, what is still to be trained on, and what it has cost so far.
absl::Status TrainingRun::RestoreCounters() {
  const absl::StatusOr<std::optional<Metric>> playing = NewestMetric(kPlayingMetric);
  if (!playing.ok()) return playing.status();
  const absl::StatusOr<std::optional<Metric>> budget = NewestMetric(kRowBudgetMetric);
  if (!budget.ok()) return budget.status();
  if (budget->has_value()) row_budget_ = (*budget)->value;
  const absl::StatusOr<double> seconds = SpentProcessorSeconds();
  if (!seconds.ok()) return seconds.status();
  cpu_seconds_ = *seconds;
  playing_ = generation_;
  if (options_.config.loop.gate_games < 2 || generation_ == 0) return absl::OkStatus();
  // Killed in its match, the newest network is yet to be tried; until then the one before plays.
  gate_pending_ = !playing->has_value() || (*playing)->generation < generation_;
  playing_ = playing->has_value() ? static_cast<int64_t>((*playing)->value) : 0;
  return absl::OkStatus();
}

// The window, the pool of starts, and the games of a generation that was begun.
absl::Status TrainingRun::RestoreGames() {
  const absl::StatusOr<std::optional<Metric>> total = NewestMetric(kTotalRowsMetric);
  if (!total.ok()) return total.status();
  const int64_t total_rows = total->has_value() ? static_cast<int64_t>((*total)->value) : 0;
  std::vector<GameRecord> begun;
  const absl::StatusOr<std::vector<GameRecord>> done = ReadGames(total_rows, &begun);
  if (!done.ok()) return done.status();
  if (absl::Status status = CheckRulesOf(*done); !status.ok()) return status;
  int64_t read_rows = 0;
  for (const GameRecord& game : *done) read_rows += window_.RowsOf(game);
  window_.CountOlder(std::max<int64_t>(0, total_rows - read_rows));
  for (const GameRecord& game : *done) {
    AddStarts(game);
    if (absl::Status status = window_.Add(game); !status.ok()) {
      status = SetAside({game.id, std::string(status.message())});
      if (!status.ok()) return status;
    }
  }
  for (GameRecord& game : begun) {
    // In a deterministic run they are added to the pool when the generation is done.
    if (!options_.config.selfplay.deterministic) AddStarts(game);
    sink_->Keep(std::move(game));
  }
  return RestoreIds();
}

// The checkpoint has told that the first variant is as it was.
absl::Status TrainingRun::CheckRulesOf(const std::vector<GameRecord>& games) const {
  for (const GameRecord& game : games) {
    if (options_.variants.Find(game.rules_hash) != nullptr) continue;
    if (options_.variants.FindById(game.variant).value_or(0) == 0) continue;
    return absl::FailedPreconditionError(
        absl::StrCat(directory_.path(), ": variant '", game.variant,
                     "' has other rules now than those that the run's games were played under"));
  }
  return absl::OkStatus();
}

// The newest games as far back as window and pool need them, in the order in which they were taken.
// Those of the generation that was under way go to `begun`.
absl::StatusOr<std::vector<GameRecord>> TrainingRun::ReadGames(int64_t total_rows,
                                                               std::vector<GameRecord>* begun) {
  const RunConfig& config = options_.config;
  // Within a generation a deterministic run orders games by their numbers, so all of the oldest
  // generation is needed.
  const int64_t more = config.selfplay.deterministic ? config.loop.games_per_generation : 0;
  const absl::StatusOr<int64_t> by_rows =
      reader_->SequenceBeforeNewestRows(WindowRows(config.replay, total_rows));
  // The pool holds so many of each variant.
  const auto pool = static_cast<int64_t>(options_.variants.size()) * config.selfplay.restart_pool;
  const absl::StatusOr<int64_t> by_games =
      reader_->SequenceBeforeNewest(pool + config.loop.games_per_generation);
  const absl::StatusOr<std::optional<int64_t>> by_generation =
      reader_->FirstSequenceOfGeneration(generation_ + 1);
  if (!by_rows.ok()) return by_rows.status();
  if (!by_games.ok()) return by_games.status();
  if (!by_generation.ok()) return by_generation.status();
  int64_t first = std::min(*by_rows - more, *by_games - more);
  if (by_generation->has_value()) first = std::min(first, **by_generation - 1);
  std::vector<GameRecord> done;
  const absl::Status read =
      reader_->ReadGamesAfter(first, [&](const GameRow& row, GameRecord record) {
        const bool under_way =
            row.generation > generation_ && row.start_kind != StartKind::kImported;
        (under_way ? *begun : done).push_back(std::move(record));
        return true;
      });
  if (!read.ok()) return read;
  if (config.selfplay.deterministic) SortById(&done);
  return done;
}

absl::Status TrainingRun::RestoreIds() {
  const absl::StatusOr<uint64_t> newest = reader_->MaxGameId();
  if (!newest.ok()) return newest.status();
  // A game's number decides its seed: in a deterministic run, lost ones are played again.
  std::vector<uint64_t> gaps;
  if (options_.config.selfplay.deterministic) {
    const absl::StatusOr<std::vector<uint64_t>> missing = reader_->MissingGameIds(1, *newest);
    if (!missing.ok()) return missing.status();
    gaps = *missing;
  }
  ids_ = std::make_unique<LocalGameIds>(static_cast<uint64_t>(options_.config.loop.seed),
                                        *newest + 1, std::move(gaps));
  return absl::OkStatus();
}

absl::Status TrainingRun::ChooseInference() {
  if (options_.config.selfplay.deterministic) {
    if (options_.device.cuda) {
      return absl::InvalidArgumentError("a deterministic run needs device = \"cpu\"");
    }
    // Nothing that a measurement decides, and nothing that depends on what else is in a batch.
    inference_.type = ProcessorHasBFloat16() ? ElementType::kBFloat16 : ElementType::kFloat32;
    inference_.batch = options_.config.selfplay.games;
    inference_.fixed_batch = true;
    return absl::OkStatus();
  }
  if (options_.inference.has_value()) {
    inference_ = *options_.inference;
    return absl::OkStatus();
  }
  const std::shared_ptr<Network> network =
      RandomNetwork(options_.config.network, *rules(), /*seed=*/1);
  const int batch = options_.config.selfplay.games * (options_.device.cuda ? options_.workers : 1);
  SetIntraOpThreads(1);  // as in the workers
  const absl::StatusOr<InferenceSettings> settings =
      FastestSettings(*network, rules(), options_.device, batch);
  if (!settings.ok()) return settings.status();
  inference_ = *settings;
  return absl::OkStatus();
}

absl::Status TrainingRun::PublishCheckpoint(int64_t number) {
  const absl::StatusOr<LoadedNetwork> loaded = LoadNetwork(NetworkPath(number), *rules());
  if (!loaded.ok()) return loaded.status();
  return weights_->Publish(number, *loaded->network, loaded->info.weights_hash);
}

void TrainingRun::StartWorkers() {
  const LoopOptions& loop = options_.config.loop;
  if (loop.cache_megabytes > 0 && !options_.config.selfplay.deterministic) {
    EvalCacheOptions cache;
    cache.max_bytes = static_cast<size_t>(loop.cache_megabytes) << 20;
    cache_.emplace(cache);
  }
  SelfPlaySeams seams;
  seams.ids = ids_.get();
  seams.sink = sink_.get();
  seams.weights = weights_.get();
  seams.cache = cache_.has_value() ? &*cache_ : nullptr;
  seams.starts = &starts_;
  seams.openings = &openings_;
  pool_ = std::make_unique<WorkerPool>(options_.variants, options_.config.selfplay, seams,
                                       options_.workers);
}

std::string TrainingRun::NetworkPath(int64_t checkpoint) const {
  return directory_.checkpoints_path() + "/" + NetworkFileName(checkpoint);
}

std::string TrainingRun::OptimizerPath(int64_t checkpoint) const {
  return directory_.checkpoints_path() + "/" + OptimizerFileName(checkpoint);
}

}  // namespace crossriver
