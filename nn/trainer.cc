#include "nn/trainer.h"

#include <torch/types.h>
// Needs the types above.
#include <torch/nn/utils/clip_grad.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/fingerprint.h"
#include "nn/loss.h"
#include "nn/optimizer.h"
#include "nn/random_network.h"
#include "nn/trainer_state.h"
#include "nn/training_batch.h"

namespace crossriver {

void AddLosses(const LossReport& part, double share, LossReport* sum) {
  for (double LossReport::*member :
       {&LossReport::total, &LossReport::policy, &LossReport::value, &LossReport::plies_left,
        &LossReport::reply, &LossReport::agreement, &LossReport::value_error}) {
    sum->*member += share * (part.*member);
  }
}

namespace {

constexpr size_t kEvaluationBatch = 256;

double Number(const torch::Tensor& tensor) { return tensor.defined() ? tensor.item<double>() : 0; }

LossReport Report(const Losses& losses) {
  return {Number(losses.total),      Number(losses.policy), Number(losses.value),
          Number(losses.plies_left), Number(losses.reply),  Number(losses.agreement),
          Number(losses.value_error)};
}

// Adds `share` of `part` to `sum`.
std::string GamesOf(std::span<const TrainingRow* const> batch) {
  std::set<uint64_t> games;
  for (const TrainingRow* row : batch) games.insert(row->game_id);
  return absl::StrJoin(games, ", ");
}

template <typename Work>
void InBatches(std::span<const TrainingRow* const> rows, Work work) {
  for (size_t begin = 0; begin < rows.size(); begin += kEvaluationBatch) {
    work(rows.subspan(begin, std::min(kEvaluationBatch, rows.size() - begin)));
  }
}

LossReport EvaluateRows(Network* network, const BatchBuilder& builder, double value_weight,
                        std::span<const TrainingRow* const> rows) {
  const torch::NoGradGuard no_grad;
  network->eval();
  LossReport sum;
  InBatches(rows, [&](std::span<const TrainingRow* const> part) {
    const TrainingBatch batch = builder.Build(part, {});
    const NetworkOutput output = network->Forward(batch.planes, batch.constants);
    AddLosses(Report(ComputeLosses(output, network->options(), value_weight, batch)),
              static_cast<double>(part.size()) / static_cast<double>(rows.size()), &sum);
  });
  return sum;
}

// Replaces the running statistics by those over all rows, each batch counting as much as another.
void EstimateNorms(Network* network, const BatchBuilder& builder,
                   std::span<const TrainingRow* const> rows) {
  const torch::NoGradGuard no_grad;
  network->train();
  TensorMap sums;
  double batches = 0;
  InBatches(rows, [&](std::span<const TrainingRow* const> part) {
    // A momentum of 0.1 leaves running = 0.9 old + 0.1 new: from old = 0 the new is ten times that.
    for (const auto& item : network->named_buffers()) {
      if (item.value().is_floating_point()) item.value().zero_();
    }
    const TrainingBatch batch = builder.Build(part, {});
    network->Forward(batch.planes, batch.constants);
    for (const auto& item : network->named_buffers()) {
      if (!item.value().is_floating_point()) continue;
      torch::Tensor& sum = sums[item.key()];
      const torch::Tensor value = item.value() / kNormMomentum;
      sum = sum.defined() ? sum + value : value;
    }
    ++batches;
  });
  for (const auto& item : network->named_buffers()) {
    if (item.value().is_floating_point()) item.value().copy_(sums.at(item.key()) / batches);
  }
  network->eval();
}

TrainerOptions WithThreads(TrainerOptions options) {
  if (options.threads == 0) options.threads = DefaultWorkers(DeviceChoice());
  return options;
}

class TorchTrainer : public Trainer {
 public:
  TorchTrainer(const VariantGroup& variants, const NetworkOptions& network,
               const TrainerOptions& options, const DeviceChoice& device)
      : rules_(variants.first()),
        options_(WithThreads(options)),
        device_(DeviceOf(device)),
        builder_(variants, network, {device_, options.type, options.search_share}),
        network_(NewNetwork(network)),
        optimizer_(options, *network_) {
    AverageAnew();
  }

  void SetRunShare(double share) override { run_share_ = share; }
  absl::StatusOr<StepReport> Step(std::span<const TrainingRow* const> rows) override;
  absl::StatusOr<LossReport> Evaluate(std::span<const TrainingRow* const> rows) override;
  absl::StatusOr<std::shared_ptr<Network>> Export(
      std::span<const TrainingRow* const> rows) override;
  TrainerState CopyState() const override;
  absl::Status SetState(const TrainerState& state) override;
  absl::Status StartFrom(const Network& network) override;
  int64_t step() const override { return step_; }
  const Network& network() const override { return *network_; }

 private:
  std::shared_ptr<Network> NewNetwork(const NetworkOptions& network) const {
    std::shared_ptr<Network> made = RandomNetwork(network, *rules_, options_.seed);
    made->to(device_);
    return made;
  }
  // What a row is seen under depends on seed, step and its place in the batch alone, so that a
  // resumed training goes on as if it had not stopped.
  std::vector<uint64_t> DrawSymmetries(size_t rows) const {
    KeySequence sequence(KeySequence(options_.seed).Next() + static_cast<uint64_t>(step_));
    std::vector<uint64_t> symmetries(options_.augment ? rows : 0);
    for (uint64_t& symmetry : symmetries) symmetry = sequence.Next() >> 32;
    return symmetries;
  }
  absl::Status NotFinite(const std::string& what, std::span<const TrainingRow* const> rows) const {
    return absl::DataLossError(absl::StrCat("training step ", step_ + 1, ": ", what,
                                            " is not finite; nothing was changed. Games of the "
                                            "batch: ",
                                            GamesOf(rows)));
  }
  absl::StatusOr<StepReport> TryStep(std::span<const TrainingRow* const> rows);
  void AverageAnew() {
    for (const auto& item : network_->named_parameters()) {
      average_[item.key()] = item.value().detach().clone();
    }
  }
  void UpdateAverage();

  std::shared_ptr<const Rules> rules_;
  TrainerOptions options_;
  torch::Device device_;
  BatchBuilder builder_;
  std::shared_ptr<Network> network_;
  NamedOptimizer optimizer_;
  TensorMap average_;
  int64_t step_ = 0;
  double run_share_ = 0;
};

absl::StatusOr<StepReport> TorchTrainer::Step(std::span<const TrainingRow* const> rows) {
  SetIntraOpThreads(options_.threads);
  // Running statistics are the one thing that a failed step has changed.
  TensorMap before;
  for (const auto& item : network_->named_buffers()) before[item.key()] = item.value().clone();
  absl::StatusOr<StepReport> report;
  try {
    report = TryStep(rows);
  } catch (const std::exception& error) {
    report = absl::InternalError(absl::StrCat("training step ", step_ + 1, ": ", error.what()));
  }
  if (!report.ok()) {
    const torch::NoGradGuard no_grad;
    for (const auto& item : network_->named_buffers()) item.value().copy_(before.at(item.key()));
  }
  return report;
}

absl::StatusOr<StepReport> TorchTrainer::TryStep(std::span<const TrainingRow* const> rows) {
  StepReport report;
  report.learning_rate = LearningRate(options_, step_, run_share_);
  const TrainingBatch batch = builder_.Build(rows, DrawSymmetries(rows.size()));
  network_->train();
  const NetworkOutput output = network_->Forward(batch.planes, batch.constants);
  const Losses losses = ComputeLosses(output, network_->options(), options_.value_weight, batch);
  report.losses = Report(losses);
  if (!std::isfinite(report.losses.total)) return NotFinite("the loss", rows);
  optimizer_.ZeroGradients();
  losses.total.backward();
  const double limit = options_.gradient_clip > 0 ? options_.gradient_clip : 1e30;
  report.gradient_norm = torch::nn::utils::clip_grad_norm_(network_->parameters(), limit);
  if (!std::isfinite(report.gradient_norm)) return NotFinite("the gradient", rows);
  optimizer_.SetLearningRate(report.learning_rate);
  optimizer_.Step();
  UpdateAverage();
  ++step_;
  return report;
}

void TorchTrainer::UpdateAverage() {
  const torch::NoGradGuard no_grad;
  const auto steps = static_cast<double>(step_);
  const double decay = std::min(options_.ema_decay, (1 + steps) / (10 + steps));
  for (const auto& item : network_->named_parameters()) {
    average_.at(item.key()).lerp_(item.value(), 1 - decay);
  }
}

absl::StatusOr<LossReport> TorchTrainer::Evaluate(std::span<const TrainingRow* const> rows) {
  SetIntraOpThreads(options_.threads);
  try {
    return EvaluateRows(network_.get(), builder_, options_.value_weight, rows);
  } catch (const std::exception& error) {
    return absl::InternalError(absl::StrCat("evaluation failed: ", error.what()));
  }
}

absl::StatusOr<std::shared_ptr<Network>> TorchTrainer::Export(
    std::span<const TrainingRow* const> rows) {
  if (rows.empty()) {
    return absl::InvalidArgumentError("the exported network's norms need rows to be estimated on");
  }
  SetIntraOpThreads(options_.threads);
  try {
    auto exported = MakeNetwork(network_->options(), *rules_);
    exported->to(device_);
    TensorMap weights = CopyWeights(*network_);
    for (const auto& [name, tensor] : average_) weights[name] = tensor.to(torch::kCPU);
    const absl::Status status = SetWeights(weights, exported.get());
    if (!status.ok()) return status;
    EstimateNorms(exported.get(), builder_, rows);
    return exported;
  } catch (const std::exception& error) {
    return absl::InternalError(absl::StrCat("export failed: ", error.what()));
  }
}

TrainerState TorchTrainer::CopyState() const {
  TrainerState state;
  state.step = step_;
  state.weights = CopyWeights(*network_);
  for (const auto& [name, tensor] : average_) state.average[name] = CopyToCpu(tensor);
  state.optimizer = optimizer_.CopyState();
  return state;
}

absl::Status TorchTrainer::SetState(const TrainerState& state) {
  absl::Status status = SetWeights(state.weights, network_.get());
  if (!status.ok()) return status;
  for (auto& [name, tensor] : average_) {
    const auto found = state.average.find(name);
    if (found == state.average.end() || found->second.sizes() != tensor.sizes()) {
      return absl::InvalidArgumentError(
          absl::StrCat("averaged tensor '", name, "' is missing or of another shape"));
    }
    tensor = found->second.to(device_).clone();
  }
  status = optimizer_.SetState(state.optimizer);
  if (!status.ok()) return status;
  step_ = state.step;
  return absl::OkStatus();
}

absl::Status TorchTrainer::StartFrom(const Network& network) {
  if (absl::Status status = SetWeights(CopyWeights(network), network_.get()); !status.ok()) {
    return status;
  }
  AverageAnew();
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Trainer>> Trainer::Create(const VariantGroup& variants,
                                                         const NetworkOptions& network,
                                                         const TrainerOptions& options,
                                                         const DeviceChoice& device) {
  absl::Status status = Validate(network);
  status.Update(Validate(options));
  if (!status.ok()) return status;
  try {
    return std::make_unique<TorchTrainer>(variants, network, options, device);
  } catch (const std::exception& error) {
    return absl::InternalError(absl::StrCat("no trainer: ", error.what()));
  }
}

absl::StatusOr<LossReport> EvaluateNetwork(Network* network, std::shared_ptr<const Rules> rules,
                                           const TrainerOptions& options,
                                           const DeviceChoice& device,
                                           std::span<const TrainingRow* const> rows) {
  SetIntraOpThreads(WithThreads(options).threads);
  try {
    const BatchBuilder builder(std::move(rules), network->options(),
                               {DeviceOf(device), ElementType::kFloat32, options.search_share});
    return EvaluateRows(network, builder, options.value_weight, rows);
  } catch (const std::exception& error) {
    return absl::InternalError(absl::StrCat("evaluation failed: ", error.what()));
  }
}

}  // namespace crossriver
