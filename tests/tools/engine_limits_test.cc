// What bounds a search: clocks, and nodes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "absl/strings/str_cat.h"
#include "tests/test_data.h"
#include "tests/tools/engine_helpers.h"
#include "tools/engine_control.h"
#include "tools/evaluator_choice.h"

namespace crossriver {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::Lines;
using testing::MakeSession;
using ::testing::Not;

// A mate in three moves by d6e6, which takes some hundreds of positions to find.
constexpr char kMateInThree[] =
    "fen c2a5/r8/n2k1a2b/P1p1cn3/2bC1P3/P5B2/7p1/3RB1p2/3KN4/1C3A1NR w - - 0 62";

TEST(EngineControlTest, PonderhitStartsTheClock) {
  const EngineControl::Clock::time_point begin(std::chrono::hours(1));
  const auto hit = begin + std::chrono::seconds(5);
  EngineControl control;
  EXPECT_FALSE(control.PonderHit(hit)) << "nothing is searched";
  control.Begin(/*infinite=*/false, /*pondering=*/true, begin);
  EXPECT_TRUE(control.busy());
  EXPECT_FALSE(control.interrupted());
  EXPECT_EQ(control.Look().clock_start, begin);
  EXPECT_TRUE(control.Look().pondering);
  EXPECT_TRUE(control.PonderHit(hit));
  EXPECT_TRUE(control.interrupted()) << "whoever searches has to look";
  const EngineControl::State state = control.Look();
  EXPECT_EQ(state.clock_start, hit);
  EXPECT_FALSE(state.pondering);
  EXPECT_FALSE(state.stopped);
  EXPECT_FALSE(control.interrupted()) << "it has looked";
  EXPECT_FALSE(control.PonderHit(hit)) << "nobody ponders";
  control.WaitForRelease();
  control.End();
  EXPECT_FALSE(control.searching());
}

TEST(EngineControlTest, StopStopsOneSearch) {
  const EngineControl::Clock::time_point now(std::chrono::hours(1));
  EngineControl control;
  control.Stop();
  control.Begin(/*infinite=*/true, /*pondering=*/true, now);
  EXPECT_FALSE(control.Look().stopped) << "a stop before it was not for it";
  control.Stop();
  EXPECT_TRUE(control.searching());
  EXPECT_FALSE(control.busy());
  EXPECT_TRUE(control.Look().stopped);
  EXPECT_TRUE(control.interrupted()) << "and stays so";
  control.WaitForRelease();
  control.End();
  control.Begin(/*infinite=*/false, /*pondering=*/false, now);
  EXPECT_FALSE(control.stopped());
  EXPECT_FALSE(control.interrupted());
  control.End();
}

// Few nodes are few positions too, where a forced win is looked for first.
TEST(EngineLimitsTest, NodesBoundTheLookForAMate) {
  Lines lines;
  const auto session = MakeSession(Protocol::kUci, "xiangqi", &lines);
  session->Handle("setoption name MateNodes value 20000");
  session->Handle(absl::StrCat("position ", kMateInThree));
  session->Handle("go nodes 1");
  lines.WaitFor("bestmove ");
  EXPECT_THAT(lines.all(), Not(Contains(HasSubstr("score mate"))));
  session->Handle("go nodes 2000");
  EXPECT_THAT(lines.WaitFor("bestmove ", 2), HasSubstr("bestmove d6e6"));
  EXPECT_THAT(lines.all(), Contains(HasSubstr("score mate 3 nodes 0 ")));
}

TEST(EngineLimitsTest, NodesBoundAProblem) {
  Lines lines;
  const auto session = MakeSession(Protocol::kUci, "xiangqi", &lines);
  session->Handle(absl::StrCat("position ", kMateInThree));
  session->Handle("go mate 3 nodes 7");
  lines.WaitFor("bestmove ");
  EXPECT_THAT(lines.all(), Contains("info string no mate found within 7 positions"));
  session->Handle("go mate 3");
  EXPECT_THAT(lines.WaitFor("bestmove ", 2), HasSubstr("bestmove d6e6"));
}

// A search of rollouts looks at its clock after each batch.
TEST(EngineLimitsTest, RolloutsComeOneByOne) {
  EvaluatorFlags flags;
  flags.evaluator = "rollout";
  for (const int threads : {1, 4}) {
    const auto chosen = ChooseEvaluator(flags, testing::SharedRulesOf("xiangqi"), threads);
    ASSERT_TRUE(chosen.ok()) << chosen.status();
    EXPECT_EQ(chosen->batch, 1);
    EXPECT_TRUE(chosen->is_thread_safe);
  }
}

}  // namespace
}  // namespace crossriver
