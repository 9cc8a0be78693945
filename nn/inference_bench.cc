#include "nn/inference_bench.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "core/median.h"
#include "nn/bare_loop.h"
#include "nn/evaluation_difference.h"
#include "nn/practice_games.h"

namespace crossriver {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kFirstBatch = 32;
constexpr int kFirstCudaBatch = 256;
constexpr int kComparedPositions = 256;
constexpr double kQuickSeconds = 0.15;

class Measurer {
 public:
  Measurer(const Network& network, std::shared_ptr<const Rules> rules,
           const InferenceBenchOptions& options)
      : network_(network),
        rules_(std::move(rules)),
        options_(options),
        samples_(RandomPositions(*rules_, options.positions, options.seed)) {
    for (const SamplePosition& sample : samples_) requests_.push_back(sample.request());
  }

  absl::StatusOr<InferenceBenchReport> Run(
      const std::function<void(const InferenceBenchRow&)>& report);
  // The fastest candidate of type, layout and kernel; adds its rows to `rows`.
  absl::StatusOr<InferenceBenchRow> BestKernel(
      int batch, int workers, const std::function<void(const InferenceBenchRow&)>& report);
  absl::StatusOr<double> Speed(const InferenceSettings& settings, int workers) const;
  // Of settings against fp32, on the first of the positions.
  absl::StatusOr<EvaluationDifference> DifferenceFromFloat(const InferenceSettings& settings) const;

 private:
  std::vector<InferenceSettings> Kernels(int batch) const;
  std::shared_ptr<const InferenceModel> Model(const InferenceSettings& settings) const {
    return std::make_shared<InferenceModel>(network_, rules_, 0, options_.device, settings);
  }
  absl::Status CompareWithBareLoop(InferenceBenchReport* report) const;

  const Network& network_;
  std::shared_ptr<const Rules> rules_;
  InferenceBenchOptions options_;
  std::vector<SamplePosition> samples_;
  std::vector<EvaluationRequest> requests_;
};

// Runs `work(worker, stop)` on so many threads for so long; what they return, a second.
double RunWorkers(int workers, double seconds,
                  const std::function<int64_t(int, const std::atomic<bool>&)>& work) {
  std::atomic<bool> stop = false;
  std::atomic<int64_t> done = 0;
  std::vector<std::thread> threads;
  const auto start = Clock::now();
  for (int worker = 0; worker < workers; ++worker) {
    threads.emplace_back([&, worker] { done += work(worker, stop); });
  }
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  stop = true;
  for (std::thread& thread : threads) thread.join();
  return static_cast<double>(done) / std::chrono::duration<double>(Clock::now() - start).count();
}

std::vector<InferenceSettings> Measurer::Kernels(int batch) const {
  std::vector<ElementType> types = {ElementType::kFloat32};
  if (options_.device.cuda) {
    types.insert(types.end(), {ElementType::kBFloat16, ElementType::kFloat16});
  } else if (ProcessorHasBFloat16()) {
    types.push_back(ElementType::kBFloat16);
  }
  std::vector<InferenceSettings> kernels;
  for (const ElementType type : types) {
    kernels.push_back({.type = type, .channels_last = false, .batch = batch});
    kernels.push_back({.type = type, .batch = batch});
    if (!options_.device.cuda) {
      kernels.push_back({.type = type, .prepacked = true, .batch = batch});
    }
  }
  return kernels;
}

absl::StatusOr<double> Measurer::Speed(const InferenceSettings& settings, int workers) const {
  const std::shared_ptr<const InferenceModel> model = Model(settings);
  std::vector<absl::Status> statuses(static_cast<size_t>(workers));
  std::vector<std::unique_ptr<NetworkEvaluator>> evaluators;
  const auto batch = static_cast<size_t>(settings.batch);
  std::vector<Evaluation> results(batch * static_cast<size_t>(workers));
  for (int worker = 0; worker < workers; ++worker) {
    evaluators.push_back(std::make_unique<NetworkEvaluator>(model));
    const absl::Status status =  // warm-up
        evaluators.back()->Evaluate(std::span(requests_).first(batch),
                                    std::span(results).first(batch));
    if (!status.ok()) return status;
  }
  const double speed =
      RunWorkers(workers, options_.seconds, [&](int worker, const std::atomic<bool>& stop) {
        const auto own = static_cast<size_t>(worker);
        const auto mine = std::span(results).subspan(own * batch, batch);
        int64_t done = 0;
        for (size_t begin = 0; !stop;
             begin = begin + 2 * batch <= requests_.size() ? begin + batch : 0) {
          statuses[own].Update(
              evaluators[own]->Evaluate(std::span(requests_).subspan(begin, batch), mine));
          done += settings.batch;
        }
        return done;
      });
  for (const absl::Status& status : statuses) {
    if (!status.ok()) return status;
  }
  return speed;
}

absl::StatusOr<EvaluationDifference> Measurer::DifferenceFromFloat(
    const InferenceSettings& settings) const {
  NetworkEvaluator exact(Model({.batch = settings.batch}));
  NetworkEvaluator other(Model(settings));
  const std::vector<SamplePosition> compared(
      samples_.begin(),
      samples_.begin() + std::min<int64_t>(kComparedPositions, std::ssize(samples_)));
  return CompareEvaluators(&exact, &other, compared);
}

absl::StatusOr<InferenceBenchRow> Measurer::BestKernel(
    int batch, int workers, const std::function<void(const InferenceBenchRow&)>& report) {
  InferenceBenchRow best;
  for (const InferenceSettings& settings : Kernels(batch)) {
    const absl::StatusOr<double> speed = Speed(settings, workers);
    if (!speed.ok()) return speed.status();
    const InferenceBenchRow row = {settings, workers, *speed};
    report(row);
    if (row.positions_per_second <= best.positions_per_second) continue;
    if (settings.type != ElementType::kFloat32) {
      const absl::StatusOr<EvaluationDifference> difference = DifferenceFromFloat(settings);
      if (!difference.ok()) return difference.status();
      if (difference->max_policy > kPrecisionTolerance ||
          difference->max_wdl > kPrecisionTolerance) {
        continue;
      }
    }
    best = row;
  }
  return best;
}

absl::Status Measurer::CompareWithBareLoop(InferenceBenchReport* report) const {
  const InferenceBenchRow& best = report->best;
  const BareLoop bare(Model(best.settings));
  std::vector<double> full, alone, ratios;
  for (int repeat = 0; repeat < options_.repeats; ++repeat) {
    const absl::StatusOr<double> speed = Speed(best.settings, best.workers);
    if (!speed.ok()) return speed.status();
    full.push_back(*speed);
    alone.push_back(RunWorkers(best.workers, options_.seconds,
                               [&](int, const std::atomic<bool>& stop) { return bare.Run(stop); }));
    ratios.push_back(full.back() / alone.back());
  }
  report->best.positions_per_second = Median(full);
  report->bare_positions_per_second = Median(alone);
  report->ratio_to_bare_loop = Median(ratios);
  const absl::StatusOr<EvaluationDifference> difference = DifferenceFromFloat(best.settings);
  if (!difference.ok()) return difference.status();
  report->max_policy_difference = difference->max_policy;
  report->max_wdl_difference = difference->max_wdl;
  return absl::OkStatus();
}

absl::StatusOr<InferenceBenchReport> Measurer::Run(
    const std::function<void(const InferenceBenchRow&)>& report) {
  InferenceBenchReport result;
  const auto note = [&](const InferenceBenchRow& row) {
    result.rows.push_back(row);
    report(row);
  };
  const int first_batch = options_.device.cuda ? kFirstCudaBatch : kFirstBatch;
  const absl::StatusOr<InferenceBenchRow> kernel =
      BestKernel(first_batch, options_.max_workers, note);
  if (!kernel.ok()) return kernel.status();
  result.best = *kernel;
  const std::vector<int> batches = options_.device.cuda ? std::vector<int>{64, 128, 512, 1024}
                                                        : std::vector<int>{8, 16, 32, 64, 128, 256};
  for (int workers = 1; workers <= options_.max_workers; workers *= 2) {
    for (const int batch : batches) {
      if (batch > options_.positions || (batch == first_batch && workers == kernel->workers))
        continue;
      InferenceSettings settings = kernel->settings;
      settings.batch = batch;
      const absl::StatusOr<double> speed = Speed(settings, workers);
      if (!speed.ok()) return speed.status();
      const InferenceBenchRow row = {settings, workers, *speed};
      note(row);
      if (row.positions_per_second > result.best.positions_per_second) result.best = row;
    }
  }
  const absl::Status status = CompareWithBareLoop(&result);
  if (!status.ok()) return status;
  return result;
}

}  // namespace

absl::StatusOr<InferenceBenchReport> RunInferenceBench(
    const Network& network, std::shared_ptr<const Rules> rules,
    const InferenceBenchOptions& options,
    const std::function<void(const InferenceBenchRow&)>& report) {
  return Measurer(network, std::move(rules), options).Run(report);
}

absl::StatusOr<double> InferenceSpeed(const Network& network, std::shared_ptr<const Rules> rules,
                                      const InferenceBenchOptions& options,
                                      const InferenceSettings& settings, int workers) {
  return Measurer(network, std::move(rules), options).Speed(settings, workers);
}

absl::StatusOr<InferenceSettings> FastestSettings(const Network& network,
                                                  std::shared_ptr<const Rules> rules,
                                                  const DeviceChoice& device, int batch) {
  InferenceBenchOptions options;
  options.device = device;
  options.seconds = kQuickSeconds;
  options.positions = std::max(batch, kComparedPositions);
  const absl::StatusOr<InferenceBenchRow> best =
      Measurer(network, std::move(rules), options)
          .BestKernel(batch, /*workers=*/1, [](const InferenceBenchRow&) {});
  if (!best.ok()) return best.status();
  return best->settings;
}

}  // namespace crossriver
