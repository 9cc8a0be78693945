#include "nn/training_bench.h"

#include <chrono>
#include <ctime>
#include <random>
#include <utility>

#include "core/median.h"
#include "nn/practice_games.h"

namespace crossriver {
namespace {

constexpr int kBenchRows = 2048;

double ThreadSeconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::vector<const TrainingRow*> DrawBatch(const std::vector<TrainingRow>& rows, size_t available,
                                          int batch, std::mt19937_64* random) {
  std::vector<const TrainingRow*> drawn;
  for (int i = 0; i < batch; ++i) drawn.push_back(&rows[(*random)() % available]);
  return drawn;
}

absl::Status Train(Trainer* trainer, const std::vector<TrainingRow>& rows, int steps, int batch,
                   std::mt19937_64* random) {
  for (int step = 0; step < steps; ++step) {
    const std::vector<const TrainingRow*> drawn = DrawBatch(rows, rows.size(), batch, random);
    const absl::StatusOr<StepReport> report = trainer->Step(drawn);
    if (!report.ok()) return report.status();
  }
  return absl::OkStatus();
}

absl::StatusOr<double> RowsPerSecond(Trainer* trainer, const std::vector<TrainingRow>& rows,
                                     const TrainingBenchOptions& options) {
  std::mt19937_64 random(1);
  absl::Status status = Train(trainer, rows, 2, options.batch, &random);  // warm-up
  std::vector<double> speeds;
  for (int repeat = 0; repeat < options.repeats && status.ok(); ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    status = Train(trainer, rows, options.steps, options.batch, &random);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    speeds.push_back(options.steps * options.batch / seconds.count());
  }
  if (!status.ok()) return status;
  return Median(std::move(speeds));
}

}  // namespace

absl::StatusOr<std::vector<TrainingBenchRow>> RunTrainingBench(
    std::shared_ptr<const Rules> rules, const TrainingBenchOptions& options) {
  const std::vector<TrainingRow> rows = PracticeRows(*rules, {.rows = kBenchRows});
  std::vector<ElementType> types = {ElementType::kFloat32};
  if (options.device.cuda || ProcessorHasBFloat16()) types.push_back(ElementType::kBFloat16);
  std::vector<TrainingBenchRow> results;
  for (const ElementType type : types) {
    TrainerOptions trainer_options = options.trainer;
    trainer_options.type = type;
    absl::StatusOr<std::unique_ptr<Trainer>> trainer =
        Trainer::Create(rules, options.network, trainer_options, options.device);
    if (!trainer.ok()) return trainer.status();
    const absl::StatusOr<double> speed = RowsPerSecond(trainer->get(), rows, options);
    if (!speed.ok()) return speed.status();
    results.push_back({type, trainer_options.threads, options.batch, *speed});
  }
  return results;
}

absl::StatusOr<std::vector<TrunkBenchRow>> RunTrunkBench(
    std::shared_ptr<const Rules> rules, const TrunkBenchOptions& options,
    const std::function<void(const TrunkBenchRow&)>& report) {
  const std::vector<TrainingRow> rows = PracticeRows(*rules, {.rows = options.rows});
  const size_t trained = rows.size() * 9 / 10;
  std::vector<const TrainingRow*> held_out;
  for (size_t i = trained; i < rows.size(); ++i) held_out.push_back(&rows[i]);
  std::vector<TrunkBenchRow> results;
  for (const auto& [name, geometry] : Geometries()) {
    if (geometry != Geometry::kUnfolded && rules->topology().levels() == 1) continue;
    NetworkOptions network = options.network;
    network.geometry = geometry;
    TrainerOptions trainer_options = options.trainer;
    trainer_options.threads = 1;
    absl::StatusOr<std::unique_ptr<Trainer>> trainer =
        Trainer::Create(rules, network, trainer_options, DeviceChoice{});
    if (!trainer.ok()) return trainer.status();
    std::mt19937_64 random(1);
    TrunkBenchRow row;
    row.geometry = geometry;
    for (int part = 1; part <= options.reports; ++part) {
      const double until = options.seconds * part / options.reports;
      while (row.seconds < until) {
        const double start = ThreadSeconds();
        const absl::StatusOr<StepReport> step =
            (*trainer)->Step(DrawBatch(rows, trained, options.batch, &random));
        if (!step.ok()) return step.status();
        row.seconds += ThreadSeconds() - start;
        ++row.steps;
      }
      const absl::StatusOr<LossReport> losses = (*trainer)->Evaluate(held_out);
      if (!losses.ok()) return losses.status();
      row.held_out = *losses;
      report(row);
      results.push_back(row);
    }
  }
  return results;
}

}  // namespace crossriver
