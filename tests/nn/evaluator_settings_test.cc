// Ways to compute the same: lower precision, other layouts of memory, prepared weights, symmetries.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/symmetry.h"
#include "nn/network_evaluator.h"
#include "tests/nn/nn_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::Ask;
using testing::Difference;
using testing::MixedPositions;
using testing::RulesOf;
using testing::ScrambledModel;

// How far the priors are from the others', in nats.
double Divergence(const Evaluation& from, const Evaluation& to) {
  double sum = 0;
  for (size_t i = 0; i < from.log_priors.size(); ++i) {
    const double p = std::exp(double{from.log_priors[i]});
    if (p > 0) sum += p * (double{from.log_priors[i]} - double{to.log_priors[i]});
  }
  return sum;
}

struct Distance {
  double largest = 0;
  double mean = 0;
  double divergence = 0;  // mean
};

Distance DistanceOf(const std::vector<Evaluation>& a, const std::vector<Evaluation>& b) {
  Distance distance;
  const auto count = static_cast<double>(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    const double difference = Difference(a[i], b[i]);
    distance.largest = std::max(distance.largest, difference);
    distance.mean += difference / count;
    distance.divergence += Divergence(a[i], b[i]) / count;
  }
  return distance;
}

TEST(EvaluatorSettingsTest, BFloat16IsNearFloat32) {
  for (const char* variant : {"switchback", "shoxiang-xq-standard"}) {
    const Rules& rules = RulesOf(variant);
    const std::vector<SamplePosition> samples = MixedPositions(rules, 1000, 31);
    const std::vector<Evaluation> exact = Ask(ScrambledModel(rules), samples);
    for (const bool prepacked : {false, true}) {
      const std::vector<Evaluation> rough =
          Ask(ScrambledModel(rules, {{.type = ElementType::kBFloat16, .prepacked = prepacked}}),
              samples);
      const Distance distance = DistanceOf(exact, rough);
      EXPECT_LT(distance.largest, 0.01) << variant;
      EXPECT_LT(distance.mean, 0.002) << variant;
      EXPECT_LT(distance.divergence, 1e-4) << variant;
      EXPECT_GT(distance.mean, 1e-6) << "is that bfloat16?";
    }
  }
}

struct Case {
  std::string name;
  std::string variant;
  NetworkOptions options = testing::SmallOptions();
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

std::vector<Case> Cases() {
  std::vector<Case> cases = {{"minishogi", "minishogi"}};
  for (const auto& [name, geometry] : Geometries()) {
    cases.push_back({"switchback " + name, "switchback"});
    cases.back().options.geometry = geometry;
  }
  cases.push_back({"squeezed", "shoxiang-sh-strong"});
  cases.back().options.squeeze_units = 4;
  cases.push_back({"plain", "shoxiang-xq-weak"});
  cases.back().options.pooling_every = 0;
  return cases;
}

class SameResultsTest : public ::testing::TestWithParam<Case> {};

TEST_P(SameResultsTest, OtherLayoutsOfMemory) {
  const Rules& rules = RulesOf(GetParam().variant);
  const std::vector<SamplePosition> samples = MixedPositions(rules, 50, 41);
  const auto ask = [&](const InferenceSettings& settings) {
    return Ask(ScrambledModel(rules, {settings, SymmetryUse::kNone, GetParam().options}), samples);
  };
  const std::vector<Evaluation> expected = ask({});
  EXPECT_LT(DistanceOf(expected, ask({.channels_last = false})).largest, 1e-4);
  EXPECT_LT(DistanceOf(expected, ask({.prepacked = true})).largest, 1e-4);
  EXPECT_LT(DistanceOf(expected, ask({.channels_last = false, .prepacked = true})).largest, 1e-4);
  EXPECT_LT(DistanceOf(expected, ask({.prepacked = true, .fixed_batch = true})).largest, 1e-4);
}

// The images of a sample under a symmetry, with the moves in the same order.
std::vector<SamplePosition> ImagesOf(const std::vector<SamplePosition>& samples,
                                     const Symmetry& symmetry) {
  std::vector<SamplePosition> images;
  for (const SamplePosition& sample : samples) {
    const Position image = symmetry.Map(sample.position);
    std::vector<Move> moves;
    for (const Move move : sample.moves) moves.push_back(symmetry.Map(move));
    images.push_back({image, History(image), moves});
  }
  return images;
}

std::vector<SamplePosition> WithoutHistory(std::vector<SamplePosition> samples) {
  for (SamplePosition& sample : samples) sample.history = History(sample.position);
  return samples;
}

TEST_P(SameResultsTest, ImagesOfAPosition) {
  const Rules& rules = RulesOf(GetParam().variant);
  const std::vector<SamplePosition> samples = WithoutHistory(MixedPositions(rules, 24, 51));
  const SymmetryGroups groups = FindSymmetries(rules);
  for (const int batch : {1, 3, 32}) {
    const auto model =
        ScrambledModel(rules, {{.batch = batch}, SymmetryUse::kAverage, GetParam().options});
    const std::vector<Evaluation> expected = Ask(model, samples);
    for (const Symmetry& symmetry : groups.reach) {
      const std::vector<Evaluation> images = Ask(model, ImagesOf(samples, symmetry));
      EXPECT_LT(DistanceOf(expected, images).largest, 1e-5) << symmetry.name() << " " << batch;
    }
  }
}

// Averaged are the probabilities, over the reach group.
TEST_P(SameResultsTest, AverageIsTheMeanOverImages) {
  const Rules& rules = RulesOf(GetParam().variant);
  const std::vector<SamplePosition> samples = WithoutHistory(MixedPositions(rules, 20, 61));
  const NetworkOptions& options = GetParam().options;
  const auto plain = ScrambledModel(rules, {{}, SymmetryUse::kNone, options});
  const std::vector<Evaluation> averaged =
      Ask(ScrambledModel(rules, {{}, SymmetryUse::kAverage, options}), samples);
  const SymmetryGroups groups = FindSymmetries(rules);
  std::vector<std::vector<Evaluation>> images;
  for (const Symmetry& symmetry : groups.reach) {
    images.push_back(Ask(plain, ImagesOf(samples, symmetry)));
  }
  const auto count = static_cast<double>(images.size());
  for (size_t i = 0; i < samples.size(); ++i) {
    double win = 0;
    for (const std::vector<Evaluation>& image : images) win += double{image[i].wdl.win} / count;
    EXPECT_NEAR(double{averaged[i].wdl.win}, win, 1e-5);
    for (size_t move = 0; move < samples[i].moves.size(); ++move) {
      double prior = 0;
      for (const std::vector<Evaluation>& image : images) {
        prior += std::exp(double{image[i].log_priors[move]}) / count;
      }
      EXPECT_NEAR(std::exp(double{averaged[i].log_priors[move]}), prior, 1e-5);
    }
  }
  if (images.size() > 1) {
    EXPECT_GT(DistanceOf(images[0], images[1]).mean, 1e-3) << "the network itself is symmetric";
  }
}

INSTANTIATE_TEST_SUITE_P(All, SameResultsTest, ::testing::ValuesIn(Cases()),
                         [](const auto& test) { return testing::TestName(test.param.name); });

}  // namespace
}  // namespace crossriver
