// Options of self-play: what is refused, and what follows from them.
#include "selfplay/selfplay_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

#include "tests/test_data.h"

namespace crossriver {
namespace {

using ::testing::HasSubstr;

TEST(SelfPlayOptionsTest, DefaultsAreValidWithEitherPolicy) {
  SelfPlayOptions options;
  EXPECT_TRUE(Validate(options).ok()) << Validate(options);
  options.root_policy = RootPolicy::kPuct;
  EXPECT_TRUE(Validate(options).ok()) << Validate(options);
}

TEST(SelfPlayOptionsTest, NamesTheFieldAndTheRange) {
  const struct {
    const char* says;
    std::function<void(SelfPlayOptions*)> spoil;
  } cases[] = {
      {"games: expected 1 to", [](auto* o) { o->games = 0; }},
      {"full_visits: expected 1 to", [](auto* o) { o->full_visits = -3; }},
      {"cheap_visits: expected at most full_visits", [](auto* o) { o->cheap_visits = 100; }},
      {"full_share: expected 0 to 1, got 1.5", [](auto* o) { o->full_share = 1.5; }},
      {"temperature_half_life", [](auto* o) { o->temperature_half_life = 0; }},
      {"temperature_initial",
       [](auto* o) { o->temperature_initial = std::numeric_limits<double>::quiet_NaN(); }},
      {"start_army", [](auto* o) { o->start_army = -0.1; }},
      {"sum to at most 1",
       [](auto* o) {
         o->start_army = 0.6;
         o->start_policy = 0.6;
       }},
      {"openings: expected a file", [](auto* o) { o->start_opening = 0.1; }},
      {"resign_threshold: expected 0 to 0.5", [](auto* o) { o->resign_threshold = 0.7; }},
      {"max_plies", [](auto* o) { o->max_plies = -1; }},
      {"tree_kbytes: expected 512", [](auto* o) { o->tree_kbytes = 1; }},
      {"draw_score", [](auto* o) { o->draw_score = 2; }},
  };
  for (const auto& bad : cases) {
    SelfPlayOptions options;
    bad.spoil(&options);
    EXPECT_THAT(std::string(Validate(options).message()), HasSubstr(bad.says));
  }
}

TEST(SelfPlayOptionsTest, NoiseIsForFullSearchesAlone) {
  SelfPlayOptions options;
  EXPECT_TRUE(MakeSearchOptions(options, true, 1).gumbel.noise);
  EXPECT_FALSE(MakeSearchOptions(options, false, 1).gumbel.noise);
  options.root_policy = RootPolicy::kPuct;
  EXPECT_GT(MakeSearchOptions(options, true, 1).puct.noise_share, 0);
  EXPECT_GT(MakeSearchOptions(options, true, 1).puct.forced_playouts, 0);
  EXPECT_EQ(MakeSearchOptions(options, false, 1).puct.noise_share, 0);
  EXPECT_EQ(MakeSearchOptions(options, false, 1).puct.forced_playouts, 0);
}

TEST(SelfPlayOptionsTest, TemperatureHalvesItsDistanceToTheLast) {
  SelfPlayOptions options;
  options.temperature_initial = 1.0;
  options.temperature_final = 0.2;
  options.temperature_half_life = 10;
  EXPECT_DOUBLE_EQ(TemperatureAt(options, 0), 1.0);
  EXPECT_DOUBLE_EQ(TemperatureAt(options, 10), 0.6);
  EXPECT_DOUBLE_EQ(TemperatureAt(options, 20), 0.4);
}

TEST(SelfPlayOptionsTest, TheNoProgressLimitRisesToTheRules) {
  SelfPlayOptions options;
  const Rules& rules = testing::RulesOf("switchback");
  const int last = rules.game().no_progress_plies;
  ASSERT_GT(last, 40);
  EXPECT_EQ(NoProgressLimit(options, rules, 0), 0);
  options.no_progress_plies = 30;
  options.no_progress_games = 100;
  EXPECT_EQ(NoProgressLimit(options, rules, 0), 30);
  int before = 0;
  for (uint64_t game = 0; game < 100; ++game) {
    const int limit = NoProgressLimit(options, rules, game);
    EXPECT_GE(limit, before);
    EXPECT_LT(limit, last);
    before = limit;
  }
  EXPECT_GE(before, last - 2);
  EXPECT_EQ(NoProgressLimit(options, rules, 100), 0);
  options.no_progress_plies = last;
  EXPECT_EQ(NoProgressLimit(options, rules, 0), 0);
}

}  // namespace
}  // namespace crossriver
