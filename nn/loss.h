// What training minimises. Includes LibTorch: keep it out of headers that others include.
#ifndef CROSSRIVER_NN_LOSS_H_
#define CROSSRIVER_NN_LOSS_H_

#include <torch/types.h>

#include "nn/network.h"
#include "nn/training_batch.h"

namespace crossriver {

// Means over a batch, weighted by the rows' weights, in fp32. Undefined where the network has no
// such head.
struct Losses {
  torch::Tensor policy;      // cross-entropy of the target with the softmax over legal moves
  torch::Tensor value;       // cross-entropy of the target WDL with the network's
  torch::Tensor plies_left;  // Huber loss of log(1 + plies)
  torch::Tensor reply;       // cross-entropies of the reply's start and end, added
  torch::Tensor total;       // policy + value_weight * value + the others by their weights
  // To look at, not to minimise:
  torch::Tensor agreement;    // rows whose likeliest move is the target's
  torch::Tensor value_error;  // mean square of win - loss against the target's
};

// Scores of the legal moves, [B, M]; -inf for padding.
torch::Tensor PolicyScores(const NetworkOutput& output, const NetworkOptions& options,
                           const TrainingBatch& batch);

Losses ComputeLosses(const NetworkOutput& output, const NetworkOptions& options,
                     double value_weight, const TrainingBatch& batch);

}  // namespace crossriver

#endif  // CROSSRIVER_NN_LOSS_H_
