// Trees of openings in a run's database: increments, kills, old runs, damage.
#include "selfplay/openings/opening_update.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "core/movegen.h"
#include "core/notation.h"
#include "selfplay/openings/opening_path.h"
#include "selfplay/openings/opening_tree.h"
#include "tests/random_positions.h"
#include "tests/scratch_folder.h"
#include "tests/selfplay/openings/opening_helpers.h"
#include "tests/selfplay/record_helpers.h"
#include "tests/selfplay/store_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::BranchingGame;
using testing::DumpTree;
using testing::OpenDatabase;
using testing::OpenRun;
using testing::RulesOf;
using testing::ScratchFolder;
using testing::TreeOf;

// A run of minishogi, game by game.
class OpeningUpdateTest : public ::testing::Test {
 protected:
  OpeningUpdateTest() : open_(testing::NewRun(folder_.File("run"))) {}

  void Play(int games) {
    for (int i = 0; i < games; ++i) {
      games_.push_back(BranchingGame(rules_, games_.size() + 1, 14));
      ASSERT_TRUE(open_.store->Put(games_.back()).ok());
    }
    ASSERT_TRUE(open_.store->Flush().ok());
  }
  OpeningState Update(const OpeningUpdateOptions& options = {}) {
    return UpdateOpenings(classes_, options, open_.reader.get(), open_.store.get()).value();
  }
  std::string Stored() { return DumpTree(OpenDatabase(open_.run).get()); }
  std::string AllAtOnce(const OpeningSettings& settings) const {
    return DumpTree(TreeOf(rules_, games_, settings).database.get());
  }

  const Rules& rules_ = RulesOf("minishogi");
  const PositionClasses classes_{&rules_};
  const ScratchFolder folder_;
  OpenRun open_;
  std::vector<GameRecord> games_;
};

TEST_F(OpeningUpdateTest, GrowsWithTheGames) {
  for (const int games : {30, 1, 0, 50}) {
    Play(games);
    const OpeningState state = Update({.games_a_transaction = 7});
    EXPECT_EQ(state.games, static_cast<int64_t>(games_.size()));
    EXPECT_EQ(state.skipped, 0);
    EXPECT_EQ(Stored(), AllAtOnce(OpeningSettings()));
  }
  const auto tree = OpeningTree::OpenFile(open_.run.database_path(), &rules_).value();
  EXPECT_EQ(tree->At(StartPosition(rules_)).value().counts.games, 81);
}

TEST_F(OpeningUpdateTest, OtherSettingsMakeItAnew) {
  Play(40);
  Update();
  const OpeningSettings other = {6, 2};
  EXPECT_EQ(Update({.settings = other}).games, 40);
  EXPECT_EQ(Stored(), AllAtOnce(other));
  Play(10);
  Update();  // goes on with what the tree has
  EXPECT_EQ(Stored(), AllAtOnce(other));
}

TEST_F(OpeningUpdateTest, GoesOnAfterAStop) {
  Play(40);
  OpeningUpdateOptions options;
  options.games_a_transaction = 15;
  options.progress = [](int64_t games) { return games < 30; };
  EXPECT_EQ(Update(options).games, 30);
  EXPECT_EQ(Update().games, 40);
  EXPECT_EQ(Stored(), AllAtOnce(OpeningSettings()));
}

// A transaction that does not end leaves nothing of itself.
TEST_F(OpeningUpdateTest, AnErrorChangesNothing) {
  Play(20);
  Update();
  const std::string before = Stored();
  const absl::Status failed = open_.store->Update([](Database* database) -> absl::Status {
    absl::Status status = database->Execute("DELETE FROM opening_moves");
    return status.ok() ? absl::CancelledError("killed") : status;
  });
  EXPECT_TRUE(absl::IsCancelled(failed));
  EXPECT_EQ(Stored(), before);
}

// The tables are not in the schema: a run from before them has none, and is opened as ever.
TEST_F(OpeningUpdateTest, RunsFromBeforeTrees) {
  Play(10);
  EXPECT_TRUE(absl::IsNotFound(OpeningTree::OpenFile(open_.run.database_path(), &rules_).status()));
  Update();
  EXPECT_TRUE(OpeningTree::OpenFile(open_.run.database_path(), &rules_).ok());
}

TEST_F(OpeningUpdateTest, AnotherVersionsTreeIsMadeAnew) {
  Play(20);
  Update();
  ASSERT_TRUE(OpenDatabase(open_.run)
                  ->Execute("UPDATE opening_state SET value = 99 WHERE name = 'version'; "
                            "UPDATE opening_moves SET games = 1000")
                  .ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(
      OpeningTree::OpenFile(open_.run.database_path(), &rules_).status()));
  Update();
  EXPECT_EQ(Stored(), AllAtOnce(OpeningSettings()));
}

TEST_F(OpeningUpdateTest, LeavesOutWhatIsNoOpening) {
  Play(10);
  GameRecord restart = BranchingGame(rules_, 100, 10);
  restart.start_kind = StartKind::kRestart;
  GameRecord other_rules = BranchingGame(rules_, 101, 10);
  other_rules.rules_hash ^= 1;
  GameRecord illegal = BranchingGame(rules_, 102, 10);
  illegal.moves[5].move = illegal.moves[4].move;
  for (const GameRecord& game : {restart, other_rules, illegal}) {
    ASSERT_TRUE(open_.store->Put(game).ok());
  }
  ASSERT_TRUE(open_.store->Flush().ok());
  const OpeningState state = Update();
  EXPECT_EQ(state.games, 13);
  EXPECT_EQ(state.skipped, 3);
  EXPECT_EQ(Stored(), AllAtOnce(OpeningSettings()));
}

TEST_F(OpeningUpdateTest, LeavesOutWhatCantBeRead) {
  Play(20);
  ASSERT_TRUE(
      OpenDatabase(open_.run)->Execute("UPDATE games SET record = x'00' WHERE id = 7").ok());
  EXPECT_EQ(Update().games, 19);
  games_.erase(games_.begin() + 6);
  EXPECT_EQ(Stored(), AllAtOnce(OpeningSettings()));
}

TEST_F(OpeningUpdateTest, OpeningMovesOfAMatchDoNotCount) {
  const auto built = BuildOpenings(classes_, {10, 1}, [&](OpeningGameTaker take) {
                       return take(BranchingGame(rules_, 2, 6), 4);
                     }).value();
  EXPECT_EQ(built->QueryInt("SELECT count(*) FROM opening_positions").value(), 2);
  EXPECT_EQ(built->QueryInt("SELECT min(ply) FROM opening_moves").value(), 4);
}

TEST_F(OpeningUpdateTest, AMissingBeginningIsAnError) {
  Play(4);
  Update();
  ASSERT_TRUE(OpenDatabase(open_.run)->Execute("DELETE FROM opening_paths").ok());
  Play(60);
  const absl::Status status =
      UpdateOpenings(classes_, {}, open_.reader.get(), open_.store.get()).status();
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr("run.db"));
}

TEST(OpeningPathTest, ComesBack) {
  const Rules& rules = RulesOf("shogi");
  for (uint64_t id = 0; id < 20; ++id) {
    GameRecord record = BranchingGame(rules, id, 12);
    const OpeningPath path = MakeOpeningPath(rules, record, 2, 9).value();
    EXPECT_EQ(path.steps.size(), 9U);
    EXPECT_EQ(path.first, 2);
    EXPECT_EQ(DecodeOpeningPath(EncodeOpeningPath(path)).value(), path);
  }
}

// Games that begin later have fewer plies left.
TEST(OpeningPathTest, CountsFromTheArray) {
  const Rules& rules = RulesOf("shogi");
  GameRecord record = BranchingGame(rules, 4, 12);
  Position position = StartPosition(rules);
  for (int ply = 0; ply < 3; ++ply) position.Do(record.moves[static_cast<size_t>(ply)].move);
  record.start_fen = FormatFen(position);
  record.start_kind = StartKind::kRandomPlies;
  record.moves.erase(record.moves.begin(), record.moves.begin() + 3);
  const OpeningPath path = MakeOpeningPath(rules, record, 0, 9).value();
  EXPECT_EQ(path.steps.size(), 6U);
  EXPECT_EQ(path.start_fen, record.start_fen);
}

TEST(OpeningPathTest, BelievesNothing) {
  const Rules& rules = RulesOf("shogi");
  const std::string bytes =
      EncodeOpeningPath(MakeOpeningPath(rules, BranchingGame(rules, 1, 12), 0, 9).value());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(DecodeOpeningPath(bytes.substr(0, size)).ok());
  }
  EXPECT_FALSE(DecodeOpeningPath(bytes + "x").ok());
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    const auto path = DecodeOpeningPath(flipped);
    if (!path.ok()) continue;
    (void)ReplayOpeningPath(rules, *path, [](size_t, const Position&) { return true; });
  }
}

}  // namespace
}  // namespace crossriver
