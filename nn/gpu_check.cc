// crossriver_gpu_check: does training and evaluation on a device do what they do on the CPU, and
// how fast. Needs only LibTorch, Abseil, Eigen and toml++, so that it can be built where nothing
// else is; tools/gpu_check.sh does that.
//
//   crossriver_gpu_check [DEVICE [quick]]     DEVICE: auto, cpu, cuda:N
#include <cmath>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/batching_evaluator.h"
#include "core/variant_loader.h"
#include "nn/evaluation_difference.h"
#include "nn/inference_bench.h"
#include "nn/practice_games.h"
#include "nn/random_network.h"
#include "nn/torch_info.h"
#include "nn/trainer.h"
#include "nn/training_bench.h"

namespace crossriver {
namespace {

struct CheckOptions {
  DeviceChoice device;
  bool quick = false;  // a rehearsal: small networks, short measurements
};

class GpuCheck {
 public:
  GpuCheck(std::shared_ptr<const Rules> rules, const CheckOptions& options)
      : rules_(std::move(rules)), options_(options) {
    size_.channels = options.quick ? 32 : 64;
    size_.blocks = options.quick ? 2 : 6;
    size_.pooling_every = 2;
  }

  // Everything; true where all went well.
  bool Run() {
    CheckTraining(ElementType::kFloat32);
    if (options_.device.cuda || ProcessorHasBFloat16()) CheckTraining(ElementType::kBFloat16);
    CheckPrecision();
    CheckQueue();
    MeasureInference(size_);
    if (!options_.quick) MeasureInference({.channels = 128, .blocks = 10});
    MeasureTraining();
    return failures_ == 0;
  }

 private:
  void Say(bool ok, const std::string& text) {
    std::printf("%-6s %s\n", ok ? "ok" : "FAILED", text.c_str());
    std::fflush(stdout);
    if (!ok) ++failures_;
  }
  void Fail(const char* what, const absl::Status& status) {
    Say(false, absl::StrCat(what, ": ", absl::string_view(status.message())));
  }

  // Trains on practice games; the network of the last call is kept for the other checks.
  void CheckTraining(ElementType type);
  void CheckPrecision();
  void CheckQueue();
  void MeasureInference(const NetworkOptions& size);
  void MeasureTraining();

  std::shared_ptr<const InferenceModel> Model(const DeviceChoice& device, ElementType type) const {
    return std::make_shared<InferenceModel>(*network_, rules_, 0, device,
                                            InferenceSettings{.type = type, .batch = 64});
  }

  std::shared_ptr<const Rules> rules_;
  CheckOptions options_;
  NetworkOptions size_;
  std::shared_ptr<Network> network_;
  int failures_ = 0;
};

void GpuCheck::CheckTraining(ElementType type) {
  const int steps = options_.quick ? 80 : 300;
  const std::vector<TrainingRow> rows =
      PracticeRows(*rules_, {.rows = options_.quick ? 1500 : 20000});
  std::vector<const TrainingRow*> sample;
  for (size_t i = 0; i < 1000; ++i) sample.push_back(&rows[i]);
  TrainerOptions options;
  options.type = type;
  options.threads = 1;
  options.warmup_steps = 10;
  options.learning_rate = 2e-3;
  options.ema_decay = 0.9;
  auto trainer = Trainer::Create(rules_, size_, options, options_.device);
  if (!trainer.ok()) return Fail("training", trainer.status());
  const absl::StatusOr<LossReport> before = (*trainer)->Evaluate(sample);
  std::mt19937_64 random(1);
  for (int step = 0; step < steps; ++step) {
    std::vector<const TrainingRow*> batch;
    for (int i = 0; i < 128; ++i) batch.push_back(&rows[random() % rows.size()]);
    const absl::StatusOr<StepReport> report = (*trainer)->Step(batch);
    if (!report.ok()) return Fail("training", report.status());
  }
  const absl::StatusOr<LossReport> after = (*trainer)->Evaluate(sample);
  if (!before.ok() || !after.ok()) return Fail("training", after.status());
  const double least = options_.quick ? 0.1 : 0.2;
  Say(after->policy < before->policy - least && std::isfinite(after->total),
      absl::StrCat("training in ", ToString(type), ", ", steps, " steps: policy loss ",
                   before->policy, " to ", after->policy));
  auto exported = (*trainer)->Export(sample);
  if (!exported.ok()) return Fail("export", exported.status());
  network_ = *exported;
}

void GpuCheck::CheckPrecision() {
  if (network_ == nullptr) return;
  const std::vector<SamplePosition> samples =
      RandomPositions(*rules_, options_.quick ? 100 : 1000, /*seed=*/2);
  NetworkEvaluator exact(Model(DeviceChoice{}, ElementType::kFloat32));
  std::vector<ElementType> types = {ElementType::kFloat32};
  if (options_.device.cuda) types.push_back(ElementType::kFloat16);
  if (options_.device.cuda || ProcessorHasBFloat16()) types.push_back(ElementType::kBFloat16);
  for (const ElementType type : types) {
    NetworkEvaluator evaluator(Model(options_.device, type));
    const absl::StatusOr<EvaluationDifference> difference =
        CompareEvaluators(&exact, &evaluator, samples);
    if (!difference.ok()) {
      Fail("evaluation", difference.status());
      continue;
    }
    // TF32 products of a GPU count as fp32.
    const double tolerance = type == ElementType::kFloat32 ? 0.01 : kPrecisionTolerance;
    Say(difference->max_policy <= tolerance && difference->max_wdl <= tolerance,
        absl::StrCat("evaluation in ", ToString(type), " against the CPU in float32, ",
                     difference->positions, " positions: at most ", difference->max_policy,
                     " in a move's probability, ", difference->max_wdl, " in a result's"));
  }
}

void GpuCheck::CheckQueue() {
  if (network_ == nullptr) return;
  const std::vector<SamplePosition> samples = RandomPositions(*rules_, 64, /*seed=*/3);
  const auto model = Model(options_.device, ElementType::kFloat32);
  BatchingEvaluator queue(std::make_unique<NetworkEvaluator>(model), {.max_batch = 64});
  std::vector<Evaluation> results(samples.size());
  std::vector<absl::Status> statuses(samples.size());
  std::vector<std::thread> threads;
  for (size_t i = 0; i < samples.size(); ++i) {
    threads.emplace_back([&, i] {
      const EvaluationRequest request = samples[i].request();
      statuses[i] = queue.Evaluate({&request, 1}, {&results[i], 1});
    });
  }
  for (std::thread& thread : threads) thread.join();
  NetworkEvaluator direct(model);
  double worst = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    if (!statuses[i].ok()) return Fail("queue", statuses[i]);
    const EvaluationRequest request = samples[i].request();
    Evaluation expected;
    const absl::Status status = direct.Evaluate({&request, 1}, {&expected, 1});
    if (!status.ok()) return Fail("queue", status);
    for (size_t move = 0; move < expected.log_priors.size(); ++move) {
      worst = std::max<double>(worst,
                               std::abs(expected.log_priors[move] - results[i].log_priors[move]));
    }
  }
  Say(worst < 0.01,
      absl::StrCat("queue: ", samples.size(), " threads in ", queue.statistics().calls,
                   " passes, log priors differ by at most ", worst));
}

void GpuCheck::MeasureInference(const NetworkOptions& size) {
  InferenceBenchOptions options;
  options.device = options_.device;
  options.max_workers = options_.device.cuda ? 2 : 1;
  options.seconds = options_.quick ? 0.05 : 1;
  options.repeats = options_.quick ? 1 : 3;
  const absl::StatusOr<InferenceBenchReport> report = RunInferenceBench(
      *RandomNetwork(size, *rules_, /*seed=*/1), rules_, options, [](const InferenceBenchRow& row) {
        std::printf("       %-46s %d workers %10.0f positions/s\n", ToString(row.settings).c_str(),
                    row.workers, row.positions_per_second);
        std::fflush(stdout);
      });
  if (!report.ok()) return Fail("inference", report.status());
  Say(true, absl::StrCat("inference ", size.channels, "x", size.blocks, ": ",
                         ToString(report->best.settings), ", ", report->best.positions_per_second,
                         " positions/s, ", report->ratio_to_bare_loop, " of the bare loop"));
}

void GpuCheck::MeasureTraining() {
  TrainingBenchOptions options;
  options.network = size_;
  options.trainer.threads = 1;
  options.device = options_.device;
  options.batch = options_.quick ? 64 : 256;
  options.steps = options_.quick ? 2 : 20;
  options.repeats = options_.quick ? 1 : 3;
  const absl::StatusOr<std::vector<TrainingBenchRow>> rows = RunTrainingBench(rules_, options);
  if (!rows.ok()) return Fail("training speed", rows.status());
  for (const TrainingBenchRow& row : *rows) {
    Say(true,
        absl::StrCat("training ", size_.channels, "x", size_.blocks, " in ", ToString(row.type),
                     ", batch ", row.batch, ": ", row.rows_per_second, " rows/s"));
  }
}

int Main(int argc, char** argv) {
  const absl::StatusOr<DeviceChoice> device = ChooseDevice(argc > 1 ? argv[1] : "auto");
  if (!device.ok()) {
    std::fprintf(stderr, "%s\n", std::string(device.status().message()).c_str());
    return 2;
  }
  const bool quick = argc > 2 && std::string(argv[2]) == "quick";
  TuneMalloc();
  SetIntraOpThreads(1);
  std::printf("LibTorch %s; device %s\n", TorchInfo().c_str(), ToString(*device).c_str());
  const bool ok = GpuCheck(*LoadBuiltin("switchback"), {*device, quick}).Run();
  std::printf("%s\n", ok ? "all went well" : "some checks FAILED");
  return ok ? 0 : 1;
}

}  // namespace
}  // namespace crossriver

int main(int argc, char** argv) { return crossriver::Main(argc, argv); }
