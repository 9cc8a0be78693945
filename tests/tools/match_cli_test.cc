// crossriver match as scripts meet it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "selfplay/game_import.h"
#include "tests/scratch_folder.h"
#include "tests/test_data.h"
#include "tests/tools/run_crossriver.h"

namespace crossriver {
namespace {

using nlohmann::json;
using testing::Finished;
using ::testing::HasSubstr;
using testing::RunCrossriver;
using testing::RunForJson;
using testing::ScratchFolder;
using testing::WithoutSpeed;

Finished Match(const std::string& arguments) { return RunCrossriver("match " + arguments); }

json MatchJson(const std::string& arguments) { return RunForJson("match " + arguments); }

TEST(MatchCliTest, PrintsJson) {
  const json report = MatchJson("uniform:30 uniform:20 --variant minishogi --games 40");
  EXPECT_EQ(report["games"], 40);
  EXPECT_EQ(report["wins"].get<int>() + report["draws"].get<int>() + report["losses"].get<int>(),
            40);
  EXPECT_EQ(report["a_first"]["wins"].get<int>() + report["a_second"]["wins"].get<int>(),
            report["wins"]);
  EXPECT_LE(report["elo_low"], report["elo"]);
  EXPECT_LE(report["elo"], report["elo_high"]);
  EXPECT_LT(report["elo_low"], 0);  // of two nearly equal players
  EXPECT_LT(0, report["elo_high"]);
  EXPECT_EQ(report["los"] > 0.5, report["elo"] > 0);
  int pairs = 0;
  for (const json& count : report["pairs"]) pairs += count.get<int>();
  EXPECT_EQ(pairs, 20);
  EXPECT_EQ(report["openings"], 20);
  EXPECT_GT(report["plies"]["mean"], 6);
  EXPECT_GT(report["evaluations"], 0);
  int ends = 0;
  for (const auto& [end, count] : report["ends"].items()) ends += count.get<int>();
  EXPECT_EQ(ends, 40);
}

TEST(MatchCliTest, PrintsATable) {
  const Finished run =
      Match("uniform:10 random --variant minishogi --games 10 --max-plies 30 --sprt -20 20");
  EXPECT_EQ(run.status, 0) << run.errors;
  for (const char* part :
       {"A          uniform:10\n", "B          random\n", "minishogi, 10 games, 5 pairs", "A first",
        "A second", "95 % interval", "likelihood of superiority", "limit",
        "SPRT       H0 -20, H1 20 Elo", "games/s", "evaluations/s"}) {
    EXPECT_THAT(run.output, HasSubstr(part));
  }
}

TEST(MatchCliTest, ThreadsChangeNothing) {
  const std::string match = "uniform:10 random --variant minishogi --games 12 ";
  const json report = WithoutSpeed(MatchJson(match + "--threads 1"));
  EXPECT_EQ(WithoutSpeed(MatchJson(match + "--threads 3 --at-a-time 2")), report);
  EXPECT_NE(WithoutSpeed(MatchJson(match + "--seed 2")), report);
}

TEST(MatchCliTest, GoesOnWithAStore) {
  const ScratchFolder folder;
  const std::string match = "random uniform:5 --variant minishogi --max-plies 80 ";
  const std::string store = " --store " + folder.File("match.db");
  EXPECT_EQ(MatchJson(match + "--games 6" + store)["games_played"], 6);
  const json report = MatchJson(match + "--games 14" + store);
  EXPECT_EQ(report["games_played"], 8);
  EXPECT_EQ(WithoutSpeed(report), WithoutSpeed(MatchJson(match + "--games 14")));
  const json again = MatchJson(match + "--games 14" + store);
  EXPECT_EQ(again["games_played"], 0);
  EXPECT_EQ(WithoutSpeed(again), WithoutSpeed(report));
  // Of more games that were played, those asked for.
  EXPECT_EQ(WithoutSpeed(MatchJson(match + "--games 6" + store)),
            WithoutSpeed(MatchJson(match + "--games 6")));

  const Finished other = Match(match + "--seed 2" + store);
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.errors, HasSubstr("match.db: its games were played with seed '1'"));
  const Finished variant = Match("random uniform:5 --variant switchback --max-plies 80" + store);
  EXPECT_THAT(variant.errors, HasSubstr("'minishogi'"));
  // Other players may share the file.
  EXPECT_EQ(MatchJson("uniform:5 random --variant minishogi --max-plies 80 --games 4" +
                      store)["games_played"],
            4);
}

TEST(MatchCliTest, WritesGames) {
  const ScratchFolder folder;
  const std::string files =
      " --pgn " + folder.File("match.pgn") + " --store " + folder.File("match.db");
  const std::string match = "random uniform:5 --variant minishogi --max-plies 80 ";
  MatchJson(match + "--games 4" + files);
  const json report = MatchJson(match + "--games 10" + files);
  const std::string text = testing::ReadBytes(folder.File("match.pgn"));
  EXPECT_THAT(text, HasSubstr("[Event \"match\"]"));
  EXPECT_THAT(text, HasSubstr("[White \"uniform:5\"]\n[Black \"random\"]"));
  std::vector<GameRecord> games;
  const auto imported =
      ImportGames(testing::RulesOf("minishogi"), text, {}, [&games](const GameRecord& game) {
        games.push_back(game);
        return absl::OkStatus();
      });
  ASSERT_TRUE(imported.ok());
  EXPECT_EQ(imported->imported, 10);
  EXPECT_EQ(imported->skipped, 0) << imported->messages[0];
  ASSERT_EQ(games.size(), 10U);
  int draws = 0;
  for (const GameRecord& game : games) draws += game.result == Result::kDraw ? 1 : 0;
  EXPECT_EQ(draws, report["draws"]);
  // The pairs have their openings in common.
  for (size_t i = 0; i < games.size(); i += 2) {
    for (size_t ply = 0; ply < 6; ++ply) {
      EXPECT_EQ(games[i].moves[ply].move, games[i + 1].moves[ply].move);
    }
  }
}

// Without a store they are written as they end, so that nothing is kept.
TEST(MatchCliTest, WritesGamesWithoutAStore) {
  const ScratchFolder folder;
  const std::string file = folder.File("match.pgn");
  testing::WriteBytes(file, "of another match");
  MatchJson("random uniform:5 --variant minishogi --max-plies 80 --games 10 --threads 2 --pgn " +
            file);
  const auto imported = ImportGames(testing::RulesOf("minishogi"), testing::ReadBytes(file), {},
                                    [](const GameRecord&) { return absl::OkStatus(); });
  ASSERT_TRUE(imported.ok());
  EXPECT_EQ(imported->imported, 10);
  EXPECT_EQ(imported->skipped, 0);
}

// Before the games, not behind them.
TEST(MatchCliTest, AFileThatCannotBeWrittenIsNamedAtOnce) {
  const ScratchFolder folder;
  const std::string match =
      "random random --variant minishogi --games 2 --store " + folder.File("match.db") + " --pgn ";
  for (const std::string& file : {folder.File("no/such/file"), folder.path()}) {
    const Finished run = Match(match + file);
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.output, "");
    EXPECT_THAT(run.errors, HasSubstr("--pgn " + file));
  }
  EXPECT_FALSE(std::filesystem::exists(folder.File("match.db")));
}

// It is sent when the program has said that it catches it: see CliTest.AnalyseStopsOnAnInterrupt.
TEST(MatchCliTest, GoesOnAfterAnInterrupt) {
  const ScratchFolder folder;
  const std::string match = "uniform:200 random --variant minishogi --store " +
                            folder.File("match.db") + " --json --games ";
  const Finished run = Match(
      match +
      "1000000 & "
      "while kill -0 $! && ! grep -q 'SigCgt:.*[2367abef]$' /proc/$!/status; do sleep 0.1; done; "
      "sleep 0.3; kill -INT $!; wait $!");
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.errors, HasSubstr("interrupted; the same command goes on from here"));
  const json begun = json::parse(run.output, nullptr, false);
  const int64_t games = begun["games"];
  EXPECT_LT(games, 1'000'000);
  const int64_t wanted = games + games % 2 + 2;
  const json report = MatchJson(match + std::to_string(wanted));
  EXPECT_EQ(report["games"], wanted);
  EXPECT_GT(report["games_played"], 0);
  EXPECT_GE(report["games_played"].get<int64_t>() + games, wanted);
}

TEST(MatchCliTest, AnUndecidedTestAsksForMoreGames) {
  const std::string match = "random random --variant minishogi --max-plies 8 --sprt -1 1 ";
  EXPECT_THAT(Match(match + "--games 4").output, HasSubstr("undecided: raise --games"));
  EXPECT_THAT(Match("--help").output, HasSubstr("with --sprt 20000"));
}

// All are drawn at once, so that nothing is decided: the games are those of the default.
TEST(MatchCliTest, ATestHasManyGames) {
  const ScratchFolder folder;
  const std::string file = folder.File("book.txt");
  testing::WriteBytes(file, "start\n");
  const json report = MatchJson(
      "random random --variant minishogi --max-plies 1 --sprt -0.01 0.01 --openings " + file);
  EXPECT_EQ(report["games"], 20'000);
}

TEST(MatchCliTest, TakesOpeningsFromAFile) {
  const ScratchFolder folder;
  const std::string file = folder.File("book.txt");
  testing::WriteBytes(file, "start moves b1c3\nstart moves h1g3\n{\"moves\": [\"a1a2\"]}\n");
  const json report =
      MatchJson("random random --variant xiangqi --games 8 --max-plies 20 --openings " + file);
  // The first two are mirrored.
  EXPECT_EQ(report["openings"], 2);
  testing::WriteBytes(file, "start\nstart moves b1c9\n");
  const Finished bad = Match("random random --variant xiangqi --openings " + file);
  EXPECT_EQ(bad.status, 1);
  EXPECT_THAT(bad.errors, HasSubstr("book.txt:2: "));
}

// An engine that ends when it is asked for its first move.
TEST(MatchCliTest, ACrashCostsTheGame) {
  const ScratchFolder folder;
  const std::string engine = folder.File("engine.sh");
  testing::WriteBytes(engine,
                      "#!/bin/sh\n"
                      "while read -r line; do\n"
                      "  case \"$line\" in\n"
                      "    uci) echo 'option name UCI_Variant type combo default xiangqi var "
                      "xiangqi'; echo uciok;;\n"
                      "    isready) echo readyok;;\n"
                      "    go*) exit 3;;\n"
                      "    quit) exit 0;;\n"
                      "  esac\n"
                      "done\n");
  ASSERT_EQ(chmod(engine.c_str(), 0755), 0);
  const json report = MatchJson("random 'uci:" + engine + "?nodes=1' --variant xiangqi --games 4");
  EXPECT_EQ(report["wins"], 4);
  EXPECT_EQ(report["forfeits"]["b"], 4);
  EXPECT_EQ(report["ends"]["forfeit"], 4);
  EXPECT_EQ(report["elo"], 9999);
  EXPECT_EQ(report["elo_high"], 9999);
  EXPECT_LT(report["elo_low"], 9999);
}

TEST(MatchCliTest, Errors) {
  const struct {
    std::string arguments;
    int status;
    std::string error;
  } cases[] = {
      {"random", 2, "b"},
      {"random random", 2, "--variant"},
      {"random rendom --variant xiangqi", 1, "random"},
      {"random random --variant xianqi", 1, "did you mean 'xiangqi'"},
      {"random random --variant xiangqi --games 3", 1, "--games 3: expected an even number"},
      {"random random --variant xiangqi --games 0", 2, "games"},
      {"random random --variant xiangqi --sprt 5 5", 1, "elo"},
      {"random random --variant xiangqi --sprt 5", 2, "sprt"},
      {"random random --variant xiangqi --seed -1", 2, "seed"},
      {"random random --variant xiangqi --resign 0.7", 2, "resign"},
      {"random random --variant xiangqi --openings /no/such/file", 1, "/no/such/file"},
      {"random random --variant xiangqi --store /dev/null", 1, "/dev/null"},
      {"random random --variant xiangqi --games 2 --max-plies 8 --pgn /no/such/file", 1,
       "/no/such/file"},
  };
  for (const auto& [arguments, status, error] : cases) {
    const Finished run = Match(arguments);
    EXPECT_EQ(run.status, status) << arguments;
    EXPECT_THAT(run.errors, HasSubstr(error)) << arguments;
  }
  const Finished help = Match("--help");
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.output, HasSubstr("Example"));
}

}  // namespace
}  // namespace crossriver
