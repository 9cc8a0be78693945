// What is counted of games, and when it is alarming.
#include "selfplay/generation_stats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace crossriver {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Wdl kEven = {0.4F, 0.2F, 0.4F};

// A game of `plies` searched moves, told from others by `id`.
GameRecord Game(int id, int plies, Result result) {
  GameRecord record;
  record.start_fen = "board w 0 " + std::to_string(id);
  record.result = result;
  record.reason = Reason::kCheckmate;
  record.truncated = result == Result::kNone;
  for (int ply = 0; ply < plies; ++ply) {
    RecordedMove move;
    move.move = Move::Board(ply % 100, 5, false);
    move.full = true;
    move.visits = 8;
    move.root = move.raw = kEven;
    move.policy.entries = {{move.move, 32768}, {Move::Board(1, 2, false), 32767}};
    record.moves.push_back(move);
  }
  return record;
}

GenerationStats Games(int count, const std::function<void(int, GameRecord*)>& change) {
  GenerationStats stats;
  for (int i = 0; i < count; ++i) {
    const Result results[] = {Result::kWin, Result::kLoss, Result::kDraw, Result::kNone};
    GameRecord record = Game(i, 10 + i % 7, results[i % 4]);
    change(i, &record);
    stats.Add(record);
  }
  return stats;
}

TEST(GenerationStatsTest, Counts) {
  GenerationStats stats;
  stats.Add(Game(1, 10, Result::kWin));
  stats.Add(Game(2, 20, Result::kLoss));
  stats.Add(Game(3, 30, Result::kDraw));
  stats.Add(Game(4, 40, Result::kNone));
  stats.Add(Game(1, 10, Result::kWin));  // a copy
  EXPECT_EQ(stats.games(), 5);
  EXPECT_EQ(stats.rows(), 110);
  EXPECT_DOUBLE_EQ(stats.MeanPlies(), 22);
  EXPECT_DOUBLE_EQ(stats.DrawShare(), 0.2);
  EXPECT_DOUBLE_EQ(stats.TruncatedShare(), 0.2);
  EXPECT_DOUBLE_EQ(stats.FirstScore(), 2.5 / 4);
  EXPECT_DOUBLE_EQ(stats.DuplicateShare(), 0.2);
  EXPECT_NEAR(stats.PolicyEntropy(), 0.693, 1e-3);  // two moves as likely
}

// The network's expected score is that of the mover; the result that of the first player.
TEST(GenerationStatsTest, CalibrationSeesTheMover) {
  GameRecord record = Game(1, 40, Result::kWin);
  for (size_t ply = 0; ply < record.moves.size(); ++ply) {
    record.moves[ply].raw = ply % 2 == 0 ? Wdl{1, 0, 0} : Wdl{0, 0, 1};
  }
  GenerationStats right;
  right.Add(record);
  EXPECT_NEAR(right.CalibrationError(), 0, 1e-9);
  record.result = Result::kLoss;
  GenerationStats wrong;
  wrong.Add(record);
  EXPECT_NEAR(wrong.CalibrationError(), 1, 1e-9);
  // With the second player to move first, the same opinions are right again.
  record.start_fen = "board b 0 1";
  GenerationStats turned;
  turned.Add(record);
  EXPECT_NEAR(turned.CalibrationError(), 0, 1e-9);
}

TEST(GenerationStatsTest, FalseResignations) {
  struct Case {
    int resign_ply;
    Result result;
    bool false_resign;
  };
  for (const Case& c : std::vector<Case>{{4, Result::kLoss, false},
                                         {4, Result::kWin, true},
                                         {4, Result::kDraw, true},
                                         {5, Result::kWin, false},
                                         {5, Result::kLoss, true}}) {
    GameRecord record = Game(1, 10, c.result);
    record.resign_ply = c.resign_ply;
    GenerationStats stats;
    stats.Add(record);
    EXPECT_EQ(stats.played_out(), 1);
    EXPECT_EQ(stats.FalseResignShare(), c.false_resign ? 1 : 0) << c.resign_ply;
  }
}

TEST(AlarmsTest, GoodGamesGiveNone) {
  EXPECT_THAT(Alarms(Games(200, [](int, GameRecord*) {})), IsEmpty());
}

TEST(AlarmsTest, EachInPlainWords) {
  struct Case {
    const char* words;
    std::function<void(int, GameRecord*)> change;
  };
  const std::vector<Case> cases = {
      {"copies", [](int i, GameRecord* game) { *game = Game(i % 150, 12, game->result); }},
      {"hardly chooses",
       [](int, GameRecord* game) {
         for (RecordedMove& move : game->moves) move.policy.entries = {{move.move, 65535}};
       }},
      {"draws",
       [](int i, GameRecord* game) {
         *game = Game(i, 12, i % 10 == 0 ? game->result : Result::kDraw);
       }},
      {"off by",
       [](int, GameRecord* game) {
         for (RecordedMove& move : game->moves) move.raw = {1, 0, 0};
       }},
      {"first player scores",
       [](int i, GameRecord* game) {
         *game = Game(i, 12, Result::kWin);
         for (size_t p = 0; p < game->moves.size(); ++p) {
           game->moves[p].raw = p % 2 == 0 ? Wdl{1, 0, 0} : Wdl{0, 0, 1};
         }
       }},
      {"resignations", [](int i, GameRecord* game) {
         if (i % 4 == 0) game->resign_ply = 4;  // games that the first player wins
       }}};
  for (const Case& c : cases) {
    EXPECT_THAT(Alarms(Games(200, c.change)), ElementsAre(HasSubstr(c.words))) << c.words;
    EXPECT_THAT(Alarms(Games(40, c.change)), IsEmpty()) << "too few to judge: " << c.words;
  }
}

}  // namespace
}  // namespace crossriver
