// Commands of user interfaces as text.
#include "tools/engine_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_join.h"
#include "tests/tools/engine_helpers.h"

namespace crossriver {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kUci;
using testing::kUsi;

constexpr int kFirst = Index(Side::kFirst);
constexpr int kSecond = Index(Side::kSecond);

TEST(EngineCommandTest, GoWithoutLimitsIsInfinite) {
  for (const char* arguments : {"", "infinite", " infinite ", "ponder"}) {
    const GoCommand go = ParseGo(kUci, arguments);
    EXPECT_TRUE(go.infinite) << arguments;
    EXPECT_THAT(go.complaints, IsEmpty()) << arguments;
  }
  EXPECT_TRUE(ParseGo(kUci, "ponder").ponder);
}

TEST(EngineCommandTest, GoTakesLimits) {
  EXPECT_EQ(ParseGo(kUci, "nodes 800").nodes, 800);
  EXPECT_EQ(ParseGo(kUci, "nodes 0").nodes, 1);
  EXPECT_EQ(ParseGo(kUci, "movetime 1500").move_time, absl::Milliseconds(1500));
  EXPECT_EQ(ParseGo(kUci, "perft 3").perft, 3);
  EXPECT_FALSE(ParseGo(kUci, "perft 3").infinite);
  EXPECT_EQ(ParseGo(kUci, "mate 3").mate_plies, 5);
  EXPECT_EQ(ParseGo(kUci, "mate 100000").mate_plies, kMostMatePlies);
  const GoCommand both = ParseGo(kUci, "ponder nodes 5 movetime 7");
  EXPECT_TRUE(both.ponder);
  EXPECT_FALSE(both.infinite);
  EXPECT_EQ(both.nodes, 5);
  EXPECT_EQ(both.move_time, absl::Milliseconds(7));
}

TEST(EngineCommandTest, WhiteIsFirstInUciAndSecondInUsi) {
  const char* const arguments = "wtime 1000 btime 2000 winc 10 binc 20 movestogo 5";
  const GoCommand uci = ParseGo(kUci, arguments);
  ASSERT_TRUE(uci.clocks[kFirst].has_value() && uci.clocks[kSecond].has_value());
  EXPECT_EQ(uci.clocks[kFirst]->time, absl::Seconds(1));
  EXPECT_EQ(uci.clocks[kSecond]->increment, absl::Milliseconds(20));
  EXPECT_EQ(uci.clocks[kFirst]->moves_to_go, 5);
  const GoCommand usi = ParseGo(kUsi, "btime 2000 wtime 1000 byoyomi 300");
  ASSERT_TRUE(usi.clocks[kFirst].has_value() && usi.clocks[kSecond].has_value());
  EXPECT_EQ(usi.clocks[kFirst]->time, absl::Seconds(2));
  EXPECT_EQ(usi.clocks[kSecond]->time, absl::Seconds(1));
  EXPECT_EQ(usi.clocks[kSecond]->byoyomi, absl::Milliseconds(300));
  // What has run out.
  EXPECT_EQ(ParseGo(kUci, "wtime -50").clocks[kFirst]->time, absl::ZeroDuration());
}

TEST(EngineCommandTest, UsiMatesHaveATime) {
  const GoCommand timed = ParseGo(kUsi, "mate 10000");
  EXPECT_EQ(timed.mate_plies, kMostMatePlies);
  EXPECT_EQ(timed.move_time, absl::Seconds(10));
  for (const char* arguments : {"mate", "mate infinite"}) {
    const GoCommand go = ParseGo(kUsi, arguments);
    EXPECT_TRUE(go.mate_plies.has_value()) << arguments;
    EXPECT_FALSE(go.move_time.has_value()) << arguments;
    EXPECT_FALSE(go.infinite) << "the answer must not wait for a stop";
  }
}

// Whoever sends a limit expects an answer.
TEST(EngineCommandTest, WhatIsWrongInGoIsLeftOut) {
  const struct {
    const char* arguments;
    const char* complaint;
  } cases[] = {
      {"depth 8", "unknown word 'depth'"},
      {"nodes", "expected a number after 'nodes'"},
      {"nodes many", "found 'many'"},
      {"nods 100", "did you mean 'nodes'?"},
      {"movetime 99999999999999999999", "expected a number"},
      {"mate", "expected a number after 'mate'"},
      {"searchmoves b1c3 h3e3", "'searchmoves' is not supported"},
      {"\x01\xff", "unknown word '\\x01"},
  };
  for (const auto& bad : cases) {
    const GoCommand go = ParseGo(kUci, bad.arguments);
    EXPECT_THAT(go.complaints, ElementsAre(HasSubstr(bad.complaint))) << bad.arguments;
    EXPECT_EQ(go.nodes, kFallbackVisits) << bad.arguments;
    EXPECT_FALSE(go.infinite) << bad.arguments;
  }
  const GoCommand rest = ParseGo(kUci, "nodes movetime 5 searchmoves a1a2 nodes 7");
  EXPECT_EQ(rest.move_time, absl::Milliseconds(5));
  EXPECT_EQ(rest.nodes, 7);
  EXPECT_EQ(rest.complaints.size(), 2);
  EXPECT_TRUE(ParseGo(kUci, "infinite depth 3").infinite);
}

TEST(EngineCommandTest, ComplaintsHaveAnEnd) {
  std::string arguments = "nodes 7";
  for (int i = 0; i < 10'000; ++i) arguments += " x";
  const GoCommand go = ParseGo(kUci, arguments + " nodes 8");
  ASSERT_EQ(go.complaints.size(), 11);
  EXPECT_EQ(go.complaints.back(), "go: the rest is ignored");
  EXPECT_EQ(go.nodes, 7);
  EXPECT_EQ(ParseGo(kUci, arguments.substr(7)).nodes, kFallbackVisits);
}

TEST(EngineCommandTest, Position) {
  const struct {
    Protocol protocol;
    const char* arguments;
    const char* board;
    const char* moves;
  } cases[] = {
      {kUci, "startpos", "", ""},
      {kUci, "  startpos  moves ", "", ""},
      {kUci, "startpos moves b1c3 h10g8", "", "b1c3 h10g8"},
      {kUci, "fen 3k5/9 w - - 0 1", "3k5/9 w - - 0 1", ""},
      {kUci, "fen 3k5/9  w 0 1\tmoves a1a2", "3k5/9 w 0 1", "a1a2"},
      {kUsi, "sfen lnsgkgsnl/9 b - 1 moves 7g7f", "lnsgkgsnl/9 b - 1", "7g7f"},
  };
  for (const auto& good : cases) {
    const auto command = ParsePosition(good.protocol, good.arguments);
    ASSERT_TRUE(command.ok()) << good.arguments << ": " << command.status();
    EXPECT_EQ(command->board, good.board);
    EXPECT_EQ(command->moves, good.moves);
  }
  for (const char* bad : {"", "b1c3", "fen", "fen moves a1a2", "startpos b1c3", "sfen 9 b - 1"}) {
    const auto command = ParsePosition(kUci, bad);
    EXPECT_FALSE(command.ok()) << bad;
    EXPECT_THAT(std::string(command.status().message()), HasSubstr("position: ")) << bad;
  }
  EXPECT_FALSE(ParsePosition(kUsi, "fen 9 w 0 1").ok());
}

TEST(EngineCommandTest, SetOption) {
  const struct {
    const char* arguments;
    const char* name;
    const char* value;
  } cases[] = {
      {"name Threads value 4", "Threads", "4"},
      {"name Move Overhead value 50", "Move Overhead", "50"},
      {"name Clear Hash", "Clear Hash", ""},
      {"name Net value /a/my  nets/b value c", "Net", "/a/my  nets/b value c"},
      {"name Net value <empty>", "Net", ""},
      {"name Net value", "Net", ""},
  };
  for (const auto& good : cases) {
    const auto setting = ParseSetOption(good.arguments);
    ASSERT_TRUE(setting.ok()) << good.arguments << ": " << setting.status();
    EXPECT_EQ(setting->name, good.name);
    EXPECT_EQ(setting->value, good.value);
  }
  for (const char* bad : {"", "Threads value 4", "name", "name value 4"}) {
    EXPECT_FALSE(ParseSetOption(bad).ok()) << bad;
  }
}

TEST(EngineCommandTest, QuotesAreShortAndPrintable) {
  EXPECT_EQ(Quoted("perft"), "'perft'");
  EXPECT_EQ(Quoted("a\nb"), "'a\\x0ab'");
  EXPECT_LT(Quoted(std::string(1000, 'x')).size(), 60);
}

TEST(EngineClockTest, TimeForMove) {
  const auto ms = [](int count) { return absl::Milliseconds(count); };
  const struct {
    GameClock clock;
    absl::Duration expected;
  } cases[] = {
      {{ms(60'030), ms(0), ms(0), 0}, ms(2000)},     // a thirtieth
      {{ms(60'030), ms(1000), ms(0), 0}, ms(2750)},  // and most of the increment
      {{ms(10'030), ms(0), ms(0), 10}, ms(1000)},    // shared out
      {{ms(10'030), ms(0), ms(0), 1}, ms(10'000)},   // all of it
      {{ms(10'030), ms(0), ms(0), 1000}, ms(10'000) / 30},
      {{ms(0), ms(0), ms(5000), 0}, ms(4970)},     // byoyomi alone
      {{ms(200), ms(10'000), ms(0), 0}, ms(170)},  // the increment comes too late
      {{ms(20), ms(0), ms(0), 1}, ms(10)},         // less than twice the overhead
      {{ms(0), ms(0), ms(0), 0}, ms(1)},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(TimeForMove(each.clock, ms(30)), each.expected)
        << each.clock.time << " " << each.clock.increment << " " << each.clock.byoyomi;
  }
  EXPECT_EQ(TimeWithin(ms(1000), ms(30)), ms(970));
  EXPECT_EQ(TimeWithin(ms(40), ms(30)), ms(20));
  EXPECT_EQ(TimeWithin(ms(0), ms(30)), ms(1));
}

// A whole game on the clock, each move taking all that it may and the overhead besides.
TEST(EngineClockTest, NeverRunsOut) {
  const absl::Duration overhead = absl::Milliseconds(30);
  for (const int increment : {0, 50, 1000}) {
    for (const int moves_to_go : {0, 1, 2, 40}) {
      GameClock clock{absl::Seconds(60), absl::Milliseconds(increment), absl::ZeroDuration(), 0};
      for (int move = 0; move < 150; ++move) {
        clock.moves_to_go = moves_to_go == 0 ? 0 : moves_to_go - move % moves_to_go;
        clock.time -= TimeForMove(clock, overhead) + overhead;
        // Below the overhead nothing can be done.
        ASSERT_GE(clock.time, -overhead) << increment << " " << moves_to_go << " " << move;
        if (clock.time <= 2 * overhead) break;
        clock.time += clock.increment;
        if (clock.moves_to_go == 1) clock.time = absl::Seconds(60);
      }
    }
  }
}

}  // namespace
}  // namespace crossriver
