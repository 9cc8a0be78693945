// The command line as a user or a script meets it: output forms, exit codes, error messages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "tests/test_data.h"
#include "tests/tools/run_crossriver.h"

namespace crossriver {
namespace {

using nlohmann::json;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using testing::Finished;
using testing::TempFile;

Finished Crossriver(const std::string& arguments) { return testing::RunCrossriver(arguments); }

// One line of input through `moves`, shell quotes added.
json Moves(const std::string& variant, const std::string& line, const std::string& flags = "") {
  const std::string file = TempFile("moves_input.txt");
  std::ofstream(file) << line << "\n";
  const Finished run = Crossriver("moves " + variant + " " + flags + " < " + file);
  EXPECT_EQ(run.status, 0);
  return json::parse(run.output, nullptr, false);
}

TEST(CliTest, VersionAndHelp) {
  const Finished version = Crossriver("--version");
  EXPECT_EQ(version.status, 0);
  EXPECT_THAT(version.output, StartsWith("crossriver "));
  EXPECT_THAT(version.output, HasSubstr("LibTorch:"));
  for (const char* command :
       {"", "analyse", "bench", "bench perft", "bench search", "moves", "perft", "random", "show",
        "variants", "variants check", "variants show"}) {
    const Finished help = Crossriver(std::string(command) + " --help");
    EXPECT_EQ(help.status, 0) << command;
    if (*command == '\0') continue;
    EXPECT_THAT(help.output, HasSubstr("Example")) << command;
  }
}

TEST(CliTest, UsageErrors) {
  EXPECT_EQ(Crossriver("").status, 2);
  EXPECT_EQ(Crossriver("perf xiangqi 1").status, 2);
  EXPECT_EQ(Crossriver("perft xiangqi").status, 2);
  EXPECT_EQ(Crossriver("perft xiangqi -1").status, 2);
  EXPECT_EQ(Crossriver("perft xiangqi 2 --threads 0").status, 2);
  const Finished unknown = Crossriver("perft xianqi 1");
  EXPECT_EQ(unknown.status, 1);
  EXPECT_EQ(unknown.errors, "unknown variant 'xianqi'; did you mean 'xiangqi'?\n");
}

TEST(CliTest, OutputThatGoesNowhereIsAnError) {
  EXPECT_EQ(Crossriver("show xiangqi > /dev/full").status, 1);
  EXPECT_EQ(Crossriver("variants > /dev/full").status, 1);
  const Finished moves = Crossriver("moves xiangqi > /dev/full < " +
                                    testing::SourcePath("tests/data/conformance/README.md"));
  EXPECT_EQ(moves.status, 1);
  EXPECT_THAT(moves.errors, HasSubstr("standard output can't be written"));
}

TEST(CliTest, StrangeFilesAreErrors) {
  EXPECT_THAT(Crossriver("variants check /dev/zero").errors, HasSubstr("expected at most 65536"));
  EXPECT_THAT(Crossriver("variants check /dev/null").errors, HasSubstr("field 'board': missing"));
  EXPECT_EQ(Crossriver("random xiangqi --seed -1").status, 2);
  EXPECT_EQ(Crossriver("show xiangqi ''").status, 1);
}

TEST(CliTest, Perft) {
  const Finished run = Crossriver("perft xiangqi 3 --threads 2");
  EXPECT_EQ(run.status, 0);
  const std::vector<std::string> lines = absl::StrSplit(run.output, '\n', absl::SkipEmpty());
  ASSERT_GE(lines.size(), 2u);
  EXPECT_EQ(lines[lines.size() - 2], "nodes 79666");
  EXPECT_THAT(lines.back(), StartsWith("nodes/s "));
  const Finished divide = Crossriver("perft minishogi 2 --divide --fen '4k/5/5/5/K4[P] w 0 1'");
  EXPECT_EQ(divide.status, 0);
  EXPECT_THAT(divide.output, HasSubstr("a1b2: "));
  EXPECT_THAT(divide.output, HasSubstr("P@c3: "));
  EXPECT_THAT(Crossriver("perft switchback 0").output, HasSubstr("nodes 1\n"));
}

TEST(CliTest, MovesAnswersEachLine) {
  const json reached = Moves("minishogi", "rbsgk/4p/5/P4/KGSBR[] w 0 1 moves d1c2 b5c4");
  EXPECT_EQ(reached["fen"], "r1sgk/2b1p/5/P1B2/KGS1R[] w 2 2");
  EXPECT_EQ(reached["in_check"], false);
  EXPECT_TRUE(reached["result"].is_null());
  EXPECT_TRUE(reached["reason"].is_null());
  EXPECT_TRUE(std::is_sorted(reached["moves"].begin(), reached["moves"].end()));
  const json bad = Moves("minishogi", "rbsgk/4p/5/P4/KGSBR[] w 0 1 moves d1c2 d1c2");
  EXPECT_THAT(bad["error"].get<std::string>(), HasSubstr("move 'd1c2': not a legal move"));
  EXPECT_EQ(bad["fen"], "rbsgk/4p/5/P4/KGSBR[] w 0 1 moves d1c2 d1c2");
  EXPECT_TRUE(Moves("minishogi", "\xff\xfe\x01").contains("error"));
}

TEST(CliTest, MovesOnAfterRepetition) {
  const std::string cycle = " a1a2 e5e4 a2a1 e4e5";
  const json drawn = Moves("minishogi", "4k/5/5/5/K4[Gg] w 0 1 moves" + cycle + cycle + cycle);
  EXPECT_EQ(drawn["result"], "loss");
  EXPECT_EQ(drawn["reason"], "repetition");
  EXPECT_FALSE(drawn["moves"].empty());
}

TEST(CliTest, SfenAndUsi) {
  const json reached = Moves(
      "shogi", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7f 3c3d",
      "--sfen");
  EXPECT_EQ(reached["fen"], "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3");
  EXPECT_THAT(reached["moves"].get<std::vector<std::string>>(), ::testing::Contains("8h2b+"));
}

TEST(CliTest, ShowDrawsTextAndPicture) {
  const Finished text = Crossriver("show switchback");
  EXPECT_EQ(text.status, 0);
  EXPECT_THAT(text.output, HasSubstr("a  b  c     f  e  d     g  h  i"));
  const std::string file = TempFile("board.svg");
  EXPECT_EQ(Crossriver("show shoxiang-xq-weak --svg " + file).status, 0);
  std::ifstream svg(file);
  std::string first;
  std::getline(svg, first);
  EXPECT_THAT(first, StartsWith("<svg "));
  EXPECT_EQ(Crossriver("show shogi --svg /nonexistent/board.svg").status, 1);
  EXPECT_EQ(Crossriver("show shogi 'nonsense'").status, 1);
}

TEST(CliTest, RandomIsReproducible) {
  const Finished one = Crossriver("random switchback --games 20 --seed 3 --json --list");
  const Finished two =
      Crossriver("random switchback --games 20 --seed 3 --json --list --threads 2");
  EXPECT_EQ(one.status, 0);
  EXPECT_EQ(one.output, two.output);
  const std::vector<std::string> lines = absl::StrSplit(one.output, '\n', absl::SkipEmpty());
  ASSERT_EQ(lines.size(), 21u);
  EXPECT_EQ(json::parse(lines.back())["games"], 20);
}

TEST(CliTest, VariantsListShowCheck) {
  EXPECT_THAT(Crossriver("variants").output, HasSubstr("shoxiang-xq-centrewise"));
  const Finished show = Crossriver("variants show switchback");
  EXPECT_EQ(show.status, 0);
  EXPECT_THAT(show.output, HasSubstr("Symmetries, reach: 4 "));
  const std::string good = testing::SourcePath("configs/variants/minishogi.toml");
  const Finished ok = Crossriver("variants check " + good);
  EXPECT_EQ(ok.status, 0);
  EXPECT_THAT(ok.output, HasSubstr(": ok: Minishogi, 25 cells"));
}

TEST(CliTest, VariantsCheckExplainsMistakes) {
  const std::string file = TempFile("mine.toml");
  std::ofstream(file) << "inherits = \"xiangqi\"\n[rules]\nstalemat = \"draw\"\n";
  const Finished run = Crossriver("variants check " + file);
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.errors, EndsWith("mine.toml:3: field 'rules.stalemat': unknown key; did you mean "
                                   "'stalemate'?\n"));
  EXPECT_EQ(Crossriver("variants check /nonexistent.toml").status, 1);
  EXPECT_EQ(Crossriver("variants check /").status, 1);
  // A file plays like a built-in variant, and inherits from files beside it first.
  std::ofstream(file) << "inherits = \"xiangqi\"\n[rules]\nstalemate = \"draw\"\n";
  EXPECT_THAT(Crossriver("perft " + file + " 2").output, HasSubstr("nodes 1920\n"));
}

TEST(CliTest, AnalyseOnePosition) {
  const Finished text = Crossriver("analyse switchback --fen start --moves b1c3 --visits 500");
  EXPECT_EQ(text.status, 0);
  EXPECT_THAT(text.output, HasSubstr("500 visits"));
  const Finished run = Crossriver("analyse shogi --fen start --visits 300 --threads 2 --json");
  const json answer = json::parse(run.output, nullptr, false);
  EXPECT_EQ(answer["visits"], 300);
  EXPECT_EQ(answer["lines"].size(), 5u);
  EXPECT_EQ(answer["lines"][0]["move"], answer["best"]);
  EXPECT_EQ(answer["lines"][0]["pv"][0], answer["best"]);
  EXPECT_EQ(answer["wdl"].size(), 3u);
  const Finished mate =
      Crossriver("analyse xiangqi --fen '3k5/9/9/9/9/9/9/9/R8/4K4 w 0 1' --visits 300 --json");
  EXPECT_EQ(json::parse(mate.output, nullptr, false)["best"], "a2d2") << mate.errors;
  EXPECT_EQ(Crossriver("analyse shogi --fen start --visits 0").status, 2);
  EXPECT_EQ(Crossriver("analyse shogi --fen start --policy gumbel --time 1").status, 1);
  EXPECT_THAT(Crossriver("analyse shogi --fen start --moves a1a9").errors,
              HasSubstr("move 'a1a9': not a legal move"));
}

// A line in, a line out; a bad one ends nothing.
TEST(CliTest, AnalyseAnswersEachLine) {
  const std::string file = TempFile("analyse_input.txt");
  std::ofstream(file) << "3k5/9/9/9/9/9/9/9/R8/4K4 w 0 1\n"
                         "nonsense \xff\n"
                         "\n"
                         "3k5/9/9/9/9/9/9/9/R8/4K4 w 0 1 moves a2d2\n"
                         "4k4/9/9/9/9/9/9/9/R8/3K5 b 0 1 moves e10e9";
  const Finished run = Crossriver("analyse xiangqi --visits 200 < " + file);
  EXPECT_EQ(run.status, 0);
  const std::vector<std::string> lines = absl::StrSplit(run.output, '\n', absl::SkipEmpty());
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(json::parse(lines[0])["best"], "a2d2");
  EXPECT_EQ(json::parse(lines[0])["wdl"], json::parse("[1.0, 0.0, 0.0]"));
  EXPECT_EQ(json::parse(lines[0])["proven"]["plies"], 1);
  EXPECT_TRUE(json::parse(lines[1]).contains("error"));
  EXPECT_TRUE(json::parse(lines[2]).contains("error"));
  EXPECT_TRUE(json::parse(lines[3])["best"].is_null());
  EXPECT_EQ(json::parse(lines[3])["reason"], "checkmate");
  EXPECT_FALSE(json::parse(lines[4])["lines"].empty());
}

// The first Ctrl-C ends a search without end, which then shows what it has found. It is sent when
// the program has said that it catches it (SIGINT is the second bit of SigCgt), because a shell
// lets its background processes ignore it.
TEST(CliTest, AnalyseStopsOnAnInterrupt) {
  const Finished run = Crossriver(
      "analyse switchback --fen start --time 100000 --threads 2 --json & "
      "while kill -0 $! && ! grep -q 'SigCgt:.*[2367abef]$' /proc/$!/status; do sleep 0.1; done; "
      "sleep 0.5; kill -INT $!; wait $!");
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_FALSE(json::parse(run.output, nullptr, false)["best"].is_null());
}

TEST(CliTest, BenchSearch) {
  const Finished run =
      Crossriver("bench search --variants minishogi --positions 2 --repeats 1 --visits 100 --json");
  EXPECT_EQ(run.status, 0);
  const json report = json::parse(run.output, nullptr, false);
  ASSERT_EQ(report["rows"].size(), 2u);
  EXPECT_EQ(report["rows"][0]["variant"], "minishogi");
  EXPECT_GT(report["rows"][0]["visits_per_second"], 0);
  EXPECT_EQ(report["rows"][1]["positions"], "full hand");
}

TEST(CliTest, BenchPerft) {
  const Finished run =
      Crossriver("bench perft --variants minishogi --repeats 1 --no-engine --json");
  EXPECT_EQ(run.status, 0);
  const json report = json::parse(run.output, nullptr, false);
  ASSERT_EQ(report["rows"].size(), 1u);
  EXPECT_EQ(report["rows"][0]["nodes"], 533203);
  EXPECT_EQ(report["rows"][0]["correct"], true);
}

}  // namespace
}  // namespace crossriver
