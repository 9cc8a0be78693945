// Other programs as players: a fake one that misbehaves in every way, and Fairy-Stockfish.
#include "selfplay/players/engine_player.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "core/notation.h"
#include "tests/scratch_folder.h"
#include "tests/selfplay/players/seat_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::ChooseIn;
using testing::FakeSpec;
using testing::Game;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::OpenFromText;
using testing::PlayPlayers;
using testing::PlaySeats;
using testing::ReadBytes;
using testing::RulesOf;
using testing::ScratchFolder;
using testing::SeatGame;

// Whether this process has children, zombies included.
bool HasChildren() { return waitpid(-1, nullptr, WNOHANG) != -1 || errno != ECHILD; }

Game StartOf(const std::string& variant, const std::string& moves = "") {
  return Game(variant, FormatFen(StartPosition(RulesOf(variant))), moves);
}

class EnginePlayerTest : public ::testing::Test {
 protected:
  void SetUp() override { std::signal(SIGPIPE, SIG_IGN); }
  void TearDown() override { EXPECT_FALSE(HasChildren()); }
};

TEST_F(EnginePlayerTest, PlaysAndSaysWhatItThinks) {
  for (const std::string kind : {"uci", "usi"}) {
    const std::string variant = "minishogi";
    const auto player = OpenFromText(FakeSpec("play", "nodes=5&Skill Level=3", kind), variant);
    ASSERT_TRUE(player.ok()) << player.status();
    EXPECT_EQ((*player)->evaluator(), nullptr);
    const auto seat = (*player)->NewSeat();
    ASSERT_TRUE(seat->NewGame(1).ok());
    const absl::StatusOr<Choice> choice =
        ChooseIn(StartOf(variant, "a2a3 e4e3"), player->get(), seat.get());
    ASSERT_TRUE(choice.ok()) << choice.status();
    EXPECT_EQ(choice->visits, 77);
    ASSERT_TRUE(choice->wdl.has_value());
    EXPECT_NEAR(choice->wdl->win, 0.640, 1e-3);  // of a pawn
  }
}

TEST_F(EnginePlayerTest, WinDrawAndLossAreAskedFor) {
  const auto player = OpenFromText(FakeSpec("wdl"), "xiangqi");
  ASSERT_TRUE(player.ok()) << player.status();
  const auto seat = (*player)->NewSeat();
  ASSERT_TRUE(seat->NewGame(1).ok());
  const absl::StatusOr<Choice> choice = ChooseIn(StartOf("xiangqi"), player->get(), seat.get());
  ASSERT_TRUE(choice.ok()) << choice.status();
  EXPECT_NEAR(choice->wdl->draw, 0.3, 1e-6);
}

// What is sent, in which order, over two games of one process.
TEST_F(EnginePlayerTest, SpeaksTheProtocol) {
  const ScratchFolder folder;
  const std::string log = folder.File("log");
  {
    const auto player = OpenFromText(
        FakeSpec("log " + log, "Hash=32&nodes=5&Clear Hash&movetime=100&depth=3&Style=Very Risky"),
        "minishogi");
    ASSERT_TRUE(player.ok()) << player.status();
    const auto seat = (*player)->NewSeat();
    for (int game = 0; game < 2; ++game) {
      ASSERT_TRUE(seat->NewGame(1).ok());
      ASSERT_TRUE(ChooseIn(StartOf("minishogi", "a2a3"), player->get(), seat.get()).ok());
    }
  }
  const std::string game =
      "ucinewgame\nisready\nposition fen rbsgk/4p/5/P4/KGSBR[] w - - 0 1 moves a2a3\n"
      "go nodes 5 movetime 100 depth 3\n";
  EXPECT_EQ(ReadBytes(log), absl::StrCat("uci\nsetoption name Hash value 32\n"
                                         "setoption name Clear Hash\n"
                                         "setoption name Style value Very Risky\n"
                                         "setoption name UCI_Variant value minishogi\nisready\n",
                                         game, game, "quit\n"));
}

// Found before a match begins.
TEST_F(EnginePlayerTest, ErrorsOfTheStart) {
  const std::vector<std::tuple<std::string, std::string, std::vector<std::string>>> cases = {
      {"uci:no-such-program?nodes=1", "xiangqi", {"no program 'no-such-program' on PATH"}},
      {"uci:/no/such?nodes=1", "xiangqi", {"can't start /no/such: No such file"}},
      {"uci:/dev/null?nodes=1", "xiangqi", {"can't start /dev/null: Permission denied"}},
      {"uci:cat?nodes=1&timeout=2", "xiangqi", {"no 'uciok' within 2s", "last said 'uci'"}},
      {"uci:true?nodes=1", "xiangqi", {"ended with status 0"}},
      {FakeSpec("exit_at_start"), "xiangqi", {"ended with status 3", "has said nothing"}},
      {FakeSpec("crash_at_start"), "xiangqi", {"ended by signal 9 (Killed)"}},
      {FakeSpec("hang_at_start", "nodes=1&timeout=0.2"), "xiangqi", {"no 'uciok' within 200ms"}},
      {FakeSpec("endless_line"), "xiangqi", {"line never ends"}},
      {FakeSpec("no_variant"), "xiangqi", {"'UCI_Variant'", "got 'xiangqi'", "chess, crazyhouse"}},
      {FakeSpec("learn"), "minishogi", {"got 'minishogi'"}},
      {FakeSpec("play"),
       "switchback",
       {"'switchback' has no name for engines", "UCI_Variant=NAME"}},
      {FakeSpec("play", "nodes=1", "usi"), "xiangqi", {"no SFEN", "try uci"}},
      {FakeSpec("play", "nodes=1&UCI_Variant=shogy"), "xiangqi", {"did you mean 'shogi'?"}},
      {FakeSpec("play", "nodes=1&hash=16"), "xiangqi", {"no option 'hash'; did you mean 'Hash'?"}},
      {FakeSpec("play", "depth=1&node=16"), "xiangqi", {"did you mean 'nodes'?"}},
      {FakeSpec("play", "nodes=1&Hash=0"), "xiangqi", {"'Hash': expected a whole number from 1"}},
      // It plays one game only, and that is another one.
      {FakeSpec("one_game xiangqi"),
       "minishogi",
       {"plays 'badposition'", "does it play Minishogi?"}},
      {"usi:cat?nodes=1&timeout=0.2", "shogi", {"no 'usiok'"}},
  };
  for (const auto& [spec, variant, words] : cases) {
    const auto player = OpenFromText(spec, variant);
    ASSERT_FALSE(player.ok()) << spec;
    EXPECT_THAT(std::string(player.status().message()), HasSubstr("player 'u")) << spec;
    for (const std::string& word : words) {
      EXPECT_THAT(std::string(player.status().message()), HasSubstr(word)) << spec;
    }
    EXPECT_FALSE(HasChildren()) << spec;
  }
}

TEST_F(EnginePlayerTest, UnusualProgramsThatArePlayed) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {FakeSpec("slow"), "xiangqi"},
      {FakeSpec("one_game switchback"), "switchback"},
      {FakeSpec("one_game minishogi", "nodes=1", "usi"), "minishogi"},
      {FakeSpec("learn", "nodes=1&VariantPath=x"), "minishogi"},
      {FakeSpec("chatty"), "xiangqi"},
      {FakeSpec("deaf"), "xiangqi"},
      {FakeSpec("play", "nodes=1&UCI_Variant=shogi"), "shogi"},
  };
  for (const auto& [spec, variant] : cases) {
    const auto player = OpenFromText(spec, variant);
    ASSERT_TRUE(player.ok()) << player.status();
    const SeatGame game = PlayPlayers(RulesOf(variant), player->get(), player->get(), 1, 4);
    EXPECT_TRUE(game.status.ok()) << game.status;
    EXPECT_EQ(game.moves.size(), 4U);
  }
}

// Each costs the game, says why, and leaves a seat that can play the next game.
TEST_F(EnginePlayerTest, ErrorsOfAMove) {
  const std::vector<std::tuple<std::string, std::string, std::vector<std::string>>> cases = {
      // Long enough for all else that the program is asked, on a busy machine too.
      {"hang", "nodes=1&timeout=2", {"no 'bestmove' within 2s", "'go nodes 1'", "'readyok'"}},
      {"exit", "nodes=1", {"ended with status 4"}},
      {"crash", "nodes=1", {"ended by signal 9"}},
      {"close", "nodes=1", {"closed its input or output"}},
      {"garbage", "nodes=1", {"ended with status 4", R"(\x01\xff\x1b[31m)"}},
      {"endless", "nodes=1", {"writes without end"}},
      {"illegal", "nodes=1", {"plays 'a1a9', which is no legal move in rnbakabnr/"}},
      {"escape", "nodes=1", {R"(plays '\x1b[2J\xc3')"}},
      {"none", "nodes=1", {"has no move ('(none)'), but there are 44"}},
      {"null", "nodes=1", {"has no move ('0000')"}},
      {"empty", "nodes=1", {"has no move ('')"}},
      {"win", "nodes=1", {"claims to have won"}},
      {"resign", "nodes=1", {"resigns"}},
  };
  const Game game = StartOf("xiangqi");
  for (const auto& [behaviour, options, words] : cases) {
    const auto player = OpenFromText(FakeSpec(behaviour, options), "xiangqi");
    ASSERT_TRUE(player.ok()) << player.status();
    const auto seat = (*player)->NewSeat();
    const bool waits = absl::StrContains(options, "timeout");
    for (int game_number = 0; game_number < (waits ? 1 : 2); ++game_number) {
      ASSERT_TRUE(seat->NewGame(1).ok()) << behaviour;
      const absl::StatusOr<Choice> choice = ChooseIn(game, player->get(), seat.get());
      ASSERT_FALSE(choice.ok()) << behaviour;
      EXPECT_EQ(absl::IsAborted(choice.status()), behaviour == "resign");
      for (const std::string& word : words) {
        EXPECT_THAT(std::string(choice.status().message()), HasSubstr(word)) << behaviour;
      }
      EXPECT_THAT(std::string(choice.status().message()), Not(HasSubstr("\x1b"))) << behaviour;
    }
  }
}

TEST_F(EnginePlayerTest, AnotherProcessAfterACrash) {
  const ScratchFolder folder;
  const auto player = OpenFromText(FakeSpec("crash_once " + folder.File("crashed")), "xiangqi");
  ASSERT_TRUE(player.ok()) << player.status();
  const auto seat = (*player)->NewSeat();
  const Game game = StartOf("xiangqi");
  ASSERT_TRUE(seat->NewGame(1).ok());
  EXPECT_FALSE(ChooseIn(game, player->get(), seat.get()).ok());
  // Not before the next game.
  EXPECT_FALSE(ChooseIn(game, player->get(), seat.get()).ok());
  ASSERT_TRUE(seat->NewGame(2).ok());
  EXPECT_TRUE(ChooseIn(game, player->get(), seat.get()).ok());
}

// Whether there is a process of this number that is no zombie.
bool IsAlive(pid_t pid) {
  std::ifstream file(absl::StrCat("/proc/", pid, "/stat"));
  std::string number, name, state;
  return static_cast<bool>(file >> number >> name >> state) && state != "Z" && state != "X";
}

TEST_F(EnginePlayerTest, ChildrenOfTheProgramGoToo) {
  const ScratchFolder folder;
  pid_t child = 0;
  {
    const auto player = OpenFromText(FakeSpec("child " + folder.File("child")), "xiangqi");
    ASSERT_TRUE(player.ok()) << player.status();
    std::ifstream(folder.File("child")) >> child;
    ASSERT_GT(child, 0);
    EXPECT_TRUE(IsAlive(child));
  }
  for (int tries = 0; tries < 1000 && IsAlive(child); ++tries)
    absl::SleepFor(absl::Milliseconds(10));
  EXPECT_FALSE(IsAlive(child));
}

class FairyStockfishTest : public EnginePlayerTest,
                           public ::testing::WithParamInterface<const char*> {};

TEST_P(FairyStockfishTest, PlaysBothSides) {
  const std::string path = FindFairyStockfish();
  if (path.empty()) GTEST_SKIP() << "fairy-stockfish is not installed";
  const std::vector<std::string> parts = absl::StrSplit(GetParam(), ' ');
  const std::string& protocol = parts[0];
  const std::string& variant = parts[1];
  const auto strong =
      OpenFromText(absl::StrCat(protocol, ":fairy-stockfish?nodes=400&Hash=1&Threads=1"), variant);
  ASSERT_TRUE(strong.ok()) << strong.status();
  const auto weak = OpenFromText("random", variant);
  const Rules& rules = RulesOf(variant);
  const auto strong_seat = (*strong)->NewSeat();
  {
    const auto other_seat = (*strong)->NewSeat();
    const SeatGame game =
        PlaySeats(rules, strong->get(), strong_seat.get(), strong->get(), other_seat.get(), 1, 16);
    EXPECT_TRUE(game.status.ok()) << game.status;
    EXPECT_EQ(game.moves.size(), 16U);
  }
  // Against random moves it wins as either side.
  const auto weak_seat = (*weak)->NewSeat();
  const SeatGame first =
      PlaySeats(rules, strong->get(), strong_seat.get(), weak->get(), weak_seat.get(), 1, 200);
  EXPECT_TRUE(first.status.ok()) << first.status;
  EXPECT_EQ(first.outcome.result, Result::kLoss);  // of the side to move
  EXPECT_EQ(first.moves.size() % 2, 1U);
  const SeatGame second =
      PlaySeats(rules, weak->get(), weak_seat.get(), strong->get(), strong_seat.get(), 2, 200);
  EXPECT_TRUE(second.status.ok()) << second.status;
  EXPECT_EQ(second.outcome.result, Result::kLoss);
  EXPECT_EQ(second.moves.size() % 2, 0U);
}

INSTANTIATE_TEST_SUITE_P(Variants, FairyStockfishTest,
                         ::testing::Values("uci xiangqi", "uci shogi", "uci minishogi", "usi shogi",
                                           "usi minishogi"),
                         [](const auto& games) { return testing::TestName(games.param); });

TEST_F(EnginePlayerTest, FairyStockfishNamesItsVariants) {
  if (FindFairyStockfish().empty()) GTEST_SKIP() << "fairy-stockfish is not installed";
  const auto unknown = OpenFromText("uci:fairy-stockfish?nodes=1&UCI_Variant=xianqi", "xiangqi");
  ASSERT_FALSE(unknown.ok());
  EXPECT_THAT(std::string(unknown.status().message()), HasSubstr("did you mean 'xiangqi'?"));
}

}  // namespace
}  // namespace crossriver
