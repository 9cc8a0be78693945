// Rows as tensors. Includes LibTorch: keep it out of headers that others include.
#ifndef CROSSRIVER_NN_TRAINING_BATCH_H_
#define CROSSRIVER_NN_TRAINING_BATCH_H_

#include <torch/types.h>

#include <memory>
#include <span>
#include <vector>

#include "core/variant_group.h"
#include "nn/network_options.h"
#include "nn/policy_map.h"
#include "nn/training_row.h"

namespace crossriver {

// B rows, M = the most legal moves of any. Missing moves are padded with action (0, 0).
struct TrainingBatch {
  torch::Tensor planes;                     // [B, P, R, W] (box: [B, P, R, L, F])
  torch::Tensor constants;                  // [B, G]
  torch::Tensor starts, ends;               // [B, M] int64, as PolicyAction
  torch::Tensor legal;                      // [B, M] bool
  torch::Tensor policy;                     // [B, M]; padding has 0
  torch::Tensor policy_weight;              // [B]
  torch::Tensor wdl;                        // [B, 3]
  torch::Tensor weight;                     // [B]
  torch::Tensor plies_left;                 // [B], log(1 + plies); 0 where unknown
  torch::Tensor reply_from, reply_to;       // [B] int64; 0 where unknown
  torch::Tensor has_plies_left, has_reply;  // [B], 0 or 1
};

struct BatchOptions {
  torch::Device device = torch::kCPU;
  ElementType type = ElementType::kFloat32;  // of the planes
  // Of the value target: 0 = the game's outcome, 1 = the search's opinion. Where one is missing the
  // other is taken.
  double search_share = 0;
};

// Not synchronised.
class BatchBuilder {
 public:
  // For rows of one variant or of several; see FeatureEncoder.
  BatchBuilder(VariantGroup variants, const NetworkOptions& network, const BatchOptions& options);

  // Row i is seen under the reach symmetry of its variant number symmetries[i] % group size (none:
  // as it is).
  TrainingBatch Build(std::span<const TrainingRow* const> rows,
                      std::span<const uint64_t> symmetries) const;

 private:
  void FillTargets(const TrainingRow& row, const Symmetry* symmetry, int64_t index,
                   TrainingBatch* batch) const;

  const Symmetry* SymmetryOf(const TrainingRow& row, uint64_t number) const;

  VariantGroup variants_;
  FeatureEncoder encoder_;
  PolicyMap policy_;
  NetworkShape shape_;
  bool box_;
  BatchOptions options_;
  std::vector<std::vector<Symmetry>> symmetries_;  // by variant
};

}  // namespace crossriver

#endif  // CROSSRIVER_NN_TRAINING_BATCH_H_
