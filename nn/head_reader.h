// The last steps of an evaluation on the CPU: from what the network makes of each cell to priors of
// the legal moves and WDL. Needs no LibTorch.
#ifndef CROSSRIVER_NN_HEAD_READER_H_
#define CROSSRIVER_NN_HEAD_READER_H_

#include <Eigen/Core>
#include <span>

#include "core/evaluator.h"
#include "nn/network_options.h"
#include "nn/policy_map.h"

namespace crossriver {

// Weights of the small matrices behind the value channels, as in nn/network.h.
struct HeadWeights {
  using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Matrix drops;  // [H*D, 2V]; empty without drops
  Eigen::VectorXf drops_bias;
  Matrix value_hidden;  // [U, 2V]
  Eigen::VectorXf value_hidden_bias;
  Matrix value;  // [3, U]
  Eigen::VectorXf value_bias;
};

// One a thread: it has scratch space of its own.
class HeadReader {
 public:
  HeadReader(const NetworkOptions& options, const NetworkShape& shape, const HeadWeights* weights);

  // Floats a cell in `cells`.
  int stride() const { return stride_; }

  // `cells` is one position's [cells, N*D + V]. Fills `log_priors`, one an action, whose exps sum
  // to 1, and `wdl`. All in fp32.
  void Read(const float* cells, std::span<const PolicyAction> actions, std::span<float> log_priors,
            Wdl* wdl);

 private:
  void Pool(const float* cells);
  const float* StartVector(const float* cells, int start) const;

  const HeadWeights* weights_;
  int num_cells_;
  int depth_;        // D
  int cell_starts_;  // starts that are no drops
  int value_channels_;
  int stride_;
  Eigen::VectorXf pooled_, hidden_, drops_;
};

// Replaces scores by log probabilities. Takes -inf, but not for all.
void LogSoftmax(std::span<float> scores);

}  // namespace crossriver

#endif  // CROSSRIVER_NN_HEAD_READER_H_
