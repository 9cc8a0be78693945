// Rows under symmetries: what the network is shown and what it is asked must turn together.
#include "nn/training_batch.h"

#include <gtest/gtest.h>

#include "core/variant_loader.h"
#include "nn/loss.h"
#include "nn/practice_games.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

TrainingRow Image(const TrainingRow& row, const Symmetry& symmetry) {
  TrainingRow image = row;
  image.position = symmetry.Map(row.position);
  for (Move& move : image.moves) move = symmetry.Map(move);
  if (row.reply.has_value()) image.reply = symmetry.Map(*row.reply);
  return image;
}

void ExpectEqual(const TrainingBatch& a, const TrainingBatch& b) {
  EXPECT_TRUE(at::equal(a.planes, b.planes));
  EXPECT_TRUE(at::equal(a.constants, b.constants));
  EXPECT_TRUE(at::equal(a.starts, b.starts));
  EXPECT_TRUE(at::equal(a.ends, b.ends));
  EXPECT_TRUE(at::equal(a.policy, b.policy));
  EXPECT_TRUE(at::equal(a.wdl, b.wdl));
  EXPECT_TRUE(at::equal(a.reply_from, b.reply_from));
  EXPECT_TRUE(at::equal(a.reply_to, b.reply_to));
}

class TrainingBatchTest : public ::testing::TestWithParam<std::string> {};

TEST_P(TrainingBatchTest, AugmentationEqualsTheImage) {
  const Rules& rules = testing::RulesOf(GetParam());
  const std::vector<Symmetry> group = FindSymmetries(rules).reach;
  const std::vector<TrainingRow> rows = PracticeRows(rules, {.rows = 40, .seed = 9});
  const BatchBuilder builder(testing::SharedRulesOf(GetParam()), {}, {});
  for (uint64_t s = 0; s < group.size(); ++s) {
    for (const TrainingRow& row : rows) {
      const TrainingRow image = Image(row, group[s]);
      const TrainingRow* const original[] = {&row};
      const TrainingRow* const imaged[] = {&image};
      const uint64_t symmetry[] = {s + group.size()};
      ExpectEqual(builder.Build(original, symmetry), builder.Build(imaged, {}));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, TrainingBatchTest, ::testing::ValuesIn(BuiltinVariantIds()),
                         [](const auto& test) { return testing::TestName(test.param); });

// Rows of variants that share a network, in one batch: each as by itself, so with its own variant's
// constants, and those differ.
TEST(TrainingBatchTest, VariantsShareABatch) {
  const auto weak = testing::SharedRulesOf("shoxiang-sh-weak");
  const auto strong = testing::SharedRulesOf("shoxiang-sh-strong");
  const absl::StatusOr<VariantGroup> group = VariantGroup::Create({weak, strong});
  ASSERT_TRUE(group.ok()) << group.status();
  const BatchBuilder together(*group, {}, {});
  const std::vector<TrainingRow> weak_rows = PracticeRows(*weak, {.rows = 6, .seed = 3});
  const std::vector<TrainingRow> strong_rows = PracticeRows(*strong, {.rows = 6, .seed = 3});
  for (size_t i = 0; i < weak_rows.size(); ++i) {
    const TrainingRow* const both[] = {&weak_rows[i], &strong_rows[i]};
    const uint64_t symmetries[] = {i, i + 1};
    const TrainingBatch batch = together.Build(both, symmetries);
    for (const int64_t row : {0, 1}) {
      const TrainingRow* const one[] = {both[row]};
      const uint64_t symmetry[] = {symmetries[row]};
      const TrainingBatch alone =
          BatchBuilder(row == 0 ? weak : strong, {}, {}).Build(one, symmetry);
      EXPECT_TRUE(at::equal(batch.planes[row], alone.planes[0]));
      EXPECT_TRUE(at::equal(batch.constants[row], alone.constants[0]));
      EXPECT_TRUE(at::equal(batch.policy[row].narrow(0, 0, alone.policy.size(1)), alone.policy[0]));
    }
    EXPECT_FALSE(at::equal(batch.constants[0], batch.constants[1]));
  }
}

TEST(ValueTargetTest, MixesWhatIsThere) {
  const Rules& rules = testing::RulesOf("minishogi");
  TrainingRow row = PracticeRows(rules, {.rows = 1})[0];
  const Wdl outcome = {1, 0, 0}, search = {0.2F, 0.3F, 0.5F};
  struct Case {
    bool has_outcome, has_search;
    Wdl expected;
  };
  const Case cases[] = {
      {true, true, {0.8F, 0.075F, 0.125F}}, {true, false, outcome}, {false, true, search}};
  const BatchBuilder builder(testing::SharedRulesOf("minishogi"), {}, {.search_share = 0.25});
  for (const Case& c : cases) {
    row.outcome = c.has_outcome ? std::optional(outcome) : std::nullopt;
    row.search = c.has_search ? std::optional(search) : std::nullopt;
    const TrainingRow* const rows[] = {&row};
    const TrainingBatch batch = builder.Build(rows, {});
    const auto* wdl = batch.wdl.data_ptr<float>();
    EXPECT_FLOAT_EQ(wdl[0], c.expected.win);
    EXPECT_FLOAT_EQ(wdl[1], c.expected.draw);
    EXPECT_FLOAT_EQ(wdl[2], c.expected.loss);
  }
}

// Losses written out by hand for two rows of a network that scores all moves alike.
TEST(LossTest, ByHand) {
  const auto shared = testing::SharedRulesOf("minishogi");
  const Rules& rules = *shared;
  const NetworkOptions options;
  std::vector<TrainingRow> rows = PracticeRows(rules, {.rows = 2});
  rows[0].weight = 3;
  rows[1].policy_weight = 0;
  const TrainingRow* const pointers[] = {&rows[0], &rows[1]};
  const TrainingBatch batch = BatchBuilder(shared, options, {}).Build(pointers, {});
  NetworkOutput output;
  output.cell_vectors = at::zeros({2, 3 * options.policy_channels, 5, 5});
  output.drop_vectors =
      at::zeros({2, static_cast<int64_t>(rules.hand_kinds().size()), options.policy_channels});
  output.wdl = at::tensor({1.0F, 0.0F, 0.0F, 0.0F, 0.0F, 2.0F}).view({2, 3});
  const Losses losses = ComputeLosses(output, options, /*value_weight=*/2, batch);
  const double policy = std::log(static_cast<double>(rows[0].moves.size()));
  EXPECT_NEAR(losses.policy.item<double>(), policy, 1e-5);
  const auto* wdl = batch.wdl.data_ptr<float>();
  const double sums[2] = {std::log(std::exp(1) + 2), std::log(std::exp(2) + 2)};
  const double first = sums[0] - wdl[0];
  const double second = sums[1] - 2 * wdl[5];
  const double value = (3 * first + second) / 4;
  EXPECT_NEAR(losses.value.item<double>(), value, 1e-5);
  EXPECT_NEAR(losses.total.item<double>(), policy + 2 * value, 1e-5);
  EXPECT_FALSE(losses.plies_left.defined());
}

}  // namespace
}  // namespace crossriver
