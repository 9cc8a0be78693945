// Opening a run: what its folder holds, back into memory.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "nn/checkpoint.h"
#include "nn/inference_bench.h"
#include "nn/random_network.h"
#include "nn/trainer_state.h"
#include "selfplay/checkpoint_store.h"
#include "selfplay/training_run.h"

namespace crossriver {

absl::StatusOr<std::unique_ptr<TrainingRun>> TrainingRun::Open(const RunDirectory* directory,
                                                               TrainingRunOptions options) {
  if (absl::Status status = Validate(options.config); !status.ok()) return status;
  std::unique_ptr<TrainingRun> run(new TrainingRun(directory, std::move(options)));
  if (absl::Status status = run->Prepare(); !status.ok()) return status;
  return run;
}

TrainingRun::TrainingRun(const RunDirectory* directory, TrainingRunOptions options)
    : directory_(*directory),
      options_(std::move(options)),
      observer_(options_.observer != nullptr ? options_.observer : &silent_),
      window_(options_.rules, options_.config.replay),
      starts_(static_cast<size_t>(std::max(1, options_.config.selfplay.restart_pool))) {}

absl::Status TrainingRun::Prepare() {
  TuneMalloc();
  if (absl::Status status = OpenDatabase(); !status.ok()) return status;
  if (absl::Status status = RestoreTrainer(); !status.ok()) return status;
  if (absl::Status status = RestoreGames(); !status.ok()) return status;
  if (absl::Status status = ChooseInference(); !status.ok()) return status;
  weights_ = std::make_unique<NetworkWeights>(options_.rules, options_.device, inference_);
  return PublishCheckpoint(playing_);
}

absl::Status TrainingRun::OpenDatabase() {
  absl::StatusOr<std::unique_ptr<RunStore>> store = RunStore::Open(directory_);
  if (!store.ok()) return store.status();
  store_ = *std::move(store);
  absl::StatusOr<std::unique_ptr<RunReader>> reader =
      RunReader::Open(directory_, [this](const BadGame& bad) {
        Say(absl::StrCat("game ", bad.id, " is set aside: ", bad.why));
        if (absl::Status status = store_->Quarantine(bad); !status.ok()) {
          Say(std::string(status.message()));
        }
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
  absl::StatusOr<std::unique_ptr<Trainer>> trainer = Trainer::Create(
      options_.rules, options_.config.network, options_.config.training, options_.device);
  if (!trainer.ok()) return trainer.status();
  trainer_ = *std::move(trainer);
  const absl::StatusOr<NewestCheckpoint> newest = NewestValidCheckpoint(directory_, reader_.get());
  if (!newest.ok()) return newest.status();
  for (const std::string& message : newest->messages) Say(message);
  if (!newest->row.has_value()) return BeginTrainer();
  const CheckpointRow& row = *newest->row;
  const absl::StatusOr<TrainerState> state =
      LoadTraining(NetworkPath(row.number), OptimizerPath(row.number), *options_.rules);
  if (!state.ok()) return state.status();
  if (absl::Status status = trainer_->SetState(*state); !status.ok()) return status;
  generation_ = row.number;
  stored_games_ = row.games;
  playing_ = PlayingCheckpoint(generation_);
  return absl::OkStatus();
}

// Checkpoint 0 of a new run.
absl::Status TrainingRun::BeginTrainer() {
  if (!options_.init_from.empty()) {
    const absl::StatusOr<LoadedNetwork> loaded =
        LoadNetwork(options_.init_from, *options_.rules, RulesMatch::kAny);
    if (!loaded.ok()) return loaded.status();
    if (loaded->info.options != options_.config.network) {
      return absl::InvalidArgumentError(
          absl::StrCat(options_.init_from, ": a network of ", WriteOptions(loaded->info.options),
                       "; the config's [network] is ", WriteOptions(options_.config.network)));
    }
    if (absl::Status status = trainer_->StartFrom(*loaded->network); !status.ok()) return status;
  }
  CheckpointInfo info = DescribeNetwork(options_.config.network, *options_.rules);
  info.run_id = directory_.path();
  absl::Status status = SaveTraining(NetworkPath(0), OptimizerPath(0), trainer_->network(),
                                     trainer_->CopyState(), info);
  if (!status.ok()) return status;
  CheckpointRow row;
  row.network_file = NetworkFileName(0);
  row.optimizer_file = OptimizerFileName(0);
  return RegisterCheckpoint(directory_, store_.get(), row);
}

// With gating, the newest network that was accepted.
int64_t TrainingRun::PlayingCheckpoint(int64_t newest) {
  const absl::StatusOr<std::vector<Metric>> metrics = reader_->ReadMetrics("loop/playing");
  if (!metrics.ok()) return newest;
  int64_t playing = newest;
  for (const Metric& metric : *metrics) {
    if (metric.generation <= newest) playing = static_cast<int64_t>(metric.value);
  }
  return playing;
}

// The window, the pool of starts, and the games of a generation that was begun.
absl::Status TrainingRun::RestoreGames() {
  const absl::StatusOr<GameCounts> counts = reader_->Counts();
  if (!counts.ok()) return counts.status();
  const int64_t window = WindowRows(options_.config.replay, counts->rows);
  const absl::StatusOr<int64_t> by_rows = reader_->SequenceBeforeNewestRows(window);
  const absl::StatusOr<int64_t> by_games =
      reader_->SequenceBeforeNewest(options_.config.selfplay.restart_pool);
  if (!by_rows.ok()) return by_rows.status();
  if (!by_games.ok()) return by_games.status();
  std::vector<GameRecord> games;
  const auto keep = [&games](const GameRow&, GameRecord record) {
    games.push_back(std::move(record));
    return true;
  };
  const int64_t first = std::min(*by_rows, *by_games);
  if (absl::Status status = reader_->ReadGamesAfter(first, keep); !status.ok()) return status;
  if (options_.config.selfplay.deterministic) {
    std::sort(games.begin(), games.end(),
              [](const GameRecord& a, const GameRecord& b) { return a.id < b.id; });
  }
  int64_t read_rows = 0;
  for (const GameRecord& game : games) read_rows += DescribeGame(game).rows;
  window_.CountOlder(std::max<int64_t>(0, counts->rows - read_rows));
  // What came after the checkpoint belongs to the generation that was under way.
  const auto begun = static_cast<size_t>(std::max<int64_t>(0, counts->games - stored_games_));
  const size_t done = games.size() - std::min(games.size(), begun);
  for (size_t i = 0; i < games.size(); ++i) {
    if (i >= done) {
      sink_->Keep(games[i]);
      if (options_.config.selfplay.deterministic) continue;  // added when the generation is done
      starts_.Add(*options_.rules, games[i]);
      continue;
    }
    starts_.Add(*options_.rules, games[i]);
    if (absl::Status status = window_.Add(games[i]); !status.ok()) {
      const BadGame bad = {games[i].id, std::string(status.message())};
      Say(absl::StrCat("game ", bad.id, " is set aside: ", bad.why));
      if (status = store_->Quarantine(bad); !status.ok()) return status;
    }
  }
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
    // Nothing that a measurement decides, and nothing that depends on what else is in a batch.
    inference_.type = ProcessorHasBFloat16() && !options_.device.cuda ? ElementType::kBFloat16
                                                                      : ElementType::kFloat32;
    inference_.batch = options_.config.selfplay.games;
    inference_.fixed_batch = true;
    return absl::OkStatus();
  }
  if (options_.inference.has_value()) {
    inference_ = *options_.inference;
    return absl::OkStatus();
  }
  const std::shared_ptr<Network> network =
      RandomNetwork(options_.config.network, *options_.rules, /*seed=*/1);
  const int batch = options_.config.selfplay.games * (options_.device.cuda ? options_.workers : 1);
  const absl::StatusOr<InferenceSettings> settings =
      FastestSettings(*network, options_.rules, options_.device, batch);
  if (!settings.ok()) return settings.status();
  inference_ = *settings;
  return absl::OkStatus();
}

absl::Status TrainingRun::PublishCheckpoint(int64_t number) {
  const absl::StatusOr<LoadedNetwork> loaded = LoadNetwork(NetworkPath(number), *options_.rules);
  if (!loaded.ok()) return loaded.status();
  weights_->Publish(number, *loaded->network, loaded->info.weights_hash);
  return absl::OkStatus();
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
  pool_ = std::make_unique<WorkerPool>(options_.rules, options_.config.selfplay, seams,
                                       options_.workers);
}

std::string TrainingRun::NetworkPath(int64_t checkpoint) const {
  return directory_.checkpoints_path() + "/" + NetworkFileName(checkpoint);
}

std::string TrainingRun::OptimizerPath(int64_t checkpoint) const {
  return directory_.checkpoints_path() + "/" + OptimizerFileName(checkpoint);
}

}  // namespace crossriver
