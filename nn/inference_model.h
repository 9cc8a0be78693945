// The inside of InferenceModel. Includes LibTorch: keep it out of headers that others include.
#ifndef CROSSRIVER_NN_INFERENCE_MODEL_H_
#define CROSSRIVER_NN_INFERENCE_MODEL_H_

#include <memory>
#include <vector>

#include "nn/folded_network.h"
#include "nn/head_reader.h"
#include "nn/network_evaluator.h"
#include "nn/policy_map.h"

namespace crossriver {

struct InferenceModel::Parts {
  Parts(const Network& network, VariantGroup of, const DeviceChoice& device,
        const InferenceSettings& with);

  // The size of a forward pass for so many positions.
  int PassSize(int positions) const;

  // A blank batch on the CPU: planes [batch, P, R, W] of the type and layout the network reads, and
  // constants [batch, G].
  torch::Tensor BlankPlanes() const;
  torch::Tensor BlankConstants() const;

  // Runs the network over the first `size` places of a batch: [size, O, R, W], channels last, fp32,
  // on the CPU.
  torch::Tensor Run(const torch::Tensor& planes, const torch::Tensor& constants, int size) const;

  VariantGroup variants;
  InferenceSettings settings;
  FeatureEncoder encoder;
  PolicyMap policy;
  FoldedNetwork folded;
  HeadWeights heads;
  std::vector<Symmetry> symmetries;  // empty: positions are seen as they are
  uint64_t id = 0;
};

}  // namespace crossriver

#endif  // CROSSRIVER_NN_INFERENCE_MODEL_H_
