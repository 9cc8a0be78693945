#include "nn/head_reader.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace crossriver {

void LogSoftmax(std::span<float> scores) {
  if (scores.empty()) return;
  Eigen::Map<Eigen::ArrayXf> x(scores.data(), static_cast<Eigen::Index>(scores.size()));
  x -= x.maxCoeff();
  x -= std::log(x.exp().sum());
}

HeadReader::HeadReader(const NetworkOptions& options, const NetworkShape& shape,
                       const HeadWeights* weights)
    : weights_(weights),
      num_cells_(shape.cells()),
      depth_(options.policy_channels),
      cell_starts_((shape.cell_vectors() - 1) * shape.cells()),
      value_channels_(options.value_channels),
      stride_(shape.cell_vectors() * options.policy_channels + options.value_channels),
      pooled_(2 * options.value_channels),
      hidden_(options.value_units),
      drops_(shape.hand_kinds * options.policy_channels) {}

void HeadReader::Pool(const float* cells) {
  auto mean = pooled_.head(value_channels_).array();
  auto maximum = pooled_.tail(value_channels_).array();
  mean.setZero();
  maximum.setZero();
  const float* values = cells + stride_ - value_channels_;
  for (int cell = 0; cell < num_cells_; ++cell, values += stride_) {
    const Eigen::Map<const Eigen::ArrayXf> v(values, value_channels_);
    mean += v.max(0.0F);
    maximum = maximum.max(v);  // starts at 0, so this is the rectified maximum
  }
  mean /= static_cast<float>(num_cells_);
}

const float* HeadReader::StartVector(const float* cells, int start) const {
  if (start >= cell_starts_) return drops_.data() + (start - cell_starts_) * depth_;
  // q of a cell is its first vector, p its third.
  const int vector = start >= num_cells_ ? 2 : 0;
  return cells + (start % num_cells_) * stride_ + vector * depth_;
}

void HeadReader::Read(const float* cells, std::span<const PolicyAction> actions,
                      std::span<float> log_priors, Wdl* wdl) {
  Pool(cells);
  hidden_.noalias() = weights_->value_hidden * pooled_;
  hidden_ = (hidden_ + weights_->value_hidden_bias).cwiseMax(0.0F);
  std::array<float, 3> results;
  Eigen::Map<Eigen::Vector3f>(results.data()) = weights_->value * hidden_ + weights_->value_bias;
  LogSoftmax(results);
  *wdl = {std::exp(results[0]), std::exp(results[1]), std::exp(results[2])};

  const bool has_drop = std::any_of(actions.begin(), actions.end(), [this](PolicyAction action) {
    return action.start >= cell_starts_;
  });
  if (has_drop) {
    drops_.noalias() = weights_->drops * pooled_;
    drops_ += weights_->drops_bias;
  }
  const float scale = 1.0F / std::sqrt(static_cast<float>(depth_));
  for (size_t i = 0; i < actions.size(); ++i) {
    const Eigen::Map<const Eigen::VectorXf> start(StartVector(cells, actions[i].start), depth_);
    const Eigen::Map<const Eigen::VectorXf> end(cells + actions[i].end * stride_ + depth_, depth_);
    log_priors[i] = scale * start.dot(end);
  }
  LogSoftmax(log_priors);
}

}  // namespace crossriver
