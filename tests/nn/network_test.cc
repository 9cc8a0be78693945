// The network and its folded form.
#include "nn/network.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/movegen.h"
#include "nn/folded_network.h"
#include "nn/head_reader.h"
#include "nn/loss.h"
#include "nn/practice_games.h"
#include "nn/training_batch.h"
#include "tests/nn/nn_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::ScrambledNetwork;
using testing::SmallOptions;

struct NetworkCase {
  std::string name;
  std::string variant;
  NetworkOptions options;
};

void PrintTo(const NetworkCase& c, std::ostream* out) { *out << c.name; }

std::vector<NetworkCase> NetworkCases() {
  std::vector<NetworkCase> cases;
  for (const char* variant : {"switchback", "xiangqi", "minishogi", "shoxiang-xq-strong"}) {
    cases.push_back({std::string(variant) + " small", variant, SmallOptions()});
  }
  NetworkOptions plain = SmallOptions();
  plain.pooling_every = 0;
  plain.plies_left_weight = 0;
  plain.reply_weight = 0;
  cases.push_back({"no extras", "shoxiang-sh-standard", plain});
  NetworkOptions squeezed = SmallOptions();
  squeezed.squeeze_units = 4;
  cases.push_back({"squeezed", "shogi", squeezed});
  for (const auto& [name, geometry] : Geometries()) {
    NetworkOptions options = SmallOptions();
    options.geometry = geometry;
    cases.push_back({"switchback " + name, "switchback", options});
  }
  return cases;
}

TrainingBatch SomeBatch(const Rules& rules, const NetworkOptions& options,
                        const std::vector<TrainingRow>& rows) {
  std::vector<const TrainingRow*> pointers;
  for (const TrainingRow& row : rows) pointers.push_back(&row);
  return BatchBuilder(testing::Unowned(rules), options, {}).Build(pointers, {});
}

class NetworkTest : public ::testing::TestWithParam<NetworkCase> {};

TEST_P(NetworkTest, CountsItsParameters) {
  const Rules& rules = testing::RulesOf(GetParam().variant);
  const std::shared_ptr<Network> network = MakeNetwork(GetParam().options, rules);
  EXPECT_EQ(network->NumParameters(), CountParameters(network->options(), network->shape()));
}

// Folded weights, loops of our own and the Eigen heads give what the training network gives.
TEST_P(NetworkTest, FoldedEqualsTraining) {
  const Rules& rules = testing::RulesOf(GetParam().variant);
  const NetworkOptions& options = GetParam().options;
  const std::shared_ptr<Network> network = ScrambledNetwork(options, rules);
  const std::vector<TrainingRow> rows = PracticeRows(rules, {.rows = 8, .seed = 3});
  const TrainingBatch batch = SomeBatch(rules, options, rows);
  const torch::NoGradGuard no_grad;
  const NetworkOutput expected = network->Forward(batch.planes, batch.constants);
  const FoldedNetwork folded(*network, FoldOptions{.batch = 8});
  const torch::Tensor cells = folded.Cells(batch.planes, batch.constants);
  const torch::Tensor vectors = cells.narrow(1, 0, expected.cell_vectors.size(1));
  EXPECT_TRUE(torch::allclose(vectors, expected.cell_vectors, 1e-4, 1e-4))
      << (vectors - expected.cell_vectors).abs().max();
}

TEST_P(NetworkTest, AbsentHeadsAreAbsent) {
  const Rules& rules = testing::RulesOf(GetParam().variant);
  const NetworkOptions& options = GetParam().options;
  const std::shared_ptr<Network> network = MakeNetwork(options, rules);
  network->eval();
  const std::vector<TrainingRow> rows = PracticeRows(rules, {.rows = 2});
  const TrainingBatch batch = SomeBatch(rules, options, rows);
  const NetworkOutput output = network->Forward(batch.planes, batch.constants);
  EXPECT_EQ(output.plies_left.defined(), options.plies_left_weight > 0);
  EXPECT_EQ(output.reply_from.defined(), options.reply_weight > 0);
  EXPECT_EQ(output.reply_to.defined(), options.reply_weight > 0);
  EXPECT_EQ(output.drop_vectors.defined(), rules.has_drops());
}

INSTANTIATE_TEST_SUITE_P(All, NetworkTest, ::testing::ValuesIn(NetworkCases()),
                         [](const auto& test) { return testing::TestName(test.param.name); });

// The first network knows nothing: all results are as likely, and no move stands out.
TEST(FreshNetworkTest, IsNearUniform) {
  const Rules& rules = testing::RulesOf("switchback");
  torch::manual_seed(1);
  const std::shared_ptr<Network> network = MakeNetwork({}, rules);
  network->eval();
  const std::vector<TrainingRow> rows = PracticeRows(rules, {.rows = 16});
  const TrainingBatch batch = SomeBatch(rules, network->options(), rows);
  const torch::NoGradGuard no_grad;
  const NetworkOutput output = network->Forward(batch.planes, batch.constants);
  EXPECT_TRUE(
      torch::allclose(torch::softmax(output.wdl, 1), torch::full({16, 3}, 1.0 / 3), 1e-4, 1e-4));
  const torch::Tensor priors = torch::softmax(PolicyScores(output, network->options(), batch), 1);
  EXPECT_LT(priors.max().item<float>(), 0.5F);
}

TEST(OptionsTest, TextRoundTrip) {
  for (const NetworkCase& c : NetworkCases()) {
    const absl::StatusOr<NetworkOptions> read = ReadOptions(WriteOptions(c.options));
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(*read, c.options) << c.name;
  }
}

TEST(OptionsTest, BadTextIsNamed) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"chanels=64", "did you mean 'channels'"},
      {"channels=x", "channels: 'x' is no number"},
      {"channels=0", "channels: expected 4 to 1024, got 0"},
      {"geometry=round", "unknown geometry 'round'"},
      {"channels=8 pooling_channels=9", "pooling_channels: 9 are more than"},
      {"reply_weight=nan", "reply_weight: expected 0 to 100"},
      {"channels", "channels: '' is no number"}};
  for (const auto& [text, message] : cases) {
    const absl::Status status = ReadOptions(text).status();
    EXPECT_FALSE(status.ok()) << text;
    EXPECT_NE(std::string(status.message()).find(message), std::string::npos) << status;
  }
}

}  // namespace
}  // namespace crossriver
