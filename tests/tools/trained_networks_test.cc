// Every network of configs/nets plays each variant it is for, and better than those without one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/variant_loader.h"
#include "tests/test_data.h"
#include "tests/tools/run_crossriver.h"
#include "tools/shipped_networks.h"

namespace crossriver {
namespace {

using nlohmann::json;
using testing::RunForJson;

// Variants with a network, as this program in its build folder finds them.
std::vector<std::string> TrainedVariants() {
  std::vector<std::string> variants;
  for (const std::string& id : BuiltinVariantIds()) {
    const auto rules = LoadBuiltin(id);
    if (rules.ok() && ShippedNetwork(**rules).has_value()) variants.push_back(id);
  }
  return variants;
}

class TrainedNetworkTest : public ::testing::TestWithParam<std::string> {
 protected:
  // Points against `opponent`, in the eyes of the network with so many visits a move.
  static double Points(int visits, const std::string& opponent, int games) {
    const auto rules = LoadBuiltin(GetParam());
    const json match = RunForJson(absl::StrCat("match 'net:", *ShippedNetwork(**rules),
                                               "?visits=", visits, "' ", opponent, " --variant ",
                                               GetParam(), " --games ", games, " --max-plies 400"));
    return match["wins"].get<double>() + match["draws"].get<double>() / 2;
  }
};

// Without a search it runs into perpetual checks, and some games it does not end in time.
TEST_P(TrainedNetworkTest, ItsLikeliestMoveBeatsRandomMoves) {
  EXPECT_GE(Points(0, "random", 20), 15);
}

TEST_P(TrainedNetworkTest, BeatsAnEngineThatCountsMaterial) {
  EXPECT_GE(Points(50, "alphabeta:100", 10), 7);
}

TEST(TrainedNetworksTest, EachFileIsForAVariant) {
  std::set<std::string> names;
  for (const std::string& id : BuiltinVariantIds()) {
    const auto rules = LoadBuiltin(id);
    ASSERT_TRUE(rules.ok()) << id;
    names.insert(id);
    names.insert((*rules)->definition().family);
  }
  for (const auto& entry :
       std::filesystem::directory_iterator(testing::SourcePath("configs/nets"))) {
    if (entry.path().extension() != ".safetensors") continue;
    EXPECT_TRUE(names.count(entry.path().stem()) != 0) << entry.path();
  }
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(TrainedNetworkTest);
INSTANTIATE_TEST_SUITE_P(All, TrainedNetworkTest, ::testing::ValuesIn(TrainedVariants()),
                         [](const auto& variant) { return testing::TestName(variant.param); });

}  // namespace
}  // namespace crossriver
