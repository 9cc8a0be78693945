// `solve`, `suite` and `play` as a user meets them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tests/scratch_folder.h"
#include "tests/test_data.h"
#include "tests/tools/run_crossriver.h"

namespace crossriver {
namespace {

using nlohmann::json;
using testing::Finished;
using ::testing::HasSubstr;
using testing::RunCrossriver;
using testing::TempFile;

TEST(SolveCliTest, PrintsSharesByGroup) {
  const Finished run = RunCrossriver("solve minishogi --visits 1,20 --list");
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_THAT(run.output, HasSubstr("positions   policy        1       20\n"));
  for (const char* group : {"\nmate in 1 ", "\nmate in 2 ", "\nmates ", "\ncaptures ", "\nall "}) {
    EXPECT_THAT(run.output, HasSubstr(group));
  }
  EXPECT_THAT(run.output, HasSubstr("configs/suites/minishogi.jsonl:1: mate in 1: "));
}

TEST(SolveCliTest, SpeaksJson) {
  const Finished run = RunCrossriver("solve minishogi --visits 1,20 --json --policy gumbel --list");
  const json object = json::parse(run.output, nullptr, false);
  ASSERT_TRUE(object.is_object()) << run.output;
  EXPECT_EQ(object["variant"], "minishogi");
  EXPECT_EQ(object["evaluator"], "uniform");
  const json& all = object["groups"].back();
  EXPECT_EQ(all["name"], "all");
  EXPECT_EQ(all["visits"].size(), 2u);
  EXPECT_EQ(all["positions"], object["lines"].size());
  EXPECT_LE(all["visits"]["20"].get<double>(), 1);
}

TEST(SolveCliTest, FilesAndMistakes) {
  const std::string file = TempFile("suite.jsonl");
  std::ofstream(file) << R"({"variant":"xiangqi","fen":"3k5/9/9/9/9/9/8p/9/R8/4K4 w 0 1",)"
                      << R"("kind":"mate","plies":1,"best":["a2d2"]})"
                      << "\n";
  EXPECT_THAT(RunCrossriver("solve " + file + " --visits 1000").output,
              HasSubstr("\nall                  1"));
  EXPECT_THAT(RunCrossriver("suite check " + file).output, HasSubstr("1 positions, 0 wrong"));
  std::ofstream(file, std::ios::app)
      << R"({"variant":"xiangqi","fen":"3k5/9/9/9/9/9/8p/9/R8/4K4 w 0 1",)"
      << R"("kind":"mate","plies":3,"best":["a2d2"]})"
      << "\n{\n";
  EXPECT_THAT(RunCrossriver("solve " + file).errors,
              HasSubstr("suite.jsonl:3: expected a JSON object"));
  std::ofstream(file) << R"({"variant":"xiangqi","fen":"3k5/9/9/9/9/9/8p/9/R8/4K4 w 0 1",)"
                      << R"("kind":"mate","plies":3,"best":["a2d2"]})"
                      << "\n";
  const Finished wrong = RunCrossriver("suite check " + file);
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.errors, HasSubstr("suite.jsonl:1: it says a mate in 3 plies by a2d2"));
  EXPECT_THAT(RunCrossriver("solve xianqi").errors,
              HasSubstr("no suite 'xianqi'; did you mean 'xiangqi'?"));
  EXPECT_EQ(RunCrossriver("solve /nonexistent.jsonl").status, 1);
  EXPECT_THAT(RunCrossriver("solve xiangqi --visits 10,5").errors, HasSubstr("expected rising"));
  EXPECT_THAT(RunCrossriver("solve --net x").errors, HasSubstr("expected their names"));
  EXPECT_EQ(RunCrossriver("solve xiangqi --visits 0").status, 2);
}

TEST(SuiteCliTest, GeneratesWhatItChecks) {
  const std::string file = TempFile("made.jsonl");
  const Finished made = RunCrossriver("suite generate minishogi --count 4 --seed 5 --out " + file);
  EXPECT_EQ(made.status, 0) << made.errors;
  EXPECT_THAT(made.output, HasSubstr("made.jsonl: 4 positions"));
  EXPECT_THAT(RunCrossriver("suite check " + file).output, HasSubstr("4 positions, 0 wrong"));
  EXPECT_EQ(RunCrossriver("suite generate minishogi --out /nonexistent/x --count 1").status, 1);
  EXPECT_EQ(RunCrossriver("suite").status, 2);
}

Finished Play(const std::string& arguments, const std::string& lines) {
  const std::string file = TempFile("play_input.txt");
  std::ofstream(file) << lines;
  return RunCrossriver("play " + arguments + " < " + file);
}

TEST(PlayCliTest, PlaysAndEndsWithTheInput) {
  const Finished run = Play("switchback --against random", "b1c3\nhint\nundo\nfen\nmoves\n");
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_THAT(run.output, HasSubstr("you play first (uppercase) against random"));
  EXPECT_THAT(run.output, HasSubstr("It plays "));
  EXPECT_THAT(run.output, HasSubstr("%, loss "));
  EXPECT_THAT(run.output, ::testing::Not(HasSubstr("\033[")));  // no terminal, no colours
}

TEST(PlayCliTest, OpponentsByName) {
  for (const char* against : {"mcts:10", "uniform:20", "alphabeta:500"}) {
    const Finished run =
        Play("minishogi --side second --against " + std::string(against), "hint\nquit\n");
    EXPECT_EQ(run.status, 0) << run.errors;
    EXPECT_THAT(run.output, HasSubstr("It plays "));
  }
  const Finished run = Play("minishogi --fen '4k/5/5/5/K4[R] w 0 1'", "R@e2\n");
  EXPECT_THAT(run.output, HasSubstr("You play R@e2 (Rook from the hand)."));
}

TEST(PlayCliTest, MistakesAreExplained) {
  EXPECT_THAT(Play("minishogi --against randm", "").errors, HasSubstr("random"));
  EXPECT_THAT(Play("minishogii", "").errors, HasSubstr("did you mean 'minishogi'?"));
  EXPECT_THAT(Play("minishogi --fen nonsense", "").errors, HasSubstr("FEN field"));
  EXPECT_THAT(Play("xiangqi --fen '3k5/9/9/9/9/9/9/9/3R5/4K4 b 0 1'", "").errors,
              HasSubstr("--fen: the game is over there: checkmate"));
  EXPECT_EQ(Play("minishogi --side third", "").status, 2);
  EXPECT_EQ(Play("minishogi --net /nonexistent.safetensors", "").status, 1);
}

// A program for a shell to run.
void WriteScript(const std::string& file, const std::string& text) {
  std::ofstream(file) << "#!/bin/sh\n" << text;
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
}

// An engine that has gone costs its game, and not the program.
TEST(PlayCliTest, EnginesThatEndAreErrors) {
  // The default, which programs inherit.
  std::signal(SIGPIPE, SIG_DFL);
  const testing::ScratchFolder folder;
  const std::string deaf = folder.File("deaf");
  WriteScript(deaf, "exec 0<&-\necho uciok\n");
  for (const std::string& engine : {std::string("true"), deaf}) {
    const std::string against = absl::StrCat("xiangqi --against 'uci:", engine, "?nodes=1'");
    const Finished run = Play(against, "b1c3\n");
    EXPECT_EQ(run.status, 1) << engine;
    EXPECT_THAT(run.errors, HasSubstr("the engine has ended with status 0")) << engine;
    // Whoever starts it may not care for its children.
    const Finished ignoring = testing::RunShell(
        absl::StrCat("trap '' CHLD; exec ", CROSSRIVER_BINARY, " play ", against));
    EXPECT_THAT(ignoring.errors, HasSubstr("the engine has ended with status 0")) << engine;
  }
}

// The program for networks takes over before an engine is started that it would know nothing of.
TEST(PlayCliTest, HandsOverBeforeAnEngineIsStarted) {
  namespace fs = std::filesystem;
  const testing::ScratchFolder folder;
  fs::copy_file(CROSSRIVER_BINARY, folder.File("crossriver"));
  WriteScript(folder.File("crossriver-net"), "echo \"taken over: $*\"\n");
  WriteScript(folder.File("engine"), absl::StrCat("touch ", folder.File("started"), "\nexec ",
                                                  CROSSRIVER_BINARY, " uci\n"));
  const Finished run = testing::RunShell(absl::StrCat(
      folder.File("crossriver"), " play xiangqi --net n --against 'uci:", folder.File("engine"),
      "?nodes=1' < /dev/null"));
  EXPECT_THAT(run.output, HasSubstr("taken over: play xiangqi --net n "));
  EXPECT_FALSE(fs::exists(folder.File("started")));
}

TEST(PlayCliTest, RandomSidesDiffer) {
  const auto first = [](const std::string& more) {
    const std::string text = Play("switchback --against random --side random" + more, "").output;
    const bool is_first = absl::StrContains(text, "you play first");
    EXPECT_NE(is_first, absl::StrContains(text, "you play second"));
    return is_first;
  };
  const bool one = first("");
  int tries = 0;
  while (first("") == one) ASSERT_LT(++tries, 60) << "the same side again and again";
  // Not so with a seed.
  EXPECT_EQ(first(" --seed 1"), first(" --seed 1"));
}

// A line without an end takes no more memory than a move.
TEST(PlayCliTest, LongLinesAreCut) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers take more address space than the limit";
#endif
  const Finished run =
      testing::RunShell(absl::StrCat("head -c 300000000 /dev/zero | (ulimit -v 600000; exec ",
                                     CROSSRIVER_BINARY, " play switchback --against random)"));
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_THAT(run.output, HasSubstr("That is too long for a move or a command."));
}

TEST(PlayCliTest, HelpHasExamples) {
  for (const char* command : {"play", "solve", "suite", "suite generate", "suite check"}) {
    const Finished help = RunCrossriver(std::string(command) + " --help");
    EXPECT_EQ(help.status, 0) << command;
    EXPECT_THAT(help.output, HasSubstr("Example")) << command;
  }
}

}  // namespace
}  // namespace crossriver
