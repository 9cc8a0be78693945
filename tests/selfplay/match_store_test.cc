// Matches in a file: what comes back, other settings, damage, foreign files, kills.
#include "selfplay/match_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include "core/notation.h"
#include "selfplay/run_rows.h"
#include "tests/scratch_folder.h"
#include "tests/selfplay/match_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::FunctionPlayer;
using ::testing::HasSubstr;
using testing::RandomMover;
using testing::ScratchFolder;

const MatchSettings kSettings = {{"variant", "minishogi"}, {"seed", "1"}};

std::vector<MatchGameRecord> SomeGames(int64_t pairs, uint64_t seed = 1) {
  FunctionPlayer random = RandomMover();
  FunctionPlayer loser([](const Turn& turn, RandomStream* stream) -> absl::StatusOr<Choice> {
    if (turn.moves.size() > 30) return absl::UnavailableError("crashed");
    return testing::RandomMove(turn, stream);
  });
  MatchOptions options;
  options.pairs = pairs;
  options.seed = seed;
  options.limits.max_plies = 40;
  return testing::Play("minishogi", &random, &loser, options).games;
}

std::unique_ptr<MatchStore> Open(const std::string& path,
                                 const MatchSettings& settings = kSettings) {
  auto store = MatchStore::Open(path, settings);
  EXPECT_TRUE(store.ok()) << store.status();
  return *std::move(store);
}

std::vector<MatchGameRecord> Games(MatchStore* store, const StoredPairing& pairing) {
  std::vector<MatchGameRecord> games;
  const auto damaged = store->ReadGames(pairing, [&games](MatchGameRecord game) {
    games.push_back(std::move(game));
    return absl::OkStatus();
  });
  EXPECT_TRUE(damaged.ok()) << damaged.status();
  EXPECT_THAT(*damaged, ::testing::IsEmpty());
  return games;
}

std::vector<std::string> Names(MatchStore* store) {
  const std::vector<StoredPlayer> players = *store->Players();
  std::vector<std::string> names;
  for (const StoredPlayer& player : players) names.push_back(player.name);
  return names;
}

// Records are rounded when they are stored.
void ExpectEqual(const std::vector<MatchGameRecord>& stored,
                 const std::vector<MatchGameRecord>& played) {
  ASSERT_EQ(stored.size(), played.size());
  for (size_t i = 0; i < stored.size(); ++i) {
    EXPECT_EQ(stored[i].result, played[i].result);
    EXPECT_EQ(EncodeRecord(stored[i].record), EncodeRecord(played[i].record));
  }
}

void ExpectError(const absl::Status& status, const std::vector<std::string>& parts) {
  EXPECT_FALSE(status.ok());
  for (const std::string& part : parts) {
    EXPECT_THAT(std::string(status.message()), HasSubstr(part));
  }
}

TEST(MatchStoreTest, GamesComeBack) {
  const ScratchFolder folder;
  const std::string path = folder.File("match.db");
  const std::vector<MatchGameRecord> games = SomeGames(10);
  {
    const auto store = Open(path);
    const StoredPairing pairing = {*store->AddPlayer("random", 0), *store->AddPlayer("loser", 5)};
    // In any order.
    for (size_t i = games.size(); i-- > 0;) ASSERT_TRUE(store->Put(pairing, games[i]).ok());
    ExpectError(store->Put(pairing, games[3]), {"match.db"});
    ExpectEqual(Games(store.get(), pairing), games);
  }
  // One file, and nothing beside it.
  EXPECT_EQ(folder.Names(), (std::vector<std::string>{"match.db"}));
  const auto store = Open(path);
  EXPECT_EQ(*store->AddPlayer("loser", 5), 2);
  ExpectEqual(Games(store.get(), {1, 2}), games);
  const auto reader = MatchStore::OpenReadOnly(path);
  ASSERT_TRUE(reader.ok());
  ExpectEqual(Games(reader->get(), {1, 2}), games);
  EXPECT_EQ(Names(reader->get()), (std::vector<std::string>{"random", "loser"}));
  EXPECT_EQ(*(*reader)->Settings(), kSettings);
}

TEST(MatchStoreTest, HoldsManyPairings) {
  const ScratchFolder folder;
  const auto store = Open(folder.File("ladder.db"));
  const int64_t a = *store->AddPlayer("a", 0), b = *store->AddPlayer("b", 0);
  const std::vector<StoredPairing> pairings = {{a, a}, {a, b}, {b, a}};
  std::vector<std::vector<MatchGameRecord>> games;
  for (size_t i = 0; i < pairings.size(); ++i) {
    games.push_back(SomeGames(2, i + 1));
    for (const MatchGameRecord& game : games[i]) ASSERT_TRUE(store->Put(pairings[i], game).ok());
  }
  for (size_t i = 0; i < pairings.size(); ++i) {
    ExpectEqual(Games(store.get(), pairings[i]), games[i]);
  }
  const std::vector<StoredPairing> stored = *store->Pairings();
  ASSERT_EQ(stored.size(), 3U);
  for (size_t i = 0; i < pairings.size(); ++i) {
    EXPECT_EQ(stored[i].a, pairings[i].a);
    EXPECT_EQ(stored[i].b, pairings[i].b);
  }
}

TEST(MatchStoreTest, OtherSettingsAreErrors) {
  const ScratchFolder folder;
  const std::string path = folder.File("match.db");
  EXPECT_EQ(*Open(path)->AddPlayer("net:x", 5), 1);
  ExpectError(MatchStore::Open(path, {{"variant", "minishogi"}, {"seed", "2"}}).status(),
              {"match.db", "seed '1'", "'2'"});
  ExpectError(MatchStore::Open(path, {{"seed", "1"}}).status(), {"variant 'minishogi'", "''"});
  ExpectError(
      MatchStore::Open(path, {{"variant", "minishogi"}, {"seed", "1"}, {"more", "x"}}).status(),
      {"more ''", "'x'"});
  EXPECT_TRUE(MatchStore::Open(path, {{"seed", "1"}, {"variant", "minishogi"}}).ok());
  ExpectError(Open(path)->AddPlayer("net:x", 6).status(), {"net:x", "another one"});
}

TEST(MatchStoreTest, PlayersAreReplaced) {
  const ScratchFolder folder;
  const auto store = Open(folder.File("ladder.db"));
  EXPECT_EQ(*store->ReplacePlayer("net:a@1", 5), 1);
  EXPECT_EQ(*store->ReplacePlayer("net:a@1", 5), 1);
  EXPECT_EQ(*store->ReplacePlayer("net:a@2", 7), 2);
  EXPECT_EQ(*store->ReplacePlayer("net:a@1", 6), 3);
  EXPECT_EQ(*store->ReplacePlayer("net:a@1", ~uint64_t{0}), 4);
  EXPECT_EQ(*store->ReplacePlayer("net:a@1", ~uint64_t{0}), 4);
  EXPECT_EQ(Names(store.get()), (std::vector<std::string>{"net:a@1 (replaced 1)", "net:a@2",
                                                          "net:a@1 (replaced 2)", "net:a@1"}));
  EXPECT_EQ((*store->Players())[3].identity, ~uint64_t{0});
}

TEST(MatchStoreTest, OpeningsAreCompared) {
  const ScratchFolder folder;
  const auto store = Open(folder.File("match.db"));
  const std::vector<MatchGameRecord> games = SomeGames(2);
  const Rules& rules = testing::RulesOf("minishogi");
  MatchOpening opening{StartPosition(rules), {}};
  const auto plies = static_cast<size_t>(games[0].result.opening_plies);
  for (size_t i = 0; i < plies; ++i) opening.moves.push_back(games[0].record.moves[i].move);
  EXPECT_TRUE(store->CheckOpening(games[0], opening).ok());
  EXPECT_TRUE(store->CheckOpening(games[1], opening).ok());
  ExpectError(store->CheckOpening(games[2], opening), {"match.db", "other openings"});
  opening.moves.pop_back();
  EXPECT_FALSE(store->CheckOpening(games[0], opening).ok());
}

TEST(MatchStoreTest, OneProcessAtATime) {
  const ScratchFolder folder;
  const std::string path = folder.File("match.db");
  auto store = Open(path);
  ExpectError(MatchStore::Open(path, kSettings).status(), {"another process"});
  EXPECT_TRUE(MatchStore::OpenReadOnly(path).ok());
  store.reset();
  EXPECT_TRUE(MatchStore::Open(path, kSettings).ok());
}

TEST(MatchStoreTest, ForeignFilesAreErrors) {
  const ScratchFolder folder;
  const std::string text = folder.File("text");
  testing::WriteBytes(text, std::string(5000, 'x'));
  ExpectError(MatchStore::Open(text, kSettings).status(), {"text", "not a database"});
  EXPECT_EQ(testing::ReadBytes(text), std::string(5000, 'x'));
  const std::string other = folder.File("other.db");
  ASSERT_TRUE((*Database::Open(other, Database::Mode::kCreate, std::chrono::milliseconds(0)))
                  ->Execute("CREATE TABLE games (x)")
                  .ok());
  ExpectError(MatchStore::Open(other, kSettings).status(), {"other.db", "another program"});
  ExpectError(MatchStore::OpenReadOnly(other).status(), {"other.db", "another program"});
  const std::string newer = folder.File("newer.db");
  Open(newer);
  ASSERT_TRUE((*Database::Open(newer, Database::Mode::kWrite, std::chrono::milliseconds(0)))
                  ->Execute("PRAGMA user_version = 9")
                  .ok());
  ExpectError(MatchStore::Open(newer, kSettings).status(), {"has format 9"});
  ExpectError(MatchStore::Open(folder.path(), kSettings).status(), {folder.path()});
  ExpectError(MatchStore::Open(folder.File("no/such/folder"), kSettings).status(), {"no/such"});
  ExpectError(MatchStore::OpenReadOnly(folder.File("none")).status(), {"does not exist"});
}

// And the rest is there.
TEST(MatchStoreTest, DamageIsNamed) {
  const char* const damages[] = {
      "record = zeroblob(100)",
      "record = substr(record, 1, length(record) - 1)",
      "result = CASE result WHEN 'draw' THEN 'first' ELSE 'draw' END",
      "plies = plies + 1",
      "opening_plies = -1",
      "opening_plies = plies + 1",
      "pair = -5",
  };
  for (const char* damage : damages) {
    const ScratchFolder folder;
    const std::string path = folder.File("match.db");
    const auto store = Open(path);
    const StoredPairing pairing = {*store->AddPlayer("a", 0), *store->AddPlayer("b", 0)};
    const std::vector<MatchGameRecord> games = SomeGames(2);
    for (const MatchGameRecord& game : games) ASSERT_TRUE(store->Put(pairing, game).ok());
    const auto writer =
        Database::Open(path, Database::Mode::kWrite, std::chrono::milliseconds(1000));
    const std::string sql =
        std::string("UPDATE games SET ") + damage + " WHERE pair = 1 AND half = 0";
    ASSERT_TRUE((*writer)->Execute(sql).ok()) << sql;
    size_t whole = 0;
    const auto damaged = store->ReadGames(pairing, [&whole](const MatchGameRecord&) {
      ++whole;
      return absl::OkStatus();
    });
    ASSERT_TRUE(damaged.ok()) << damaged.status();
    EXPECT_EQ(whole, 3U) << damage;
    ASSERT_EQ(damaged->size(), 1U) << damage;
    EXPECT_THAT(damaged->front(), HasSubstr("players 1 and 2, pair "));
    EXPECT_THAT(damaged->front(), HasSubstr(", half 0: "));
    // It may be played again, and then is there for good.
    ASSERT_TRUE(store->Put(pairing, games[2]).ok()) << damage;
    EXPECT_FALSE(store->Put(pairing, games[2]).ok()) << damage;
    if (std::string(damage) != "pair = -5") ExpectEqual(Games(store.get(), pairing), games);
  }
}

// What has been put is there when the process is killed.
TEST(MatchStoreTest, AKillLosesNothingStored) {
  const ScratchFolder folder;
  const std::string path = folder.File("match.db");
  const std::vector<MatchGameRecord> games = SomeGames(10);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    auto store = MatchStore::Open(path, kSettings);
    const StoredPairing pairing = {*(*store)->AddPlayer("a", 0), *(*store)->AddPlayer("b", 0)};
    for (size_t i = 0; i < 13; ++i) {
      if (!(*store)->Put(pairing, games[i]).ok()) _exit(1);
    }
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  const auto store = Open(path);
  ExpectEqual(Games(store.get(), {1, 2}), {games.begin(), games.begin() + 13});
}

}  // namespace
}  // namespace crossriver
