// crossriver ladder as scripts meet it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/notation.h"
#include "selfplay/match_store.h"
#include "selfplay/run_directory.h"
#include "tests/scratch_folder.h"
#include "tests/selfplay/store_helpers.h"
#include "tests/test_data.h"
#include "tests/tools/run_crossriver.h"

namespace crossriver {
namespace {

using nlohmann::json;
using testing::Finished;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RunCrossriver;
using testing::RunForJson;
using testing::ScratchFolder;
using testing::WithoutSpeed;

Finished RunLadder(const std::string& arguments) { return RunCrossriver("ladder " + arguments); }

json LadderJson(const std::string& arguments) { return RunForJson("ladder " + arguments); }

const char kPlayers[] =
    "--variant minishogi --max-plies 80 --with random --with uniform:4 --with uniform:40 ";

TEST(LadderCliTest, RatesPlayersWithoutARun) {
  const json report = LadderJson(std::string(kPlayers) + "--games 60");
  EXPECT_EQ(report["games"], 60);
  EXPECT_EQ(report["anchor"], "random");
  ASSERT_EQ(report["players"].size(), 3U);
  int games = 0;
  for (const json& player : report["players"]) {
    games += player["games"].get<int>();
    EXPECT_LE(player["elo_low"], player["elo"]);
    EXPECT_LE(player["elo"], player["elo_high"]);
    if (player["name"] == "random") {
      EXPECT_EQ(player["elo"], 0);
    }
  }
  EXPECT_EQ(games, 2 * 60);
  // It sees mates.
  EXPECT_EQ(report["players"][0]["name"], "uniform:40");
  EXPECT_EQ(LadderJson(std::string(kPlayers) + "--games 16 --anchor uniform:4")["anchor"],
            "uniform:4");
}

TEST(LadderCliTest, PrintsATable) {
  const Finished run = RunLadder(std::string(kPlayers) + "--games 20 --interval 0");
  EXPECT_EQ(run.status, 0) << run.errors;
  for (const char* part : {"minishogi, 20 games of 3 players", "Elo over random", "\nuniform:40 ",
                           "over next", "first move", "played now 20 games"}) {
    EXPECT_THAT(run.output, HasSubstr(part));
  }
}

TEST(LadderCliTest, GoesOnWithAStore) {
  const ScratchFolder folder;
  const std::string store = " --store " + folder.File("ladder.db");
  EXPECT_EQ(LadderJson(std::string(kPlayers) + "--games 20" + store)["games_played"], 20);
  const json report = LadderJson(std::string(kPlayers) + "--games 60 --threads 1" + store);
  EXPECT_EQ(report["games_played"], 40);
  EXPECT_EQ(WithoutSpeed(report),
            WithoutSpeed(LadderJson(std::string(kPlayers) + "--games 60 --threads 3")));
  const json shown = LadderJson(std::string(kPlayers) + "--games 0" + store);
  EXPECT_EQ(shown["games_played"], 0);
  EXPECT_EQ(WithoutSpeed(shown), WithoutSpeed(report));
  const Finished other = RunLadder(std::string(kPlayers) + "--seed 2" + store);
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.errors, HasSubstr("ladder.db: its games were played with seed '1'"));
}

// Also while another call has the file open; and it changes nothing.
TEST(LadderCliTest, WithoutGamesItOnlyReads) {
  const ScratchFolder folder;
  const std::string file = folder.File("ladder.db");
  const std::string players = std::string(kPlayers) + "--games 0 --store " + file;
  EXPECT_EQ(LadderJson(players)["games"], 0);
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_EQ(LadderJson(std::string(kPlayers) + "--games 20 --store " + file)["games"], 20);
  const absl::StatusOr<MatchSettings> settings = (*MatchStore::OpenReadOnly(file))->Settings();
  ASSERT_TRUE(settings.ok());
  const auto writer = MatchStore::Open(file, *settings);
  ASSERT_TRUE(writer.ok()) << writer.status();
  EXPECT_EQ(LadderJson(players)["games"], 20);
  EXPECT_THAT(RunLadder(players + " --seed 2").errors, HasSubstr("with seed '1'"));
  EXPECT_THAT(RunLadder(std::string(kPlayers) + "--store " + file).errors,
              HasSubstr("another process"));
}

class LadderOfRunTest : public ::testing::Test {
 protected:
  LadderOfRunTest() {
    auto run = RunDirectory::Create(path_, "variant = \"minishogi\"\n");
    EXPECT_TRUE(run.ok()) << run.status();
    testing::OpenRun open(*std::move(run));
    for (const int64_t number : {0, 1, 2, 3}) open.AddCheckpoint(number);
    rows_ = *open.reader->ListCheckpoints();
  }

  // Wins of the first of two checkpoints.
  void PutGames(const std::string& store_file, int64_t first, int64_t second) const {
    const Rules& rules = testing::RulesOf("minishogi");
    const auto store = MatchStore::Open(
        store_file, {{"kind", "ladder"},
                     {"variant", "minishogi"},
                     {"rules", absl::StrCat(absl::Hex(rules.hash(), absl::kZeroPad16))},
                     {"seed", "1"},
                     {"openings", "random, 0 plies"},
                     {"max_plies", "600"}});
    ASSERT_TRUE(store.ok()) << store.status();
    StoredPairing pairing;
    for (const auto& [number, place] :
         {std::pair(first, &pairing.a), std::pair(second, &pairing.b)}) {
      const auto added = (*store)->AddPlayer(absl::StrCat("net:run@", number, "?visits=32"),
                                             rows_[static_cast<size_t>(number)].network_checksum);
      ASSERT_TRUE(added.ok()) << added.status();
      *place = *added;
    }
    for (int half = 0; half < 2; ++half) {
      MatchGameRecord game;
      game.result = {0, half, Result::kWin, "forfeit", "", 0, 0};
      game.record.variant = "minishogi";
      game.record.rules_hash = rules.hash();
      game.record.start_kind = StartKind::kOpening;
      game.record.start_fen = FormatFen(StartPosition(rules));
      game.record.result = half == 0 ? Result::kWin : Result::kLoss;
      game.record.resigned = true;
      ASSERT_TRUE((*store)->Put(pairing, game).ok());
    }
  }

  const ScratchFolder folder_;
  const std::string path_ = folder_.File("run");
  std::vector<CheckpointRow> rows_;
};

// Networks are needed to play; not to be listed.
TEST_F(LadderOfRunTest, IsShown) {
  const std::string svg = folder_.File("ladder.svg");
  const json report = LadderJson(path_ + "/ --with random --checkpoints 3 --games 0 --svg " + svg);
  ASSERT_EQ(report["players"].size(), 4U);
  EXPECT_EQ(report["anchor"], "net:run@0?visits=32");
  const std::string warning = report["warning"];
  EXPECT_THAT(warning, HasSubstr("no games connect these with net:run@0?visits=32: "));
  EXPECT_THAT(warning, HasSubstr("random"));
  EXPECT_THAT(warning, HasSubstr("net:run@3?visits=32"));
  EXPECT_THAT(testing::ReadBytes(svg), HasSubstr("</svg>"));
  const json other = LadderJson(path_ + " --games 0 --visits 5 --anchor @3");
  EXPECT_EQ(other["anchor"], "net:run@3?visits=5");
  const Finished text = RunLadder(path_ + " --games 0");
  EXPECT_THAT(text.output, HasSubstr("games of self-play"));
  EXPECT_THAT(text.output, HasSubstr("CPU time"));
  EXPECT_THAT(text.output, Not(HasSubstr("draws, %")));
  const Finished plots = RunLadder(path_ + " --games 0 --plots");
  EXPECT_THAT(plots.output, HasSubstr("draws, %"));
  const Finished bad = RunLadder(path_ + " --games 0 --anchor @4");
  EXPECT_EQ(bad.status, 1);
  EXPECT_THAT(bad.errors, HasSubstr("--anchor @4: expected the name of a player"));
}

// However its path is typed, and where it is moved to. What has games is chosen.
TEST_F(LadderOfRunTest, KeepsItsGames) {
  PutGames(path_ + "/ladder.db", 1, 2);
  const std::string flags = " --games 0 --plies 0 --checkpoints 4";
  EXPECT_EQ(LadderJson(path_ + flags)["games"], 2);
  EXPECT_EQ(LadderJson(path_ + "/../run/." + flags)["games"], 2);
  const std::string elsewhere = folder_.File("elsewhere");
  std::filesystem::create_directory(elsewhere);
  std::filesystem::rename(path_, elsewhere + "/run");
  const json report = LadderJson(elsewhere + "/run" + flags);
  EXPECT_EQ(report["games"], 2);
  EXPECT_EQ(report["players"][0]["name"], "net:run@1?visits=32");
}

TEST_F(LadderOfRunTest, NothingToPlot) {
  const std::string svg = folder_.File("ladder.svg");
  const Finished run = RunLadder(path_ + " --with random --checkpoints 1 --games 0 --svg " + svg);
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_THAT(run.errors, HasSubstr("nothing to plot"));
  EXPECT_FALSE(std::filesystem::exists(svg));
  const Finished bad = RunLadder(path_ + " --games 0 --svg " + folder_.File("no/such.svg"));
  EXPECT_EQ(bad.status, 1);
  EXPECT_THAT(bad.errors, HasSubstr("--svg "));
  EXPECT_EQ(bad.output, "");
}

TEST(LadderCliTest, Errors) {
  const ScratchFolder folder;
  const struct {
    std::string arguments;
    int status;
    std::string error;
  } cases[] = {
      {"", 1, "expected the folder of a run, or --variant"},
      {folder.path(), 1, folder.path()},
      {folder.path() + " --variant xiangqi", 1, "a run has its own"},
      {"--variant xiangqi --with random", 1, "at least two players"},
      {"--variant xiangqi --with random --with random", 1, "'random' is there twice"},
      {"--variant xiangqi --with random --with rendom", 1, "did you mean 'random'"},
      {"--variant xiangqi --with random --with mcts:5 --anchor mcts:6", 1, "'mcts:5'"},
      {"--variant xiangqi --with random --with mcts:5 --svg x.svg", 1, "the folder of a run"},
      {"--variant xiangqi --with random --block 0", 2, "block"},
      {"--variant xiangqi --with random --seed -1", 2, "expected a number from 0 to 2^64-1"},
  };
  for (const auto& [arguments, status, error] : cases) {
    const Finished run = RunLadder(arguments);
    EXPECT_EQ(run.status, status) << arguments;
    EXPECT_THAT(run.errors, HasSubstr(error)) << arguments;
  }
}

}  // namespace
}  // namespace crossriver
