// Evaluations against the training network's outputs, put together by loops that follow the
// descriptions in nn/network.h and nn/policy_map.h.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "nn/head_reader.h"
#include "nn/network.h"
#include "nn/policy_map.h"
#include "tests/nn/nn_helpers.h"
#include "tests/random_positions.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::Ask;
using testing::MixedPositions;
using testing::RulesOf;
using testing::ScrambledNetwork;

struct HeadsCase {
  std::string name;
  std::string variant;
  Geometry geometry = Geometry::kUnfolded;
};

void PrintTo(const HeadsCase& c, std::ostream* out) { *out << c.name; }

std::vector<HeadsCase> HeadsCases() {
  return {{"no drops, promotions", "switchback"},
          {"mixed", "switchback", Geometry::kMixed},
          {"box", "switchback", Geometry::kBox},
          {"no drops, no promotions", "xiangqi"},
          {"drops", "minishogi"},
          {"drops and pending pieces", "shoxiang-xq-standard"}};
}

// exp(x_i) / sum exp(x_k), in double.
std::vector<double> Softmax(const std::vector<double>& scores) {
  double sum = 0;
  for (const double score : scores) sum += std::exp(score);
  std::vector<double> shares;
  for (const double score : scores) shares.push_back(std::exp(score) / sum);
  return shares;
}

class HeadsTest : public ::testing::TestWithParam<HeadsCase> {
 protected:
  HeadsTest() : rules_(RulesOf(GetParam().variant)) {
    NetworkOptions options = testing::SmallOptions();
    options.geometry = GetParam().geometry;
    network_ = ScrambledNetwork(options, rules_);
  }

  NetworkOutput Forward(const FeatureEncoder& encoder, const SamplePosition& sample) const {
    const NetworkShape& shape = network_->shape();
    const torch::Tensor planes = torch::zeros({1, shape.planes, shape.ranks, shape.columns()});
    const torch::Tensor constants = torch::zeros({1, shape.constants});
    encoder.Encode(sample.position, ContextOf(sample.history), nullptr, planes.data_ptr(),
                   constants.data_ptr<float>());
    if (GetParam().geometry != Geometry::kBox) return network_->Forward(planes, constants);
    return network_->Forward(
        planes.reshape({1, shape.planes, shape.ranks, shape.levels, shape.files}), constants);
  }

  // Vector number `vector` (q, k, p) of a cell.
  std::vector<double> CellVector(const torch::Tensor& vectors, int vector, int cell) const {
    const int depth = network_->options().policy_channels;
    const int cells = network_->shape().cells();
    std::vector<double> numbers;
    for (int d = 0; d < depth; ++d) {
      numbers.push_back(double{vectors.data_ptr<float>()[(vector * depth + d) * cells + cell]});
    }
    return numbers;
  }

  double Score(const NetworkOutput& output, PolicyAction action) const {
    const torch::Tensor vectors = output.cell_vectors.contiguous();
    const int depth = network_->options().policy_channels;
    const int cells = network_->shape().cells();
    const int first_drop = network_->shape().promotions ? 2 * cells : cells;
    std::vector<double> start;
    if (action.start >= first_drop) {
      const torch::Tensor drops = output.drop_vectors.contiguous();
      for (int d = 0; d < depth; ++d) {
        start.push_back(double{drops.data_ptr<float>()[(action.start - first_drop) * depth + d]});
      }
    } else {
      start = CellVector(vectors, action.start >= cells ? 2 : 0, action.start % cells);
    }
    const std::vector<double> end = CellVector(vectors, 1, action.end);
    double product = 0;
    for (size_t d = 0; d < start.size(); ++d) product += start[d] * end[d];
    return product / std::sqrt(depth);
  }

  const Rules& rules_;
  std::shared_ptr<Network> network_;
};

TEST_P(HeadsTest, EvaluationsAreTheTrainingNetworks) {
  const torch::NoGradGuard no_grad;
  const FeatureEncoder encoder(&rules_,
                               {.channels_last = false, .columns = ColumnsOf(GetParam().geometry)});
  const PolicyMap map(&rules_, encoder);
  const std::vector<SamplePosition> samples = MixedPositions(rules_, 20, 71);
  const auto model =
      std::make_shared<InferenceModel>(*network_, testing::SharedRulesOf(GetParam().variant), 1,
                                       DeviceChoice{}, InferenceSettings{});
  const std::vector<Evaluation> results = Ask(model, samples);
  for (size_t i = 0; i < samples.size(); ++i) {
    const NetworkOutput output = Forward(encoder, samples[i]);
    std::vector<double> scores;
    for (const Move move : samples[i].moves) {
      const Side mover = samples[i].position.side_to_move();
      scores.push_back(Score(output, map.Of(move, mover, nullptr)));
    }
    const std::vector<double> priors = Softmax(scores);
    for (size_t move = 0; move < priors.size(); ++move) {
      EXPECT_NEAR(double{results[i].log_priors[move]}, std::log(priors[move]), 1e-3);
    }
    const auto* logits = output.wdl.data_ptr<float>();
    const std::vector<double> wdl =
        Softmax({double{logits[0]}, double{logits[1]}, double{logits[2]}});
    EXPECT_NEAR(double{results[i].wdl.win}, wdl[0], 1e-4);
    EXPECT_NEAR(double{results[i].wdl.draw}, wdl[1], 1e-4);
    EXPECT_NEAR(double{results[i].wdl.loss}, wdl[2], 1e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(All, HeadsTest, ::testing::ValuesIn(HeadsCases()),
                         [](const auto& test) { return testing::TestName(test.param.name); });

TEST(LogSoftmaxTest, IsTheLogarithmOfShares) {
  testing::Random random(1);
  for (const size_t size : std::initializer_list<size_t>{1, 2, 3, 8, 17, 600}) {
    for (const float offset : {0.0F, 5000.0F, -5000.0F}) {
      std::vector<float> scores;
      std::vector<double> plain;
      for (size_t i = 0; i < size; ++i) {
        plain.push_back(random.Between(-64, 64) / 8.0);
        scores.push_back(static_cast<float>(plain.back()) + offset);
      }
      LogSoftmax(scores);
      const std::vector<double> shares = Softmax(plain);
      for (size_t i = 0; i < size; ++i) {
        EXPECT_NEAR(double{scores[i]}, std::log(shares[i]), 1e-4);
      }
    }
  }
}

TEST(LogSoftmaxTest, TakesMinusInfinity) {
  constexpr float kNone = -std::numeric_limits<float>::infinity();
  std::array<float, 4> scores = {kNone, 2, kNone, 2};
  LogSoftmax(scores);
  EXPECT_EQ(scores[0], kNone);
  EXPECT_EQ(scores[2], kNone);
  EXPECT_NEAR(scores[1], std::log(0.5F), 1e-6F);
  EXPECT_NEAR(scores[3], std::log(0.5F), 1e-6F);
}

}  // namespace
}  // namespace crossriver
