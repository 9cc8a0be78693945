// Suites made from games.
#include "selfplay/suites/suite_maker.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "selfplay/suites/puzzle.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::SharedRulesOf;

SuiteMakerOptions Small() {
  SuiteMakerOptions options;
  options.count = 5;
  options.max_games = 200;
  return options;
}

std::string TextOf(const Suite& suite) {
  std::string text;
  for (const SuitePosition& position : suite.positions) {
    text += FormatSuiteLine(position, suite.rules->definition().id);
  }
  return text;
}

TEST(SuiteMakerTest, MakesWhatTheCheckAccepts) {
  int reports = 0;
  SuiteMakerOptions options = Small();
  options.progress = [&reports](int found, const std::string&) { EXPECT_EQ(found, ++reports); };
  const auto rules = SharedRulesOf("minishogi");
  const absl::StatusOr<Suite> suite = MakeSuite(rules, options);
  ASSERT_TRUE(suite.ok()) << suite.status();
  ASSERT_EQ(suite->positions.size(), 5u);
  EXPECT_EQ(reports, 5);
  const PieceValues values(*rules);
  int mates = 0;
  for (const SuitePosition& position : suite->positions) {
    EXPECT_EQ(position.position.no_progress(), 0);
    mates += position.kind == SuiteKind::kMate ? 1 : 0;
    const absl::Status right = CheckPuzzle(position, values, options.mate_nodes);
    EXPECT_TRUE(right.ok()) << FormatSuiteLine(position, "minishogi") << right;
  }
  EXPECT_EQ(mates, 3);
  // Written and read again it is the same suite.
  const absl::StatusOr<Suite> read = ReadSuite(
      {"x.jsonl", TextOf(*suite)},
      [&rules](const std::string&) { return absl::StatusOr<std::shared_ptr<const Rules>>(rules); });
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(TextOf(*read), TextOf(*suite));
}

TEST(SuiteMakerTest, FollowsFromTheSeed) {
  const auto rules = SharedRulesOf("minishogi");
  SuiteMakerOptions options = Small();
  const std::string first = TextOf(*MakeSuite(rules, options));
  EXPECT_EQ(TextOf(*MakeSuite(rules, options)), first);
  options.seed = 2;
  EXPECT_NE(TextOf(*MakeSuite(rules, options)), first);
}

TEST(SuiteMakerTest, EndsWithWhatThereIsAndWhenAsked) {
  const auto rules = SharedRulesOf("minishogi");
  SuiteMakerOptions options = Small();
  options.count = 1000;
  options.max_games = 2;
  const absl::StatusOr<Suite> few = MakeSuite(rules, options);
  ASSERT_TRUE(few.ok());
  EXPECT_LT(few->positions.size(), 20u);
  options.interrupted = [] { return true; };
  EXPECT_TRUE(absl::IsCancelled(MakeSuite(rules, options).status()));
}

}  // namespace
}  // namespace crossriver
