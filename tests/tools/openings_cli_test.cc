// crossriver openings and book as scripts meet them, and the example of the README.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "core/check.h"
#include "selfplay/database.h"
#include "selfplay/match_openings.h"
#include "selfplay/run_store.h"
#include "tests/scratch_folder.h"
#include "tests/selfplay/openings/opening_helpers.h"
#include "tests/test_data.h"
#include "tests/tools/run_crossriver.h"

namespace crossriver {
namespace {

using nlohmann::json;
using testing::BranchingGame;
using testing::Finished;
using ::testing::HasSubstr;
using testing::RulesOf;
using testing::RunCrossriver;
using testing::RunShell;
using testing::ScratchFolder;

// A run with a config, games and no checkpoint.
void MakeRun(const std::string& path, const std::string& variant, int games) {
  auto run = RunDirectory::Create(path, absl::StrCat("variant = \"", variant, "\"\n")).value();
  auto store = RunStore::Open(run).value();
  for (int i = 1; i <= games; ++i) {
    CR_CHECK_OK(store->Put(BranchingGame(RulesOf(variant), static_cast<uint64_t>(i), 16)));
  }
  CR_CHECK_OK(store->Flush());
}

json OpeningsJson(const std::string& arguments) {
  const Finished run = RunCrossriver("openings " + arguments + " --json");
  EXPECT_EQ(run.status, 0) << run.errors;
  return json::parse(run.output, nullptr, false);
}

TEST(OpeningsCliTest, ShowsARunsTree) {
  const ScratchFolder folder;
  MakeRun(folder.File("run"), "minishogi", 200);
  const json report = OpeningsJson(folder.File("run"));
  EXPECT_EQ(report["variant"], "minishogi");
  EXPECT_EQ(report["games"], 200);
  EXPECT_EQ(report["position"]["games"], 200);
  double share = 0;
  int64_t games = 0;
  for (const json& move : report["tree"]) {
    share += move["share"].get<double>();
    games += move["games"].get<int64_t>();
    EXPECT_LE(move["score_low"], move["score"]);
    EXPECT_LE(move["score"], move["score_high"]);
    EXPECT_FALSE(move["next"].empty());
    for (const json& next : move["next"]) EXPECT_GE(next["games"], 10);
  }
  EXPECT_NEAR(share, 1, 1e-4);
  EXPECT_EQ(games, 200);
  EXPECT_FALSE(report["main_lines"].empty());
  EXPECT_EQ(report["changes"]["before"], json({0, 0}));
  EXPECT_EQ(report["changes"]["after"], json({5, 5}));
  EXPECT_EQ(report["diversity"]["plies"][0]["games"], 200);

  // Of some checkpoints, and from another position.
  const json late = OpeningsJson(folder.File("run") + " --checkpoints 4..5 --min-games 1");
  EXPECT_LT(late["position"]["games"], 120);
  EXPECT_EQ(late["checkpoints"], json({4, 5}));
  games = 0;
  for (const json& move : late["tree"]) games += move["games"].get<int64_t>();
  EXPECT_EQ(late["position"]["games"], games);
  const std::string first = report["tree"][0]["move"];
  const json next = OpeningsJson(folder.File("run") + " --min-games 1 --ply 1 --from " + first);
  EXPECT_EQ(next["moves"], json({first}));
  EXPECT_EQ(next["position"]["games"], report["tree"][0]["games"]);
  EXPECT_EQ(next["ply"], 1);
  EXPECT_EQ(OpeningsJson(folder.File("run") + " --from 'start moves " + first + "'")["moves"],
            json({first}));
}

TEST(OpeningsCliTest, PrintsTextTablesAndPictures) {
  const ScratchFolder folder;
  MakeRun(folder.File("run"), "switchback", 120);
  const std::string run = folder.File("run");
  const Finished text = RunCrossriver("openings " + run);
  EXPECT_EQ(text.status, 0) << text.errors;
  for (const char* part : {"switchback, 120 games", "main lines",
                           "from checkpoint 0 to checkpoint 5", "diversity: ", "popular"}) {
    EXPECT_THAT(text.output, HasSubstr(part));
  }
  const Finished csv = RunCrossriver("openings " + run + " --csv --ply 3 --min-games 5");
  EXPECT_EQ(csv.status, 0) << csv.errors;
  const std::vector<std::string> rows = absl::StrSplit(csv.output, '\n', absl::SkipEmpty());
  ASSERT_GT(rows.size(), 4U);
  for (const std::string& row : rows) {
    EXPECT_EQ(std::count(row.begin(), row.end(), ','), 16) << row;
  }
  const Finished svg = RunCrossriver("openings " + run + " --svg");
  EXPECT_EQ(svg.status, 0) << svg.errors;
  EXPECT_TRUE(absl::StartsWith(svg.output, "<svg "));
  EXPECT_TRUE(absl::EndsWith(svg.output, "</svg>\n"));
  EXPECT_THAT(svg.output, HasSubstr("<rect"));
}

// While another process holds the run, nothing is written to it.
TEST(OpeningsCliTest, ReadsARunInUse) {
  const ScratchFolder folder;
  const std::string run = folder.File("run");
  MakeRun(run, "minishogi", 60);
  const RunDirectory held = RunDirectory::OpenForWriting(run).value();
  EXPECT_EQ(OpeningsJson(run)["games"], 60);  // in memory
  const auto database =
      Database::Open(held.database_path(), Database::Mode::kReadOnly, std::chrono::seconds(1));
  ASSERT_TRUE(database.ok());
  EXPECT_EQ((*database)
                ->QueryInt("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'opening%'")
                .value(),
            0);
}

TEST(OpeningsCliTest, ReadsMatchesAndFiles) {
  const ScratchFolder folder;
  const Finished match = RunCrossriver(
      absl::StrCat("match random random --variant minishogi --games 40 --plies 2 --store ",
                   folder.File("m.db"), " --pgn ", folder.File("m.pgn")));
  ASSERT_EQ(match.status, 0) << match.errors;
  const json of_match = OpeningsJson(folder.File("m.db") + " --keep-games 1 --min-games 1");
  EXPECT_EQ(of_match["variant"], "minishogi");
  EXPECT_EQ(of_match["games"], 40);
  EXPECT_TRUE(of_match["tree"].empty());  // two plies are no player's
  EXPECT_EQ(of_match["diversity"]["plies"][0]["ply"], 2);
  const json of_file = OpeningsJson(folder.File("m.pgn") + " --variant minishogi --keep-games 1");
  EXPECT_EQ(of_file["games"], 40);
}

TEST(OpeningsCliTest, NamesWhatIsWrong) {
  const ScratchFolder folder;
  MakeRun(folder.File("run"), "minishogi", 20);
  testing::WriteBytes(folder.File("games.txt"), "a1a2\n");
  const struct {
    std::string arguments;
    const char* says;
  } cases[] = {
      {folder.File("nothing"), "nothing"},
      {folder.path(), "config.toml"},
      {folder.File("games.txt"), "--variant"},
      {folder.File("run") + " --checkpoints x", "A..B"},
      {folder.File("run") + " --checkpoints 5..2", "A..B"},
      {folder.File("run") + " --checkpoints ..", "A..B"},
      {folder.File("run") + " --checkpoints ..-1", "A..B"},
      {folder.File("run") + " --from 'e9e1'", "--from"},
      {folder.File("run") + " --from '9/9 w'", "--from"},
  };
  for (const auto& bad : cases) {
    const Finished run = RunCrossriver("openings " + bad.arguments);
    EXPECT_EQ(run.status, 1) << bad.arguments;
    EXPECT_THAT(run.errors, HasSubstr(bad.says)) << bad.arguments;
  }
  EXPECT_EQ(RunCrossriver("openings " + folder.File("run") + " --json --csv").status, 2);
}

TEST(BookCliTest, NamesWhatIsWrong) {
  const ScratchFolder folder;
  MakeRun(folder.File("run"), "minishogi", 4);
  for (const char* bad : {"--checkpoints x", "--from e9e1"}) {
    const Finished run = RunCrossriver(absl::StrCat("book build ", folder.File("run"), " ", bad));
    EXPECT_EQ(run.status, 1) << bad;
    EXPECT_THAT(run.errors, HasSubstr(absl::StrCat(bad).substr(0, 6))) << bad;
  }
}

TEST(BookCliTest, MatchesBeginFromIt) {
  const ScratchFolder folder;
  MakeRun(folder.File("run"), "minishogi", 100);
  const Finished built = RunCrossriver(absl::StrCat(
      "book build ", folder.File("run"), " --positions 30 --visits 20 --enough-games 50 --out ",
      folder.File("book.jsonl")));
  ASSERT_EQ(built.status, 0) << built.errors;
  EXPECT_THAT(built.output, HasSubstr("30 of 30 positions"));
  const std::string text = testing::ReadBytes(folder.File("book.jsonl"));
  const auto openings = ParseMatchOpenings(RulesOf("minishogi"), text, "book");
  ASSERT_TRUE(openings.ok()) << openings.status();
  EXPECT_EQ(openings->size(), 30U);
  int searched = 0;
  for (const absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    const json object = json::parse(std::string(line));
    EXPECT_FALSE(object["book"].empty());
    if (object["searched"].get<bool>()) ++searched;
  }
  EXPECT_GT(searched, 20);
  EXPECT_LT(searched, 30);

  const Finished match = RunCrossriver(
      absl::StrCat("match random random --variant minishogi --games 20 --json --openings ",
                   folder.File("book.jsonl")));
  ASSERT_EQ(match.status, 0) << match.errors;
  EXPECT_EQ(json::parse(match.output)["openings"], 10);
}

TEST(BookCliTest, WritesWhatIsBalanced) {
  const ScratchFolder folder;
  MakeRun(folder.File("run"), "minishogi", 20);
  const Finished built = RunCrossriver(
      absl::StrCat("book build ", folder.File("run"),
                   " --positions 40 --visits 20 --evaluator rollout --min-ply 2 --max-lead 0.2"));
  ASSERT_EQ(built.status, 0) << built.errors;
  const std::vector<std::string> lines = absl::StrSplit(built.output, '\n', absl::SkipEmpty());
  EXPECT_LT(lines.size(), 40U);
  EXPECT_FALSE(lines.empty());
  for (const std::string& line : lines) {
    const json object = json::parse(line);
    EXPECT_GE(object["ply"], 2);
    EXPECT_NEAR(object["value"].get<double>(), 0.5, 0.2);
  }
}

// The commands of the README's section, in a folder in which the run of the quick start has games.
TEST(OpeningsReadmeTest, TheExampleRuns) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder.File("runs"));
  MakeRun(folder.File("runs/quickstart"), "switchback", 300);
  const std::string readme = testing::ReadText("README.md");
  const size_t begin = readme.find("## Read the openings of your run");
  ASSERT_NE(begin, std::string::npos);
  const std::string section = readme.substr(begin, readme.find("\n## ", begin + 1) - begin);
  int commands = 0;
  for (const absl::string_view line : absl::StrSplit(section, '\n')) {
    if (!absl::StartsWith(line, "    build/crossriver ")) continue;
    ++commands;
    const absl::string_view without_comment = line.substr(0, line.find('#'));
    const std::string command = absl::StrReplaceAll(absl::StripAsciiWhitespace(without_comment),
                                                    {{"build/crossriver", CROSSRIVER_BINARY}});
    const Finished run = RunShell(absl::StrCat("cd ", folder.path(), " && ", command));
    EXPECT_EQ(run.status, 0) << command << "\n" << run.errors;
  }
  EXPECT_GE(commands, 5);
  EXPECT_GT(std::filesystem::file_size(folder.File("openings.svg")), 500U);
}

}  // namespace
}  // namespace crossriver
