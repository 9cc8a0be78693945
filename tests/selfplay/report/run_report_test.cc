// Reports of whole runs: which games they have, on any number of threads.
#include "selfplay/report/run_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "absl/strings/str_cat.h"
#include "tests/scratch_folder.h"
#include "tests/selfplay/record_helpers.h"
#include "tests/selfplay/store_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using ::testing::HasSubstr;
using testing::RulesOf;
using testing::SharedRulesOf;

class RunReportTest : public ::testing::Test {
 protected:
  RunReportTest() : open_(testing::NewRun(folder_.File("run"))) {}

  void Put(const GameRecord& record) {
    ASSERT_TRUE(open_.store->Put(record).ok());
    ASSERT_TRUE(open_.store->Flush().ok());
  }

  absl::StatusOr<RunReport> Report(const RunReportOptions& options = {}) {
    return MakeRunReport(open_.run, SharedRulesOf("minishogi"), options);
  }

  const testing::ScratchFolder folder_;
  testing::OpenRun open_;
};

TEST_F(RunReportTest, AgainstItsGames) {
  constexpr int kGames = 1200;
  open_.AddGames(kGames);
  int64_t wins = 0, plies = 0, captures = 0, cut_short = 0;
  const MaterialColumns columns(RulesOf("minishogi"));
  for (uint64_t id = 1; id <= kGames; ++id) {
    const GameRecord record = testing::RandomRecord(RulesOf("minishogi"), id, 12);
    wins += record.result == Result::kWin ? 1 : 0;
    cut_short += record.truncated ? 1 : 0;
    plies += static_cast<int64_t>(record.moves.size());
    captures += ExamineGame(columns, record)->captures;
  }
  absl::StatusOr<RunReport> first;
  for (const int threads : {1, 3, 50}) {
    RunReportOptions options;
    options.threads = threads;
    int64_t calls = 0;
    options.progress = [&](int64_t done, int64_t total) {
      ++calls;
      EXPECT_LE(done, total);
      EXPECT_EQ(total, kGames);
    };
    absl::StatusOr<RunReport> report = Report(options);
    ASSERT_TRUE(report.ok()) << report.status();
    if (threads == 1) {
      EXPECT_EQ(calls, kGames);
    }
    const GameStatistics& games = report->statistics;
    EXPECT_EQ(games.games(), kGames);
    EXPECT_EQ(games.first().wins, wins);
    EXPECT_EQ(games.Ended(GameEnd::kCutShort), cut_short);
    EXPECT_EQ(games.plies().sum(), plies);
    EXPECT_EQ(games.captures().sum(), captures);
    EXPECT_EQ(report->different_games, kGames);
    ASSERT_TRUE(report->worths.ok()) << report->worths.status();
    EXPECT_EQ(report->worths->games, kGames - cut_short);
    if (threads == 1) {
      first = *std::move(report);
      continue;
    }
    // To the last bit.
    ASSERT_EQ(report->worths->pieces.size(), first->worths->pieces.size());
    for (size_t i = 0; i < first->worths->pieces.size(); ++i) {
      EXPECT_EQ(report->worths->pieces[i].nats.low, first->worths->pieces[i].nats.low);
    }
  }
}

TEST_F(RunReportTest, TheNewest) {
  open_.AddGames(700);
  RunReportOptions options;
  for (const int64_t newest : {1, 499, 500, 501, 700, 1000}) {
    options.newest = newest;
    const absl::StatusOr<RunReport> report = Report(options);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->statistics.games(), std::min<int64_t>(newest, 700));
  }
}

TEST_F(RunReportTest, PieceValuesOfSomeGames) {
  open_.AddGames(800);
  RunReportOptions options;
  const int64_t all = Report(options)->worths->games;
  options.most_model_games = 400;
  const auto half = Report(options)->worths;
  ASSERT_TRUE(half.ok()) << half.status();
  EXPECT_LT(half->games, all * 6 / 10);
  EXPECT_GT(half->games, all * 4 / 10);
}

TEST_F(RunReportTest, ReplaysASample) {
  open_.AddGames(700);
  const absl::StatusOr<RunReport> all = Report();
  ASSERT_TRUE(all.ok()) << all.status();
  EXPECT_EQ(all->statistics.replayed(), 700);
  int64_t captures = -1;
  for (const int threads : {1, 3}) {
    RunReportOptions options;
    options.threads = threads;
    options.replayed_plies = all->statistics.plies().sum() / 2;
    const absl::StatusOr<RunReport> half = Report(options);
    ASSERT_TRUE(half.ok()) << half.status();
    // How games ended, and how long they were, is still that of all.
    EXPECT_EQ(half->statistics.games(), 700);
    EXPECT_EQ(half->statistics.first().wins, all->statistics.first().wins);
    EXPECT_EQ(half->statistics.Ended(GameEnd::kCutShort),
              all->statistics.Ended(GameEnd::kCutShort));
    EXPECT_EQ(half->statistics.plies().sum(), all->statistics.plies().sum());
    EXPECT_EQ(half->different_games, all->different_games);
    EXPECT_NEAR(static_cast<double>(half->statistics.replayed()), 350, 1);
    EXPECT_EQ(half->statistics.choices()[0].count(), half->statistics.replayed());
    EXPECT_NEAR(half->statistics.captures().mean(), all->statistics.captures().mean(),
                0.3 * all->statistics.captures().mean());
    if (captures >= 0) {
      EXPECT_EQ(half->statistics.captures().sum(), captures);
    }
    captures = half->statistics.captures().sum();
  }
  RunReportOptions options;
  options.replayed_plies = 1;
  EXPECT_EQ(Report(options)->statistics.replayed(), 1);
}

TEST_F(RunReportTest, GamesThatAreLeftOut) {
  open_.AddGames(20);
  GameRecord army = testing::RandomRecord(RulesOf("minishogi"), 101, 12);
  army.start_kind = StartKind::kArmy;
  Put(army);
  GameRecord other = testing::RandomRecord(RulesOf("minishogi"), 102, 12);
  other.rules_hash ^= 1;
  Put(other);
  GameRecord illegal = testing::RandomRecord(RulesOf("minishogi"), 103, 12);
  illegal.moves[3].move = Move();
  Put(illegal);
  GameRecord copy = testing::RandomRecord(RulesOf("minishogi"), 7, 12);
  copy.id = 104;
  Put(copy);
  ASSERT_TRUE(testing::OpenDatabase(open_.run)
                  ->Execute("UPDATE games SET record = x'00' WHERE id = 5")
                  .ok());
  absl::StatusOr<RunReport> report = Report();
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->statistics.games(), 20);  // 19 and the copy
  EXPECT_EQ(report->different_games, 19);
  EXPECT_EQ(report->left_out.other_starts, 1);
  EXPECT_EQ(report->left_out.other_rules, 1);
  EXPECT_EQ(report->left_out.damaged, 2);
  EXPECT_THAT(report->left_out.first_damage, HasSubstr("game 5: "));
  EXPECT_THAT(std::string(report->worths.status().message()), HasSubstr("need at least"));
  RunReportOptions options;
  options.all_starts = true;
  report = Report(options);
  EXPECT_EQ(report->statistics.games(), 21);
  EXPECT_EQ(report->left_out.other_starts, 0);
}

// Of games that are not replayed nobody knows by which rules they were played.
TEST_F(RunReportTest, OtherRulesInASample) {
  open_.AddGames(100);
  for (uint64_t id = 101; id <= 140; ++id) {
    GameRecord other = testing::RandomRecord(RulesOf("minishogi"), id, 12);
    other.rules_hash ^= 1;
    Put(other);
  }
  RunReportOptions options;
  options.replayed_plies = Report()->statistics.plies().sum() / 2;
  const absl::StatusOr<RunReport> report = Report(options);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_GT(report->left_out.other_rules, 0);
  EXPECT_GT(report->left_out.unknown_rules, 60);
  EXPECT_EQ(report->statistics.games(), report->statistics.replayed());
  EXPECT_EQ(
      report->statistics.games() + report->left_out.other_rules + report->left_out.unknown_rules,
      140);
}

// Also where they lie in several chunks.
TEST_F(RunReportTest, DamageCountsOnce) {
  open_.AddGames(1100);
  ASSERT_TRUE(testing::OpenDatabase(open_.run)
                  ->Execute("UPDATE games SET record = x'00' WHERE id BETWEEN 480 AND 700")
                  .ok());
  for (const int threads : {1, 2}) {
    RunReportOptions options;
    options.threads = threads;
    const absl::StatusOr<RunReport> report = Report(options);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->left_out.damaged, 221);
    EXPECT_THAT(report->left_out.first_damage, HasSubstr("game 480: "));
    EXPECT_EQ(report->statistics.games(), 879);
  }
}

TEST_F(RunReportTest, NothingToReportOf) {
  EXPECT_EQ(Report().status().code(), absl::StatusCode::kNotFound);
  testing::ExpectError(Report().status(), {"no games"});
  GameRecord army = testing::RandomRecord(RulesOf("minishogi"), 1, 12);
  army.start_kind = StartKind::kArmy;
  Put(army);
  testing::ExpectError(Report().status(), {"no games", "thinned armies"});
}

TEST_F(RunReportTest, Stops) {
  open_.AddGames(50);
  std::atomic<int> asked = 0;
  RunReportOptions options;
  options.threads = 2;
  options.stop = [&asked] { return ++asked >= 10; };
  EXPECT_EQ(Report(options).status().code(), absl::StatusCode::kCancelled);
  EXPECT_LT(asked, 15);
}

}  // namespace
}  // namespace crossriver
