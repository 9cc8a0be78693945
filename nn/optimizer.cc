#include "nn/optimizer.h"

#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>
#include <torch/version.h>

#include <set>

#include "absl/strings/str_cat.h"

namespace crossriver {
namespace {

using torch::optim::AdamWOptions;
using torch::optim::AdamWParamState;
using torch::optim::OptimizerOptions;
using torch::optim::OptimizerParamState;
using torch::optim::SGDOptions;
using torch::optim::SGDParamState;

auto StateKey(const torch::Tensor& parameter) {
#if TORCH_VERSION_MAJOR >= 2
  return static_cast<void*>(parameter.unsafeGetTensorImpl());
#else
  return c10::guts::to_string(parameter.unsafeGetTensorImpl());
#endif
}

// The tensor `name` of `state`, on the parameter's device; undefined, with `status` set, where it
// is missing or does not fit.
torch::Tensor Fetch(const TensorMap& state, const std::string& name, const torch::Tensor& like,
                    absl::Status* status) {
  const auto found = state.find(name);
  if (found == state.end()) {
    status->Update(absl::InvalidArgumentError(absl::StrCat("optimiser state lacks '", name, "'")));
    return {};
  }
  if (found->second.sizes() != like.sizes() || found->second.scalar_type() != like.scalar_type()) {
    status->Update(absl::InvalidArgumentError(
        absl::StrCat("optimiser state '", name, "' has another shape or type than its parameter")));
    return {};
  }
  return found->second.to(like.device(), like.scalar_type(), /*non_blocking=*/false,
                          /*copy=*/true);
}

}  // namespace

NamedOptimizer::NamedOptimizer(const TrainerOptions& options, const Network& network)
    : kind_(options.optimizer) {
  std::vector<torch::Tensor> decayed, spared;
  for (const auto& item : network.named_parameters()) {
    parameters_.emplace_back(item.key(), item.value());
    (item.value().dim() >= 2 ? decayed : spared).push_back(item.value());
  }
  const std::vector<std::pair<std::vector<torch::Tensor>, double>> groups = {
      {decayed, options.weight_decay}, {spared, 0.0}};
  std::vector<torch::optim::OptimizerParamGroup> parameter_groups;
  for (const auto& [parameters, decay] : groups) {
    std::unique_ptr<OptimizerOptions> group;
    if (kind_ == OptimizerKind::kAdamW) {
      auto adam = std::make_unique<AdamWOptions>(options.learning_rate);
      adam->betas({options.beta1, options.beta2});
      adam->weight_decay(decay);
      group = std::move(adam);
    } else {
      auto sgd = std::make_unique<SGDOptions>(options.learning_rate);
      sgd->momentum(options.momentum);
      sgd->nesterov(options.momentum > 0);
      sgd->weight_decay(decay);
      group = std::move(sgd);
    }
    parameter_groups.emplace_back(parameters, std::move(group));
  }
  if (kind_ == OptimizerKind::kAdamW) {
    optimizer_ = std::make_unique<torch::optim::AdamW>(parameter_groups,
                                                       AdamWOptions(options.learning_rate));
  } else {
    optimizer_ =
        std::make_unique<torch::optim::SGD>(parameter_groups, SGDOptions(options.learning_rate));
  }
}

void NamedOptimizer::SetLearningRate(double rate) {
  for (torch::optim::OptimizerParamGroup& group : optimizer_->param_groups()) {
    group.options().set_lr(rate);
  }
}

TensorMap NamedOptimizer::CopyState() const {
  TensorMap copies;
  auto& state = optimizer_->state();
  for (const auto& [name, parameter] : parameters_) {
    const auto found = state.find(StateKey(parameter));
    if (found == state.end()) continue;
    if (kind_ == OptimizerKind::kAdamW) {
      const auto& adam = static_cast<const AdamWParamState&>(*found->second);
      copies[name + "/exp_avg"] = CopyToCpu(adam.exp_avg());
      copies[name + "/exp_avg_sq"] = CopyToCpu(adam.exp_avg_sq());
      copies[name + "/step"] = torch::tensor({adam.step()}, torch::kLong);
    } else {
      const auto& sgd = static_cast<const SGDParamState&>(*found->second);
      if (sgd.momentum_buffer().defined()) {
        copies[name + "/momentum"] = CopyToCpu(sgd.momentum_buffer());
      }
    }
  }
  return copies;
}

absl::Status NamedOptimizer::SetState(const TensorMap& state) {
  std::set<std::string> used;
  absl::Status status;
  const auto fetch = [&](const std::string& name, const torch::Tensor& like) {
    used.insert(name);
    return Fetch(state, name, like, &status);
  };
  auto& target = optimizer_->state();
  for (const auto& [name, parameter] : parameters_) {
    target.erase(StateKey(parameter));
    if (kind_ == OptimizerKind::kAdamW && state.count(name + "/step") != 0) {
      auto adam = std::make_unique<AdamWParamState>();
      adam->exp_avg(fetch(name + "/exp_avg", parameter));
      adam->exp_avg_sq(fetch(name + "/exp_avg_sq", parameter));
      const torch::Tensor step = fetch(name + "/step", torch::zeros({1}, torch::kLong));
      if (!status.ok()) return status;
      adam->step(step.item<int64_t>());
      target[StateKey(parameter)] = std::move(adam);
    } else if (kind_ == OptimizerKind::kSgd && state.count(name + "/momentum") != 0) {
      auto sgd = std::make_unique<SGDParamState>();
      sgd->momentum_buffer(fetch(name + "/momentum", parameter));
      if (!status.ok()) return status;
      target[StateKey(parameter)] = std::move(sgd);
    }
  }
  for (const auto& [name, tensor] : state) {
    if (used.count(name) != 0) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("optimiser state '", name, "' belongs to no parameter of this optimiser"));
  }
  return absl::OkStatus();
}

}  // namespace crossriver
