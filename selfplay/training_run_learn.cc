// What a generation learns, and the checkpoint that keeps it.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "nn/checkpoint.h"
#include "nn/trainer_state.h"
#include "selfplay/checkpoint_store.h"
#include "selfplay/training_run.h"

namespace crossriver {
namespace {

constexpr std::chrono::milliseconds kReport{100};
// Rows on which the exported network's norms are estimated.
constexpr size_t kNormRows = 4096;
// Batches whose loss is not finite that a run passes over, one after the other.
constexpr int kBadBatches = 3;

std::vector<const TrainingRow*> Pointers(const std::vector<TrainingRow>& rows) {
  std::vector<const TrainingRow*> pointers;
  for (const TrainingRow& row : rows) pointers.push_back(&row);
  return pointers;
}

}  // namespace

// Rows to train on are saved up, for two generations at most, so that training that is cut short by
// the clock does not pile up.
int64_t TrainingRun::StepsToTrain() {
  const LoopOptions& loop = options_.config.loop;
  const double due = loop.reuse * static_cast<double>(new_rows_);
  row_budget_ = std::min(row_budget_ + due, std::max(2 * due, row_budget_));
  if (window_.total_rows() < loop.first_training_rows || window_.rows() == 0) return 0;
  return static_cast<int64_t>(row_budget_ / loop.batch_size);
}

// Seconds that training may take in this generation; none where nothing limits it.
std::optional<double> TrainingRun::SecondsToTrain() const {
  const LoopOptions& loop = options_.config.loop;
  if (loop.training_share >= 1 || loop.schedule == LoopSchedule::kConcurrent ||
      options_.config.selfplay.deterministic || games_per_second_ <= 0) {
    return std::nullopt;
  }
  const double play = loop.games_per_generation / games_per_second_;
  return play * loop.training_share / (1 - loop.training_share);
}

absl::StatusOr<TrainingRun::Learnt> TrainingRun::Learn() {
  Learnt learnt;
  trainer_->SetRunShare(Share());
  const int64_t wanted = StepsToTrain();
  const std::optional<double> most_seconds = SecondsToTrain();
  const auto begin = Clock::now();
  auto reported = begin - kReport;
  LossReport sum;
  double gradient_norms = 0;
  while (learnt.steps < wanted) {
    const absl::StatusOr<StepReport> step = TrainStep();
    if (!step.ok()) return step.status();
    ++learnt.steps;
    AddLosses(step->losses, 1, &sum);
    gradient_norms += step->gradient_norm;
    learnt.learning_rate = step->learning_rate;
    learnt.seconds = SecondsSince(begin);
    if (Clock::now() - reported >= kReport || learnt.steps == wanted) {
      reported = Clock::now();
      observer_->OnTraining({generation_ + 1, learnt.steps, wanted, options_.config.loop.batch_size,
                             step->losses, learnt.seconds});
      if (Interrupted()) return absl::CancelledError("interrupted");
    }
    if (most_seconds.has_value() && learnt.seconds >= *most_seconds) break;
  }
  row_budget_ -= static_cast<double>(learnt.steps * options_.config.loop.batch_size);
  trained_rows_ += learnt.steps * options_.config.loop.batch_size;
  if (learnt.steps > 0) {
    const double share = 1 / static_cast<double>(learnt.steps);
    AddLosses(sum, share, &learnt.losses);
    learnt.gradient_norm = share * gradient_norms;
  }
  return learnt;
}

// Rows follow from the run's seed and the step, so that a resumed run draws the same. After a batch
// whose loss is not finite, others are tried.
absl::StatusOr<StepReport> TrainingRun::TrainStep() {
  absl::StatusOr<StepReport> step;
  for (int attempt = 0; attempt <= kBadBatches; ++attempt) {
    const uint64_t seed = GameSeed(static_cast<uint64_t>(options_.config.loop.seed),
                                   ~static_cast<uint64_t>(trainer_->step()));
    RandomStream random(seed + static_cast<uint64_t>(attempt));
    const std::vector<TrainingRow> rows =
        window_.Sample(static_cast<size_t>(options_.config.loop.batch_size), &random);
    step = trainer_->Step(Pointers(rows));
    if (step.ok()) return step;
    Say(std::string(step.status().message()));
  }
  return step;
}

// The averaged weights with norms of their own. Before the first step, the weights as they are.
absl::StatusOr<std::shared_ptr<const Network>> TrainingRun::ExportNetwork() {
  if (trainer_->step() == 0 || window_.rows() == 0) {
    // Owned by the trainer, which outlives what is made of it here.
    return std::shared_ptr<const Network>(std::shared_ptr<void>(), &trainer_->network());
  }
  RandomStream random(GameSeed(static_cast<uint64_t>(options_.config.loop.seed),
                               static_cast<uint64_t>(generation_)));
  const size_t count = std::min(kNormRows, static_cast<size_t>(window_.rows()));
  const std::vector<TrainingRow> rows = window_.Sample(count, &random);
  absl::StatusOr<std::shared_ptr<Network>> network = trainer_->Export(Pointers(rows));
  if (!network.ok()) return network.status();
  return std::shared_ptr<const Network>(*std::move(network));
}

absl::Status TrainingRun::SaveCheckpoint() {
  const absl::StatusOr<std::shared_ptr<const Network>> network = ExportNetwork();
  if (!network.ok()) return network.status();
  const int64_t number = generation_ + 1;
  // Committed with the checkpoint or before it; a resumed run begins with them.
  absl::Status status = store_->PutMetrics(
      {{number, trainer_->step(), kTotalRowsMetric, static_cast<double>(window_.total_rows()), 0},
       {number, trainer_->step(), kRowBudgetMetric, row_budget_, 0}});
  if (!status.ok()) return status;
  if (status = StoreCheckpoint(number, **network); !status.ok()) return status;
  generation_ = number;
  return GateNewest();
}

// The files, and then the row that makes them count.
absl::Status TrainingRun::StoreCheckpoint(int64_t number, const Network& network) {
  CheckpointInfo info = DescribeNetwork(options_.config.network, *rules());
  info.variants.clear();
  for (const Rules* variant : options_.variants.pointers()) {
    info.variants.push_back(variant->definition().id);
  }
  info.step = trainer_->step();
  info.run_id = directory_.path();
  absl::Status status = SaveTraining(NetworkPath(number), OptimizerPath(number), network,
                                     trainer_->CopyState(), info);
  if (!status.ok()) return status;
  const absl::StatusOr<GameTotals> totals = reader_->CountGames();
  if (!totals.ok()) return totals.status();
  CheckpointRow row;
  row.number = row.generation = number;
  row.step = trainer_->step();
  row.network_file = NetworkFileName(number);
  row.optimizer_file = OptimizerFileName(number);
  row.games = totals->games;
  row.rows = trained_rows_;
  return RegisterCheckpoint(directory_, store_.get(), row);
}

}  // namespace crossriver
