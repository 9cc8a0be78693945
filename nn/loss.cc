#include "nn/loss.h"

#include <cmath>
#include <limits>

namespace crossriver {
namespace {

using torch::Tensor;

// The rows of `table`, [B, S, D], that `indices`, [B, M], name: [B, M, D].
Tensor Pick(const Tensor& table, const Tensor& indices) {
  const Tensor offsets =
      torch::arange(table.size(0), indices.options()).unsqueeze(1) * table.size(1);
  // An embedding is a selection of rows whose gradient LibTorch gathers fast.
  return torch::embedding(table.reshape({-1, table.size(2)}), indices + offsets);
}

// Mean of the rows' losses by weight; 0 where all weights are 0.
Tensor WeightedMean(const Tensor& losses, const Tensor& weights) {
  return (losses * weights).sum() / weights.sum().clamp_min(1e-12);
}

Tensor CrossEntropy(const Tensor& logits, const Tensor& target) {
  return torch::nll_loss(torch::log_softmax(logits, 1), target, /*weight=*/{}, at::Reduction::None);
}

}  // namespace

Tensor PolicyScores(const NetworkOutput& output, const NetworkOptions& options,
                    const TrainingBatch& batch) {
  const int64_t depth = options.policy_channels;
  // [B, cells, N*D]: q, k and p of each cell.
  const Tensor cells = output.cell_vectors.flatten(2).transpose(1, 2);
  Tensor starts = cells.narrow(2, 0, depth);
  if (cells.size(2) == 3 * depth)
    starts = torch::cat({starts, cells.narrow(2, 2 * depth, depth)}, 1);
  if (output.drop_vectors.defined()) starts = torch::cat({starts, output.drop_vectors}, 1);
  const Tensor ends = cells.narrow(2, depth, depth);
  const Tensor products = Pick(starts, batch.starts) * Pick(ends, batch.ends);
  const Tensor scores = products.sum(2) / std::sqrt(static_cast<double>(depth));
  return scores.masked_fill(~batch.legal, -std::numeric_limits<float>::infinity());
}

Losses ComputeLosses(const NetworkOutput& output, const NetworkOptions& options,
                     double value_weight, const TrainingBatch& batch) {
  Losses losses;
  const Tensor scores = PolicyScores(output, options, batch);
  const Tensor log_priors = torch::log_softmax(scores, 1).masked_fill(~batch.legal, 0);
  losses.policy =
      WeightedMean(-(batch.policy * log_priors).sum(1), batch.weight * batch.policy_weight);
  const Tensor log_wdl = torch::log_softmax(output.wdl, 1);
  losses.value = WeightedMean(-(batch.wdl * log_wdl).sum(1), batch.weight);
  losses.total = losses.policy + value_weight * losses.value;
  if (output.plies_left.defined()) {
    const Tensor huber =
        torch::smooth_l1_loss(output.plies_left, batch.plies_left, at::Reduction::None);
    losses.plies_left = WeightedMean(huber, batch.weight * batch.has_plies_left);
    losses.total = losses.total + options.plies_left_weight * losses.plies_left;
  }
  if (output.reply_from.defined()) {
    const Tensor entropies = CrossEntropy(output.reply_from, batch.reply_from) +
                             CrossEntropy(output.reply_to, batch.reply_to);
    losses.reply = WeightedMean(entropies, batch.weight * batch.has_reply);
    losses.total = losses.total + options.reply_weight * losses.reply;
  }
  const torch::NoGradGuard no_grad;
  losses.agreement = WeightedMean((scores.argmax(1) == batch.policy.argmax(1)).to(torch::kFloat),
                                  batch.weight * batch.policy_weight);
  const Tensor wdl = log_wdl.exp();
  const auto score = [](const Tensor& x) { return x.select(1, 0) - x.select(1, 2); };
  losses.value_error = WeightedMean((score(wdl) - score(batch.wdl)).square(), batch.weight);
  return losses;
}

}  // namespace crossriver
