// LibTorch's optimisers behind one face, with their state by parameter name. Includes LibTorch:
// keep it out of headers that others include.
#ifndef CROSSRIVER_NN_OPTIMIZER_H_
#define CROSSRIVER_NN_OPTIMIZER_H_

#include <torch/optim/optimizer.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "nn/tensor_map.h"
#include "nn/trainer_options.h"

namespace crossriver {

// Not synchronised. The network's parameters must outlive it.
class NamedOptimizer {
 public:
  NamedOptimizer(const TrainerOptions& options, const Network& network);

  void SetLearningRate(double rate);
  void ZeroGradients() { optimizer_->zero_grad(); }
  void Step() { optimizer_->step(); }

  // The state, as copies on the CPU: "PARAMETER/exp_avg", "PARAMETER/step" and so on. Parameters
  // that have none yet are left out. (LibTorch keys the state by string before 2.0 and by pointer
  // since, so its own format does not outlive a change of version.)
  TensorMap CopyState() const;
  // Errors: names or shapes that do not fit; the state is then undefined.
  absl::Status SetState(const TensorMap& state);

 private:
  OptimizerKind kind_;
  std::vector<std::pair<std::string, torch::Tensor>> parameters_;
  std::unique_ptr<torch::optim::Optimizer> optimizer_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_NN_OPTIMIZER_H_
