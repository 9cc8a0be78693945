// Conversations with an engine in this process.
#include "tools/engine_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "tests/tools/engine_helpers.h"

namespace crossriver {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::kUci;
using testing::kUsi;
using testing::Lines;
using testing::MakeSession;
using ::testing::Not;
using testing::Send;
using ::testing::StartsWith;

// One Chariot mates; and a position in which it has.
constexpr char kMateInOne[] = "fen 3k5/R8/9/9/9/8p/9/9/1R7/5K3 w 0 1";
constexpr char kMated[] = "fen 1R1k5/R8/9/9/9/8p/9/9/9/5K3 b 0 1";

// A gate that calls of an evaluator wait at.
class Gate {
 public:
  absl::Status Pass() {
    MutexLock lock(&mutex_);
    ++arrived_;
    changed_.NotifyAll();
    while (!open_) changed_.Wait(&mutex_);
    return absl::OkStatus();
  }
  void WaitForArrivals(int count) {
    MutexLock lock(&mutex_);
    while (arrived_ < count) changed_.Wait(&mutex_);
  }
  void Open() {
    MutexLock lock(&mutex_);
    open_ = true;
    changed_.NotifyAll();
  }
  int arrived() {
    MutexLock lock(&mutex_);
    return arrived_;
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  bool open_ ABSL_GUARDED_BY(mutex_) = false;
  int arrived_ ABSL_GUARDED_BY(mutex_) = 0;
};

TEST(EngineSessionTest, IntroducesItself) {
  for (const Protocol protocol : {kUci, kUsi}) {
    Lines lines;
    const auto session = MakeSession(protocol, "shogi", &lines);
    Send(session.get(), {protocol == kUci ? "uci" : "usi", "isready"});
    const std::vector<std::string> all = lines.all();
    EXPECT_EQ(all.front(), "id name crossriver");
    EXPECT_EQ(all[all.size() - 2], protocol == kUci ? "uciok" : "usiok");
    EXPECT_EQ(all.back(), "readyok");
    EXPECT_THAT(all, Contains(HasSubstr("Variant type combo default shogi var ")));
  }
}

// As the side to move sees it: the first player is ahead.
TEST(EngineSessionTest, SearchesAndAnswers) {
  Lines lines;
  const auto session = MakeSession(kUci, "xiangqi", &lines);
  Send(session.get(), {"setoption name MultiPV value 3", "setoption name UCI_ShowWDL value true",
                       "position startpos moves b1c3", "go nodes 100"});
  EXPECT_THAT(lines.WaitFor("bestmove "), HasSubstr(" ponder "));
  EXPECT_THAT(lines.all(),
              Contains(HasSubstr(" multipv 3 score cp -191 wdl 100 300 600 nodes 100 ")));
  Send(session.get(), {"position startpos", "go nodes 100"});
  lines.WaitFor("bestmove ", 2);
  EXPECT_THAT(lines.all(),
              Contains(HasSubstr(" multipv 3 score cp 191 wdl 600 300 100 nodes 100 ")));
}

TEST(EngineSessionTest, MatesAndEnds) {
  Lines lines;
  const auto session = MakeSession(kUci, "xiangqi", &lines);
  int answers = 0;
  for (const char* go : {"go nodes 1000", "go mate 1", "go movetime 1000", "go wtime 9000"}) {
    Send(session.get(), {absl::StrCat("position ", kMateInOne), go});
    EXPECT_EQ(lines.WaitFor("bestmove ", ++answers), "bestmove b2b10") << go;
  }
  EXPECT_EQ(lines.Count("info depth 1 multipv 1 score mate 1 "), 4);
  Send(session.get(), {absl::StrCat("position ", kMated), "go nodes 10"});
  EXPECT_EQ(lines.WaitFor("bestmove (none)"), "bestmove (none)");
  EXPECT_THAT(lines.all(), Contains("info depth 0 score mate 0"));
  Send(session.get(), {"position startpos", "go mate 1"});
  EXPECT_THAT(lines.WaitFor("bestmove ", answers + 2), Not(HasSubstr("none")));
  EXPECT_THAT(lines.all(), Contains("info string no mate in 1"));
}

TEST(EngineSessionTest, UsiMates) {
  Lines lines;
  const auto session = MakeSession(kUsi, "minishogi", &lines);
  // A Gold dropped in front of the King, guarded by a Pawn; only the King is left.
  Send(session.get(), {"position sfen 2k2/5/2P2/5/2K2 b G 1", "go mate infinite"});
  EXPECT_EQ(lines.WaitFor("checkmate "), "checkmate G*3b");
  Send(session.get(), {"position startpos", "go mate 10000"});
  EXPECT_EQ(lines.WaitFor("checkmate ", 2), "checkmate nomate");
  Send(session.get(), {"position sfen 2k2/2G2/2P2/5/2K2 w - 1", "go btime 100 wtime 100"});
  EXPECT_EQ(lines.WaitFor("bestmove "), "bestmove resign");
}

// By our rules the third occurrence ends the game; others may play on.
TEST(EngineSessionTest, PlaysOnWhereOthersDo) {
  Lines lines;
  const auto session = MakeSession(kUci, "xiangqi", &lines);
  const std::string back_and_forth = " b1c3 b10c8 c3b1 c8b10";
  Send(session.get(), {absl::StrCat("position startpos moves", back_and_forth, back_and_forth,
                                    back_and_forth, back_and_forth),
                       "go nodes 20"});
  EXPECT_THAT(lines.WaitFor("bestmove "), Not(HasSubstr("none")));
  EXPECT_THAT(lines.all(), Contains(StartsWith("info string by our rules the game is over")));
}

TEST(EngineSessionTest, CountsLeaves) {
  Lines lines;
  const auto session = MakeSession(kUci, "xiangqi", &lines);
  Send(session.get(), {"go perft 2"});
  EXPECT_EQ(lines.WaitFor("Nodes searched"), "Nodes searched: 1920");
  EXPECT_THAT(lines.all(), Contains(StartsWith("b1c3: ")));
  Send(session.get(), {"go perft 30", "stop"});
  lines.WaitFor("Nodes searched", 2);
  EXPECT_THAT(lines.all(), Contains(StartsWith("info string perft: stopped")));
}

// A root that is proven ends the search, but not the wait.
TEST(EngineSessionTest, InfiniteAndPonderKeepTheAnswer) {
  Lines lines;
  const auto session = MakeSession(kUci, "xiangqi", &lines);
  int answers = 0;
  for (const char* board : {kMateInOne, kMated}) {
    for (const char* go : {"go infinite", "go", "go ponder wtime 1 btime 1", "go ponder nodes 1"}) {
      Send(session.get(), {absl::StrCat("position ", board), go});
      // All there is to say has been said.
      lines.WaitFor("info depth", answers + 1);
      Send(session.get(), {"isready"});
      EXPECT_EQ(lines.Count("bestmove"), answers) << go;
      Send(session.get(), {absl::StrContains(go, "ponder") ? "ponderhit" : "stop"});
      lines.WaitFor("bestmove", ++answers);
    }
  }
}

TEST(EngineSessionTest, PonderhitEndsTheWait) {
  Lines lines;
  Gate gate;
  const auto session = MakeSession(kUci, "xiangqi", &lines, [&gate] { return gate.Pass(); });
  Send(session.get(), {"position startpos", "go ponder wtime 1 btime 1"});
  gate.WaitForArrivals(1);
  Send(session.get(), {"ponderhit"});
  gate.Open();
  lines.WaitFor("bestmove");
  Send(session.get(), {"ponderhit"});
  EXPECT_THAT(lines.all(),
              Contains("info string ponderhit: no search is pondering; expected go ponder first"));
}

// After a stop the calls that are under way come back, and no other is made.
TEST(EngineSessionTest, StopIsHeardByASlowEvaluator) {
  for (const int threads : {1, 3}) {
    Lines lines;
    Gate gate;
    const auto session = MakeSession(kUci, "xiangqi", &lines, [&gate] { return gate.Pass(); });
    Send(session.get(), {absl::StrCat("setoption name Threads value ", threads),
                         "setoption name MateNodes value 0", "go infinite"});
    gate.WaitForArrivals(1);
    // Other threads wait for the root's evaluation, which is not back.
    Send(session.get(), {"isready", "d", "nonsense", "stop"});
    EXPECT_EQ(lines.Count("readyok"), 1);
    EXPECT_EQ(lines.Count("bestmove"), 0);
    gate.Open();
    EXPECT_THAT(lines.WaitFor("bestmove"), Not(HasSubstr("none")));
    // A thread may have looked for a stop just before it came.
    EXPECT_LE(gate.arrived(), threads);
  }
}

TEST(EngineSessionTest, WhatDisturbsASearchIsRefused) {
  Lines lines;
  Gate gate;
  const auto session = MakeSession(kUci, "xiangqi", &lines, [&gate] { return gate.Pass(); });
  Send(session.get(), {"go nodes 5"});
  gate.WaitForArrivals(1);
  Send(session.get(), {"go nodes 5", "position startpos moves b1c3", "ucinewgame",
                       "setoption name Threads value 2"});
  for (const char* command : {"go", "position", "new game", "setoption"}) {
    EXPECT_EQ(lines.Count(absl::StrCat("info string ", command, ": refused")), 1) << command;
  }
  gate.Open();
  Send(session.get(), {"stop"});
  // Now they wait for the answer, and are carried out.
  Send(session.get(), {"setoption name Threads value 2", "go nodes 5"});
  lines.WaitFor("bestmove", 2);
  EXPECT_EQ(lines.Count("info string"), 4);
}

TEST(EngineSessionTest, QuitAndEndOfInputAnswerFirst) {
  for (const bool quit : {true, false}) {
    Lines lines;
    auto session = MakeSession(kUci, "xiangqi", &lines);
    Send(session.get(), {"go infinite"});
    if (quit) {
      EXPECT_FALSE(session->Handle("quit"));
    } else {
      session->Finish();
    }
    const std::vector<std::string> all = lines.all();
    EXPECT_THAT(all.back(), StartsWith("bestmove "));
    EXPECT_FALSE(session->Handle("isready"));
    session.reset();
    EXPECT_EQ(lines.all(), all);
  }
}

TEST(EngineSessionTest, WrongCommandsAreReported) {
  const struct {
    const char* line;
    const char* complaint;
  } cases[] = {
      {"isredy", "unknown command 'isredy'; did you mean 'isready'?"},
      {"position startpos moves b1c3 b1c3", "position: move 'b1c3': not a legal move of"},
      {"position fen 9 w 0 1", "position: FEN field 'board'"},
      {"position", "position: expected startpos or fen, found ''"},
      {"position fen moves b1c3", "position: expected a position after 'fen'"},
      {"setoption Threads", "setoption: expected name NAME value VALUE"},
      {"setoption name value 4", "setoption: expected name NAME value VALUE"},
      {"setoption name Threads value -1", "option Threads: expected a number from 1 to 64"},
      {"setoption name UCI_Variant value xianqi", "did you mean 'xiangqi'?"},
      {"usinewgame", "unknown command 'usinewgame'"},
      {"\xff\x01\x02", "unknown command '\xff\\x01\\x02'"},
  };
  Lines lines;
  const auto session = MakeSession(kUci, "xiangqi", &lines);
  int complaints = 0;
  for (const auto& bad : cases) {
    Send(session.get(), {bad.line});
    ASSERT_EQ(lines.Count("info string "), ++complaints) << bad.line;
    EXPECT_THAT(lines.all().back(), HasSubstr(bad.complaint)) << bad.line;
  }
  Send(session.get(), {"", " \t ", std::string(100'000, 'a'), std::string(1000, '\0')});
  EXPECT_EQ(lines.Count("info string unknown command "), 5);
  for (const std::string& line : lines.all()) EXPECT_LT(line.size(), 500);
}

// A bad position leaves the one before.
TEST(EngineSessionTest, ABadPositionChangesNothing) {
  Lines lines;
  const auto session = MakeSession(kUci, "xiangqi", &lines);
  Send(session.get(),
       {absl::StrCat("position ", kMateInOne), "position startpos moves z9z9", "go nodes 100"});
  EXPECT_EQ(lines.WaitFor("bestmove"), "bestmove b2b10");
}

// Where others play on after our limit.
TEST(EngineSessionTest, AFenPastTheNoProgressLimitIsSearched) {
  Lines lines;
  const auto session = MakeSession(kUci, "xiangqi", &lines);
  int answers = 0;
  for (const char* plies : {"120", "121", "4000000000"}) {
    Send(session.get(),
         {absl::StrCat("position fen 3k5/R8/9/9/9/8p/9/9/1R7/5K3 w - - ", plies, " 300"),
          "go nodes 100"});
    EXPECT_EQ(lines.WaitFor("bestmove", ++answers), "bestmove b2b10") << plies;
  }
  EXPECT_EQ(lines.Count("info string by our rules the game is over (draw by no_progress)"), 3);
}

}  // namespace
}  // namespace crossriver
