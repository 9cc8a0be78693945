// What an evaluation is, and that it does not depend on what else is asked for.
#include "nn/network_evaluator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "core/movegen.h"
#include "core/notation.h"
#include "tests/nn/nn_helpers.h"
#include "tests/random_positions.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::Ask;
using testing::Difference;
using testing::IsSameBits;
using testing::MixedPositions;
using testing::RulesOf;
using testing::ScrambledModel;

// Of results in float32 that other batch sizes bring about.
constexpr double kRounding = 1e-5;

void ExpectDistributions(const std::vector<Evaluation>& results) {
  for (const Evaluation& result : results) {
    double sum = 0;
    for (const float log_prior : result.log_priors) {
      EXPECT_LE(log_prior, 1e-6F);
      sum += std::exp(double{log_prior});
    }
    EXPECT_NEAR(sum, 1, 1e-4);
    const Wdl& wdl = result.wdl;
    EXPECT_NEAR(double{wdl.win} + double{wdl.draw} + double{wdl.loss}, 1, 1e-5);
    for (const float share : {wdl.win, wdl.draw, wdl.loss}) {
      EXPECT_GE(share, 0.0F);
      EXPECT_LE(share, 1.0F);
    }
  }
}

std::vector<SamplePosition> Part(const std::vector<SamplePosition>& samples, size_t begin,
                                 size_t size) {
  const auto at = samples.begin() + static_cast<std::ptrdiff_t>(begin);
  return {at, at + static_cast<std::ptrdiff_t>(size)};
}

class EvaluatorTest : public ::testing::TestWithParam<std::string> {
 protected:
  const Rules& rules() const { return RulesOf(GetParam()); }
  std::vector<SamplePosition> Samples(int count) const {
    return MixedPositions(rules(), count, 21);
  }
};

TEST_P(EvaluatorTest, ResultsAreDistributions) {
  for (const ElementType type : {ElementType::kFloat32, ElementType::kBFloat16}) {
    for (const SymmetryUse use : {SymmetryUse::kNone, SymmetryUse::kAverage}) {
      const auto model = ScrambledModel(rules(), {{.type = type}, use});
      ExpectDistributions(Ask(model, Samples(70)));
    }
  }
}

// One network for several variants says of each what it says of it alone.
TEST(EvaluatorGroupTest, VariantsShareACall) {
  const auto weak = testing::SharedRulesOf("shoxiang-sh-weak");
  const auto strong = testing::SharedRulesOf("shoxiang-sh-strong");
  const absl::StatusOr<VariantGroup> group = VariantGroup::Create({weak, strong});
  ASSERT_TRUE(group.ok()) << group.status();
  const std::shared_ptr<Network> network = testing::ScrambledNetwork({}, *weak, /*seed=*/5);
  const auto model = [&network](const VariantGroup& variants) {
    const InferenceSettings settings = {.batch = 16, .fixed_batch = true};
    return std::make_shared<const InferenceModel>(*network, variants, 1, DeviceChoice{}, settings);
  };
  std::vector<SamplePosition> samples = MixedPositions(*weak, 8, 21);
  const std::vector<SamplePosition> of_strong = MixedPositions(*strong, 8, 22);
  const std::vector<Evaluation> weak_alone = Ask(model(weak), samples);
  const std::vector<Evaluation> strong_alone = Ask(model(strong), of_strong);
  samples.insert(samples.end(), of_strong.begin(), of_strong.end());
  const std::vector<Evaluation> together = Ask(model(*group), samples);
  for (size_t i = 0; i < 8; ++i) {
    EXPECT_TRUE(IsSameBits(together[i], weak_alone[i]));
    EXPECT_TRUE(IsSameBits(together[8 + i], strong_alone[i]));
  }
  // A model of one alone takes none of the other's.
  NetworkEvaluator of_weak(model(weak));
  std::vector<Evaluation> results(samples.size());
  EXPECT_EQ(of_weak.Evaluate(testing::RequestsOf(samples), results).code(),
            absl::StatusCode::kInvalidArgument);
}

// A network that says the same of all positions would pass most tests.
TEST_P(EvaluatorTest, ResultsDependOnThePosition) {
  const std::vector<Evaluation> results = Ask(ScrambledModel(rules()), Samples(20));
  for (size_t i = 1; i < results.size(); ++i) {
    EXPECT_GT(std::abs(results[i].wdl.win - results[0].wdl.win) +
                  std::abs(results[i].wdl.draw - results[0].wdl.draw),
              1e-4F);
  }
}

TEST_P(EvaluatorTest, BatchSizesAgree) {
  const std::vector<SamplePosition> samples = Samples(41);
  const std::vector<Evaluation> expected = Ask(ScrambledModel(rules(), {{.batch = 64}}), samples);
  for (const int batch : {1, 2, 3, 5, 8, 32, 41}) {
    const std::vector<Evaluation> results =
        Ask(ScrambledModel(rules(), {{.batch = batch}}), samples);
    for (size_t i = 0; i < samples.size(); ++i) {
      EXPECT_LT(Difference(results[i], expected[i]), kRounding) << batch;
    }
  }
}

TEST_P(EvaluatorTest, PartsOfABatchAgreeWithTheWhole) {
  const std::vector<SamplePosition> samples = Samples(32);
  NetworkEvaluator evaluator(ScrambledModel(rules(), {{.batch = 32}}));
  const std::vector<Evaluation> expected = Ask(&evaluator, samples);
  for (const size_t size : std::initializer_list<size_t>{1, 2, 3, 7, 16, 31}) {
    for (size_t begin = 0; begin + size <= samples.size(); begin += size) {
      const std::vector<Evaluation> results = Ask(&evaluator, Part(samples, begin, size));
      for (size_t i = 0; i < size; ++i) {
        EXPECT_LT(Difference(results[i], expected[begin + i]), kRounding) << size;
      }
    }
  }
}

TEST_P(EvaluatorTest, OrderOfRequestsDoesNotMatter) {
  std::vector<SamplePosition> samples = Samples(45);
  const auto model = ScrambledModel(rules(), {{.batch = 16}});
  const std::vector<Evaluation> expected = Ask(model, samples);
  std::reverse(samples.begin(), samples.end());
  std::vector<Evaluation> results = Ask(model, samples);
  std::reverse(results.begin(), results.end());
  for (size_t i = 0; i < results.size(); ++i) {
    EXPECT_LT(Difference(results[i], expected[i]), kRounding);
  }
}

TEST_P(EvaluatorTest, OrderOfMovesDoesNotMatter) {
  std::vector<SamplePosition> samples = Samples(10);
  const auto model = ScrambledModel(rules());
  const std::vector<Evaluation> expected = Ask(model, samples);
  for (SamplePosition& sample : samples) std::reverse(sample.moves.begin(), sample.moves.end());
  std::vector<Evaluation> results = Ask(model, samples);
  for (size_t i = 0; i < results.size(); ++i) {
    std::reverse(results[i].log_priors.begin(), results[i].log_priors.end());
    EXPECT_LT(Difference(results[i], expected[i]), kRounding);
  }
}

// Bit by bit: games must not depend on how many others are played beside them.
TEST_P(EvaluatorTest, FixedBatchGivesTheSameForAnyNumber) {
  const std::vector<SamplePosition> samples = Samples(24);
  for (const ElementType type : {ElementType::kFloat32, ElementType::kBFloat16}) {
    NetworkEvaluator evaluator(
        ScrambledModel(rules(), {{.type = type, .batch = 8, .fixed_batch = true}}));
    const std::vector<Evaluation> expected = Ask(&evaluator, samples);
    for (const size_t size : std::initializer_list<size_t>{1, 3, 5, 8}) {
      for (size_t begin = 0; begin + size <= samples.size(); begin += size) {
        const std::vector<Evaluation> results = Ask(&evaluator, Part(samples, begin, size));
        for (size_t i = 0; i < size; ++i) {
          EXPECT_TRUE(IsSameBits(results[i], expected[begin + i]))
              << ToString(type) << ", " << size << " at once, from " << begin;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Some, EvaluatorTest,
                         ::testing::Values("switchback", "shoxiang-sh-standard", "minishogi"),
                         [](const auto& test) { return testing::TestName(test.param); });

TEST(NetworkEvaluatorTest, NothingAskedIsNothingDone) {
  NetworkEvaluator evaluator(ScrambledModel(RulesOf("xiangqi")));
  EXPECT_TRUE(evaluator.Evaluate({}, {}).ok());
}

TEST(NetworkEvaluatorTest, AnotherVariantIsAnError) {
  NetworkEvaluator evaluator(ScrambledModel(RulesOf("shoxiang-sh-standard")));
  for (const char* variant : {"shoxiang-sh-weak", "shoxiang-xq-standard", "minishogi"}) {
    std::vector<SamplePosition> samples = RandomPositions(RulesOf("shoxiang-sh-standard"), 2, 1);
    samples.push_back(RandomPositions(RulesOf(variant), 1, 1).front());
    std::vector<Evaluation> results(3);
    const absl::Status status = evaluator.Evaluate(testing::RequestsOf(samples), results);
    EXPECT_FALSE(status.ok()) << variant;
    EXPECT_NE(std::string(status.message()).find(variant), std::string::npos) << status;
  }
}

// Kings alone, and enough in hand to drop on every cell.
TEST(NetworkEvaluatorTest, HandlesHundredsOfMoves) {
  const Rules& rules = RulesOf("shoxiang-sh-standard");
  const std::string board = "4k4/9/9/9/9/9/9/9/9/9/9/4K4";
  std::string hand;
  for (const char letter : std::string("BGHPSW")) hand += std::string(4, letter);
  for (const char letter : std::string("bghpsw")) hand += std::string(4, letter);
  for (const char* side : {"w", "b"}) {
    const absl::StatusOr<Position> position =
        ParseFen(rules, board + "[" + hand + "] " + side + " 3 40");
    ASSERT_TRUE(position.ok()) << position.status();
    std::vector<Move> moves;
    GenerateLegalMoves(*position, &moves);
    EXPECT_GE(moves.size(), 400U);
    const SamplePosition full = {*position, History(*position), moves};
    std::vector<SamplePosition> samples = RandomPositions(rules, 3, 2);
    samples.insert(samples.begin() + 1, full);
    const std::vector<Evaluation> results = Ask(ScrambledModel(rules), samples);
    ExpectDistributions(results);
    EXPECT_LT(Difference(results[1], Ask(ScrambledModel(rules), {full})[0]), kRounding);
  }
}

TEST(NetworkEvaluatorTest, NewModelsTakeOver) {
  const Rules& rules = RulesOf("minishogi");
  const std::vector<SamplePosition> samples = MixedPositions(rules, 12, 4);
  const auto first = ScrambledModel(rules, {{.batch = 8}});
  const auto second =
      ScrambledModel(rules, {{.batch = 32}, SymmetryUse::kNone, testing::SmallOptions(), 77});
  NetworkEvaluator evaluator(first);
  const std::vector<Evaluation> before = Ask(&evaluator, samples);
  EXPECT_EQ(evaluator.id(), first->id());
  evaluator.SetModel(second);
  EXPECT_EQ(evaluator.id(), second->id());
  const std::vector<Evaluation> after = Ask(&evaluator, samples);
  const std::vector<Evaluation> expected = Ask(second, samples);
  for (size_t i = 0; i < samples.size(); ++i) {
    EXPECT_TRUE(IsSameBits(after[i], expected[i]));
    EXPECT_FALSE(IsSameBits(after[i], before[i]));
  }
}

TEST(NetworkEvaluatorTest, IdsDifferWhereResultsDo) {
  const Rules& standard = RulesOf("shoxiang-sh-standard");
  std::map<uint64_t, std::string> seen;
  const auto add = [&seen](const std::string& what, const InferenceModel& model) {
    const auto [at, is_new] = seen.emplace(model.id(), what);
    EXPECT_TRUE(is_new) << what << " and " << at->second;
  };
  const auto options = testing::SmallOptions();
  const auto plain = ScrambledModel(standard);
  add("plain", *plain);
  add("other weights", *ScrambledModel(standard, {{}, SymmetryUse::kNone, options, 6}));
  add("bfloat16", *ScrambledModel(standard, {{.type = ElementType::kBFloat16}}));
  add("averaged", *ScrambledModel(standard, {{}, SymmetryUse::kAverage}));
  add("averaged bfloat16",
      *ScrambledModel(standard, {{.type = ElementType::kBFloat16}, SymmetryUse::kAverage}));
  add("other rules", *ScrambledModel(RulesOf("shoxiang-sh-weak")));
  EXPECT_EQ(ScrambledModel(standard)->id(), plain->id());
  EXPECT_EQ(NetworkEvaluator(plain).id(), plain->id());
}

}  // namespace
}  // namespace crossriver
