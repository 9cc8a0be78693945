// Random commands at random moments: every search that begins is answered once, at the right time,
// by a legal move, and nothing hangs.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "core/variant_loader.h"
#include "mcts/random.h"
#include "tests/test_data.h"
#include "tests/tools/engine_helpers.h"

namespace crossriver {
namespace {

using testing::Lines;
using testing::RulesOf;
using testing::Watchdog;

constexpr int kBlocks = 10;
constexpr int kSequences = 1000;
constexpr int kCommands = 14;  // in a sequence, about

const std::vector<std::string> kWithSfen = {"minishogi", "shogi"};

// What a search was begun for.
struct Begun {
  std::string go;
  std::set<std::string> legal;  // move texts of its position
};

// Why the last search keeps its answer.
struct HeldBy {
  bool infinite = false;
  bool pondering = false;
};

// One session, what is sent to it, and what must come back.
class Conversation {
 public:
  Conversation(Protocol protocol, const std::string& variant, uint64_t seed)
      : protocol_(protocol),
        random_(seed),
        variant_(variant),
        delay_(static_cast<int>(random_.Below(60))),
        fails_(random_.Below(4) == 0) {
    session_ = testing::MakeSession(protocol, variant, &lines_, [this] { return Evaluate(); });
    game_.emplace(StartPosition(RulesOf(variant)));
  }

  void Run(Watchdog* watchdog) {
    const size_t count = 2 + random_.Below(size_t{2} * kCommands);
    for (size_t i = 0; i < count && !::testing::Test::HasFailure(); ++i) {
      const std::string line = RandomCommand();
      sent_.push_back(line);
      watchdog->Pet(Text());
      Send(line);
      Pause();
    }
    sent_.emplace_back(random_.Below(2) == 0 ? "quit" : "(end of input)");
    watchdog->Pet(Text());
    CheckHeld();
    if (sent_.back() == "quit") {
      EXPECT_FALSE(session_->Handle("quit"));
    } else {
      session_->Finish();
    }
    CheckEnd();
  }

  // Searches that were begun.
  size_t num_begun() const { return begun_.size(); }
  // All that was sent, for messages.
  std::string Text() const { return absl::StrCat(variant_, ": ", absl::StrJoin(sent_, "; ")); }

 private:
  absl::Status Evaluate() {
    const int call = ++calls_;
    if (delay_ > 0) std::this_thread::sleep_for(std::chrono::microseconds(delay_));
    return fails_ && call % 50 == 49 ? absl::InternalError("made up") : absl::OkStatus();
  }

  void Pause() {
    if (random_.Below(2) == 0) return;
    std::this_thread::sleep_for(std::chrono::microseconds(random_.Below(500)));
  }

  template <typename T>
  const T& Pick(const std::vector<T>& list) {
    return list[random_.Below(list.size())];
  }

  std::string RandomCommand();
  std::string RandomGo();
  std::string RandomPosition();
  std::string RandomOption();

  void Send(const std::string& line);
  void Follow(const std::string& line);
  void CheckHeld();
  void CheckEnd();

  int Answers() const {
    return lines_.Count("bestmove") + lines_.Count("checkmate") + lines_.Count("Nodes searched");
  }
  Notation notation() const { return NotationOf(protocol_); }

  const Protocol protocol_;
  RandomStream random_;
  std::string variant_;
  const int delay_;  // microseconds a call of the evaluator
  const bool fails_;
  std::atomic<int> calls_ = 0;

  Lines lines_;
  std::unique_ptr<EngineSession> session_;
  std::optional<GameInput> game_;     // what the session has, if it does right
  std::optional<GameInput> pending_;  // of the position command that is sent
  std::vector<Begun> begun_;
  HeldBy held_;
  std::vector<std::string> sent_;
};

std::string Conversation::RandomCommand() {
  switch (random_.Below(12)) {
    case 0:
    case 1:
    case 2:
      return RandomGo();
    case 3:
    case 4:
      return RandomPosition();
    case 5:
    case 6:
    case 7:
      return "stop";
    case 8:
      return "ponderhit";
    case 9:
      return RandomOption();
    case 10:
      return Pick<std::string>(
          {"isready", protocol_ == Protocol::kUci ? "ucinewgame" : "usinewgame", "isready", "d"});
    default:
      return Pick<std::string>({"", "go go", "\x01\x02\xff", "uci", "usi", "gameover draw", "qui",
                                "position", "setoption name"});
  }
}

std::string Conversation::RandomGo() {
  const auto number = [this](size_t most) { return absl::StrCat(random_.Below(most + 1)); };
  const std::string clock = absl::StrCat("wtime ", number(40), " btime ", number(40));
  return absl::StrCat(
      "go ", Pick<std::string>({"", "infinite", "ponder", absl::StrCat("ponder ", clock), clock,
                                absl::StrCat(clock, " winc 2 binc 1 movestogo ", number(3)),
                                absl::StrCat(clock, " byoyomi ", number(5)),
                                absl::StrCat("nodes ", number(60)), "nodes many", "depth 2",
                                absl::StrCat("ponder nodes ", number(9)),
                                absl::StrCat("movetime ", number(5)), "mate 2", "mate", "perft 2",
                                "perft 9", "infinite mate 1"}));
}

// The game so far and some moves more, or another one; at times with a move that is none.
std::string Conversation::RandomPosition() {
  const Rules& rules = RulesOf(variant_);
  GameInput game = random_.Below(3) == 0 ? GameInput(StartPosition(rules)) : *game_;
  for (size_t more = random_.Below(random_.Below(8) == 0 ? 200 : 4); more > 0; --more) {
    std::vector<Move> legal;
    GenerateLegalMoves(game.position, &legal);
    if (legal.empty()) break;
    game.moves.push_back(Pick(legal));
    const UndoRecord undo = game.position.Do(game.moves.back());
    game.history.Push(game.position, undo);
  }
  std::string text = "position startpos moves";
  for (const Move move : game.moves) {
    absl::StrAppend(&text, " ", FormatMove(rules, notation(), move));
  }
  pending_ = std::move(game);
  if (random_.Below(5) > 0) return text;
  pending_.reset();
  return absl::StrCat(text, " ", Pick<std::string>({"a1a1", "0000", "7g7f+", "\xff", "resign"}));
}

std::string Conversation::RandomOption() {
  const std::vector<std::string>& variants =
      protocol_ == Protocol::kUci ? BuiltinVariantIds() : kWithSfen;
  return absl::StrCat(
      "setoption name ",
      Pick<std::string>({"Threads value 1", "Threads value 2", "Threads value 3", "Hash value 1",
                         "Hash value 2", "MultiPV value 3", "ShowWDL value true", "Batch value 5",
                         "MateNodes value 0", "MateNodes value 200", "DrawScore value 30",
                         "MoveOverhead value 1", "Net value nothing", "Net value <empty>",
                         "Ponder value maybe",
                         absl::StrCat("UCI_Variant value ", Pick(variants))}));
}

void Conversation::Send(const std::string& line) {
  CheckHeld();
  // All that only Handle writes.
  const int refused = lines_.Count("info string go: refused");
  const int bad_positions = lines_.Count("info string position:");
  const int variants = lines_.Count("info string variant ");
  if (line == "stop") held_ = HeldBy();
  if (line == "ponderhit") held_.pondering = false;
  ASSERT_TRUE(session_->Handle(line)) << Text();
  if (absl::StartsWith(line, "go ") && lines_.Count("info string go: refused") == refused) {
    Follow(line);
  }
  if (absl::StartsWith(line, "position ") && pending_.has_value() &&
      lines_.Count("info string position:") == bad_positions) {
    game_ = *pending_;
  }
  if (lines_.Count("info string variant ") > variants) {
    variant_ = std::vector<std::string>(absl::StrSplit(line, ' ')).back();
    game_.emplace(StartPosition(RulesOf(variant_)));
  }
}

// A search has begun.
void Conversation::Follow(const std::string& line) {
  const GoCommand go = ParseGo(protocol_, line.substr(3));
  held_ = {go.infinite, go.ponder};
  Begun begun{line, {}};
  std::vector<Move> legal;
  GenerateLegalMoves(game_->position, &legal);
  for (const Move move : legal) {
    begun.legal.insert(FormatMove(RulesOf(variant_), notation(), move));
  }
  begun_.push_back(std::move(begun));
}

// No search answers twice, nor before it may.
void Conversation::CheckHeld() {
  const int begun = static_cast<int>(begun_.size());
  if (held_.infinite || held_.pondering) {
    EXPECT_EQ(Answers(), begun - 1) << Text();
  } else {
    EXPECT_LE(Answers(), begun) << Text();
  }
}

void Conversation::CheckEnd() {
  const std::vector<std::string> all = lines_.all();
  EXPECT_FALSE(session_->Handle("isready"));
  session_.reset();
  EXPECT_EQ(lines_.all().size(), all.size()) << Text();
  size_t number = 0;
  for (const std::string& line : all) {
    const bool is_move = absl::StartsWith(line, "bestmove ");
    const bool is_mate = absl::StartsWith(line, "checkmate ");
    const bool is_count = absl::StartsWith(line, "Nodes searched: ");
    if (!is_move && !is_mate && !is_count) continue;
    ASSERT_LT(number, begun_.size()) << Text();
    const Begun& begun = begun_[number++];
    EXPECT_EQ(is_count, absl::StrContains(begun.go, "perft")) << Text();
    EXPECT_EQ(is_mate, protocol_ == Protocol::kUsi && absl::StrContains(begun.go, "mate"))
        << Text();
    if (!is_move) continue;
    const std::vector<std::string> words = absl::StrSplit(line, ' ');
    const bool none = words[1] == "(none)" || words[1] == "resign";
    EXPECT_EQ(begun.legal.count(words[1]), none ? 0 : 1) << line << " after " << Text();
    EXPECT_EQ(begun.legal.empty(), none) << line << " after " << Text();
  }
  EXPECT_EQ(number, begun_.size()) << Text();
}

class EngineRandomTest : public ::testing::TestWithParam<int> {};

TEST_P(EngineRandomTest, AlwaysAnswers) {
  Watchdog watchdog;
  const auto seed = static_cast<uint64_t>(testing::FromEnvironment("CROSSRIVER_SEED", 1));
  size_t searches = 0;
  for (int i = 0; i < kSequences / kBlocks && !HasFailure(); ++i) {
    const auto number = static_cast<uint64_t>(GetParam() * (kSequences / kBlocks) + i);
    RandomStream random(seed * kSequences + number);
    const bool usi = random.Below(3) == 0;
    const std::vector<std::string>& ids = usi ? kWithSfen : BuiltinVariantIds();
    Conversation conversation(usi ? Protocol::kUsi : Protocol::kUci, ids[random.Below(ids.size())],
                              random.Next());
    conversation.Run(&watchdog);
    searches += conversation.num_begun();
  }
  EXPECT_GT(searches, kSequences / kBlocks);
  RecordProperty("searches", static_cast<int>(searches));
}

INSTANTIATE_TEST_SUITE_P(Blocks, EngineRandomTest, ::testing::Range(0, kBlocks));

}  // namespace
}  // namespace crossriver
