// The suites that come with the program are right.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/symmetry.h"
#include "core/variant_loader.h"
#include "mcts/uniform_evaluator.h"
#include "selfplay/suites/puzzle.h"
#include "selfplay/suites/suite_solver.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

constexpr int64_t kMateNodes = 20'000'000;
constexpr size_t kMostBytes = 32 << 10;  // a file
constexpr size_t kFewest = 60;           // positions

Suite Builtin(const std::string& variant) {
  for (const BuiltinSuite& suite : BuiltinSuites()) {
    if (suite.variant != variant) continue;
    absl::StatusOr<Suite> read = ReadSuite(suite.source, [](const std::string& id) {
      return absl::StatusOr<std::shared_ptr<const Rules>>(testing::SharedRulesOf(id));
    });
    CR_CHECK_OK(read.status());
    return *std::move(read);
  }
  CR_CHECK(false);
  return {};
}

TEST(BuiltinSuitesTest, EveryVariantHasOne) {
  std::vector<std::string> variants;
  for (const BuiltinSuite& suite : BuiltinSuites()) {
    variants.push_back(suite.variant);
    EXPECT_LT(suite.source.text.size(), kMostBytes) << suite.variant;
  }
  EXPECT_EQ(variants, BuiltinVariantIds());
}

class BuiltinSuiteTest : public ::testing::TestWithParam<std::string> {};

TEST_P(BuiltinSuiteTest, HasAllKindsAndNothingTwice) {
  const Suite suite = Builtin(GetParam());
  EXPECT_EQ(suite.rules->definition().id, GetParam());
  EXPECT_GE(suite.positions.size(), kFewest);
  const std::vector<Symmetry> symmetries = FindSymmetries(*suite.rules).rules;
  std::map<int, int> by_plies;
  std::set<uint64_t> seen;
  for (const SuitePosition& position : suite.positions) {
    ++by_plies[position.plies];
    EXPECT_TRUE(seen.insert(position.position.key()).second) << "line " << position.line;
    for (const Symmetry& symmetry : symmetries) {
      const uint64_t image = symmetry.Map(position.position).key();
      if (image != position.position.key()) {
        EXPECT_EQ(seen.count(image), 0u) << "line " << position.line;
      }
    }
  }
  for (const int plies : {0, 1, 3, 5}) EXPECT_GE(by_plies[plies], 8) << plies;
}

// One position of every so many, and where it begins differs from variant to variant, so that all
// groups are looked at.
TEST_P(BuiltinSuiteTest, IsRight) {
  const Suite suite = Builtin(GetParam());
  const PieceValues values(*suite.rules);
  const auto stride = static_cast<size_t>(testing::FromEnvironment("CROSSRIVER_SUITE_STRIDE", 12));
  for (size_t i = GetParam().size() % stride; i < suite.positions.size(); i += stride) {
    const absl::Status right = CheckPuzzle(suite.positions[i], values, kMateNodes);
    EXPECT_TRUE(right.ok()) << suite.name << ":" << suite.positions[i].line << ": " << right;
  }
}

TEST_P(BuiltinSuiteTest, UniformSearchFindsAllMatesInOne) {
  Suite suite = Builtin(GetParam());
  std::erase_if(suite.positions, [](const SuitePosition& p) { return p.plies != 1; });
  UniformEvaluator uniform;
  SolveOptions options;
  options.visits = {20'000};  // some positions have 400 moves, most of them drops
  const auto solved = SolveSuite(suite, &uniform, options);
  ASSERT_TRUE(solved.ok()) << solved.status();
  for (size_t i = 0; i < solved->size(); ++i) {
    EXPECT_EQ((*solved)[i].by_visits[0], 1) << suite.name << ":" << suite.positions[i].line;
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, BuiltinSuiteTest, ::testing::ValuesIn(BuiltinVariantIds()),
                         [](const auto& variant) { return testing::TestName(variant.param); });

}  // namespace
}  // namespace crossriver
