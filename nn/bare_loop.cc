#include "nn/bare_loop.h"

#include <utility>

#include "nn/inference_model.h"

namespace crossriver {

struct BareLoop::Parts {
  std::shared_ptr<const InferenceModel> model;
  torch::Tensor planes, constants;
};

BareLoop::BareLoop(std::shared_ptr<const InferenceModel> model) {
  const c10::InferenceMode inference;
  const InferenceModel::Parts& inside = model->parts();
  const torch::Tensor planes = inside.BlankPlanes();
  planes.copy_(torch::rand(planes.sizes()));
  const torch::Tensor constants = inside.BlankConstants();
  constants.copy_(torch::rand(constants.sizes()));
  parts_ = std::make_unique<Parts>(Parts{std::move(model), planes, constants});
}

BareLoop::~BareLoop() = default;

int64_t BareLoop::Run(const std::atomic<bool>& stop) const {
  const c10::InferenceMode inference;
  const InferenceModel::Parts& inside = parts_->model->parts();
  const int batch = inside.settings.batch;
  int64_t done = 0;
  for (; !stop; done += batch) inside.Run(parts_->planes, parts_->constants, batch);
  return done;
}

}  // namespace crossriver
