// Conversations with the program, as user interfaces hold them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "selfplay/players/engine_process.h"
#include "tests/tools/run_crossriver.h"

namespace crossriver {
namespace {

using ::testing::HasSubstr;

constexpr absl::Duration kTimeout = absl::Minutes(4);

// Plays a script: "> LINE" is sent; "< PATTERN" is a line that must come next, "* PATTERN" one that
// must come some time (regular expressions of the whole line).
void Play(const std::string& arguments, const std::string& script) {
  std::signal(SIGPIPE, SIG_IGN);
  std::vector<std::string> command = {CROSSRIVER_BINARY};
  for (const auto& word : absl::StrSplit(arguments, ' ')) command.emplace_back(word);
  auto engine = EngineProcess::Start(command);
  ASSERT_TRUE(engine.ok()) << engine.status();
  for (const absl::string_view line : absl::StrSplit(script, '\n', absl::SkipEmpty())) {
    const std::string text(line.substr(2));
    if (line[0] == '>') {
      ASSERT_TRUE((*engine)->Send(text).ok()) << text;
      continue;
    }
    for (;;) {
      const absl::StatusOr<std::string> answer = (*engine)->ReadLine(kTimeout);
      ASSERT_TRUE(answer.ok()) << answer.status() << ", expected " << text;
      if (std::regex_match(*answer, std::regex(text))) break;
      ASSERT_EQ(line[0], '*') << *answer << ", expected " << text;
    }
  }
  ASSERT_TRUE((*engine)->Send("quit").ok());
  EXPECT_EQ((*engine)->ReadLine(kTimeout).status().message(), "the engine has ended with status 0");
}

TEST(EngineCliTest, Xiangqi) {
  Play("uci", R"(> uci
< id name crossriver [0-9.]+
< id author .*
< option name UCI_Variant type combo default xiangqi var .*
* uciok
> setoption name UCI_Variant value xiangqi
> setoption name MultiPV value 2
> setoption name UCI_ShowWDL value true
> isready
* readyok
> ucinewgame
> position startpos moves b1c3 h10g8
> go nodes 300
* info depth [0-9]+ multipv 1 score cp -?[0-9]+ wdl [0-9]+ [0-9]+ [0-9]+ nodes 300 nps [0-9]+ hashfull [0-9]+ time [0-9]+ pv( [a-i][0-9]+[a-i][0-9]+)+
< info depth [0-9]+ multipv 2 score cp .* nodes 300 .*
< bestmove [a-i][0-9]+[a-i][0-9]+ ponder [a-i][0-9]+[a-i][0-9]+
> position fen 3k5/R8/9/9/9/8p/9/9/1R7/5K3 w - - 0 1
> go wtime 10000 btime 10000 winc 100 binc 100
< info depth 1 multipv 1 score mate 1 wdl 1000 0 0 .* pv b2b10
* bestmove b2b10
> position fen 3k5/R8/9/9/9/8p/9/9/1R7/5K3 w - - 0 1 moves b2b10
> go movetime 100
< info depth 0 score mate 0
< bestmove \(none\)
> go infinite
> isready
* readyok
> stop
* bestmove \(none\)
> position startpos moves b2b10
< info string position: move 'b2b10': not a legal move of .*
)");
}

TEST(EngineCliTest, Shogi) {
  Play("usi", R"(> usi
< id name crossriver [0-9.]+
* option name USI_Hash type spin default 256 min 1 max 524288
* usiok
> setoption name USI_Hash value 16
> setoption name USI_Ponder value true
> isready
* readyok
> usinewgame
> position startpos moves 7g7f
> go btime 0 wtime 0 byoyomi 50
* bestmove [1-9][a-i][1-9][a-i]\+?( ponder .*)?
> position startpos moves 7g7f 3c3d
> go ponder btime 0 wtime 0 byoyomi 50
> ponderhit
* bestmove .*
> position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1
> go mate 60000
< info depth 1 multipv 1 score mate 1 .* pv G\*5b
< checkmate G\*5b
> position startpos
> go mate 60000
< checkmate nomate
> position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1
> go byoyomi 1000
* bestmove resign
> gameover lose
)");
}

TEST(EngineCliTest, BeginsWithAnyVariant) {
  Play("uci switchback --threads 2", R"(> position startpos
> go nodes 50
* bestmove .*
> setoption name UCI_Variant value shoxiang-sh-weak
< info string variant shoxiang-sh-weak startpos .*
> go movetime 20
* bestmove .*
)");
  const testing::Finished unknown = testing::RunCrossriver("uci xianqi < /dev/null");
  EXPECT_EQ(unknown.status, 1);
  EXPECT_EQ(unknown.errors, "unknown variant 'xianqi'; did you mean 'xiangqi'?\n");
  const testing::Finished without_sfen = testing::RunCrossriver("usi switchback < /dev/null");
  EXPECT_EQ(without_sfen.status, 1);
}

// Of a variant and a file the one named last counts.
TEST(EngineCliTest, VariantsAndFiles) {
  const std::string folder = CROSSRIVER_SOURCE_DIR "/configs/variants/";
  Play("uci " + folder + "switchback.toml",
       absl::StrCat(R"(> setoption name UCI_Variant value xiangqi
> isready
< info string variant xiangqi startpos .*
< readyok
> setoption name VariantFile value )",
                    folder, R"(minishogi.toml
> isready
< info string variant minishogi startpos .*
< readyok
> setoption name UCI_Variant value xiangqi
> isready
< info string variant xiangqi startpos .*
< readyok
)"));
}

// Less is tried until there is enough.
TEST(EngineCliTest, MoreMemoryThanThereIs) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers take more address space than the limit";
#endif
  const std::string file = testing::TempFile("engine_input.txt");
  std::ofstream(file) << "setoption name Hash value 262144\nisready\ngo nodes 5\n";
  const testing::Finished run = testing::RunShell(
      absl::StrCat("ulimit -v 4000000; exec ", CROSSRIVER_BINARY, " uci < ", file));
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_THAT(run.output,
              HasSubstr("info string no 262144 MB of memory to be had, 32768 MB are tried\n"));
  EXPECT_THAT(run.output,
              HasSubstr("info string no 4096 MB of memory to be had, 512 MB are tried\n"));
  EXPECT_THAT(run.output, HasSubstr("\nbestmove "));
}

// Whatever stands in the input, its end is the end.
TEST(EngineCliTest, GarbageAndTheEndOfInput) {
  const std::string file = testing::TempFile("engine_input.txt");
  std::ofstream(file) << "uci\n"
                      << std::string(3 << 20, 'x') << "\n"
                      << std::string("\0\x01\xfe\n", 4)
                      << "position startpos\r\ngo infinite\r\nstop";
  const testing::Finished run = testing::RunCrossriver("uci < " + file);
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.output, HasSubstr("info string a line of more than 1048576 bytes was ignored\n"));
  EXPECT_THAT(run.output, HasSubstr("info string unknown command '\\x00\\x01"));
  EXPECT_THAT(run.output, HasSubstr("\nbestmove "));
  EXPECT_EQ(testing::RunCrossriver("usi < /dev/null").output, "");
}

// A program that opens networks, if there is one, takes over at once.
TEST(EngineCliTest, HandsOverToTheNetworkProgram) {
  namespace fs = std::filesystem;
  const fs::path folder = testing::TempFile("programs");
  fs::create_directory(folder);
  fs::copy_file(CROSSRIVER_BINARY, folder / "crossriver");
  std::ofstream(folder / "crossriver-net") << "#!/bin/sh\necho \"info string $*\"\n";
  fs::permissions(folder / "crossriver-net", fs::perms::owner_all);
  const std::string program = folder / "crossriver";
  auto engine = EngineProcess::Start({program, "uci", "switchback", "--net", "x"});
  ASSERT_TRUE(engine.ok()) << engine.status();
  EXPECT_EQ((*engine)->ReadLine(kTimeout).value_or(""), "info string uci switchback --net x");
  fs::remove_all(folder);
}

TEST(EngineCliTest, Help) {
  for (const char* command : {"uci --help", "usi --help"}) {
    const testing::Finished help = testing::RunCrossriver(command);
    EXPECT_EQ(help.status, 0);
    EXPECT_THAT(help.output, HasSubstr("Example"));
  }
}

}  // namespace
}  // namespace crossriver
