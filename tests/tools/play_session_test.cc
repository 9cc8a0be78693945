// Whole conversations with a game at the terminal: lines in, text out.
#include "tools/play_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/movegen.h"
#include "core/notation.h"
#include "mcts/random.h"
#include "selfplay/players/open_player.h"
#include "selfplay/players/player_spec.h"
#include "tests/test_data.h"
#include "tests/tools/play_helpers.h"

namespace crossriver {
namespace {

using ::testing::AllOf;
using testing::Converse;
using ::testing::HasSubstr;
using testing::kMateInOne;
using ::testing::Not;
using testing::RulesOf;
using testing::ScriptedPlayer;
using testing::Setting;
using testing::SharedRulesOf;
using testing::Talk;

TEST(PlaySessionTest, MovesAreAnsweredAndDrawn) {
  ScriptedPlayer opponent({"h10g8", "h8h1"});
  const Talk talk = Converse({}, &opponent, "b1c3;a4a5;quit");
  EXPECT_TRUE(talk.status.ok());
  EXPECT_THAT(talk.text, AllOf(HasSubstr("Xiangqi: you play first (uppercase) against the script"),
                               HasSubstr("You play b1c3 (Horse)."),
                               HasSubstr("It plays h10g8 (Horse); it "
                                         "thinks: win 50 %, draw 25 %, "
                                         "loss 25 %."),
                               HasSubstr("It plays h8h1 (Cannon takes Horse)")));
  // The last move is marked, and what it left.
  EXPECT_THAT(talk.text, HasSubstr(">c"));
  EXPECT_THAT(talk.text, HasSubstr(">."));
  EXPECT_EQ(opponent.games, 1);
}

TEST(PlaySessionTest, WrongMovesChangeNothing) {
  ScriptedPlayer opponent;
  const Talk talk =
      Converse({}, &opponent, "b1d3;b10c8;e3;nonsense;quti;\xff\xfe;;  ;a1a2 a1;moves b1;fen");
  EXPECT_THAT(talk.text,
              AllOf(HasSubstr("No: the Horse on b1 can't go to d3."), HasSubstr("is not yours."),
                    HasSubstr("'e3' may be"), HasSubstr("'nonsense' is no command and no move; "),
                    HasSubstr("'quti' is no command and no move; did you mean 'quit'?"),
                    HasSubstr("Horse b1: b1a3 b1c3\n"),
                    HasSubstr(FormatFen(StartPosition(RulesOf("xiangqi"))))));
  EXPECT_THAT(talk.text, Not(HasSubstr("It plays")));
}

TEST(PlaySessionTest, LongAndStrangeLinesAreNoTrouble) {
  ScriptedPlayer opponent;
  RandomStream random(1);
  std::string lines = std::string(100'000, 'a') + ";" + std::string(5'000, '1');
  for (int i = 0; i < 300; ++i) {
    lines += ";";
    for (size_t j = random.Below(12); j > 0; --j) {
      // Letters of commands and moves, and any bytes.
      const char known[] = "abcdefghi0123456789@+*- resignundohelpmovflt";
      const char letter = random.Below(4) > 0 ? known[random.Below(sizeof(known) - 1)]
                                              : static_cast<char>(random.Below(256));
      lines.push_back(letter == ';' ? ' ' : letter);
    }
  }
  EXPECT_TRUE(Converse({"shoxiang-sh-standard"}, &opponent, lines).status.ok());
}

TEST(PlaySessionTest, MateEndsTheGameUntilUndoOrNew) {
  ScriptedPlayer opponent;
  Setting setting;
  setting.fen = kMateInOne;
  const Talk talk = Converse(setting, &opponent, "a2d2;a1a2;resign;moves;hint;undo;fen;new;a2a3");
  EXPECT_THAT(talk.text,
              AllOf(HasSubstr("Checkmate: you win. 'new' begins another game."),
                    HasSubstr("The game is over: 'new' begins another, 'undo' goes back."),
                    HasSubstr("(over) > "), HasSubstr(kMateInOne)));
  EXPECT_THAT(talk.text, HasSubstr("You play a2a3 (Chariot).\nIt plays "));
  EXPECT_EQ(opponent.games, 3);  // the first, after undo, the new one
}

TEST(PlaySessionTest, MateByTheOpponentIsSaid) {
  ScriptedPlayer opponent({"a2d2"});
  Setting setting;
  setting.fen = kMateInOne;
  setting.person = Side::kSecond;
  const Talk talk = Converse(setting, &opponent, "fen");
  EXPECT_THAT(talk.text, HasSubstr("Checkmate: you lose."));
}

TEST(PlaySessionTest, ChecksAreSaid) {
  Setting setting;
  setting.fen = "3k5/9/9/9/9/9/9/9/R8/5K3 w 0 1";
  ScriptedPlayer opponent;
  EXPECT_THAT(Converse(setting, &opponent, "a2d2").text, HasSubstr("Check!\nIt plays d10"));
  setting.person = Side::kSecond;
  ScriptedPlayer checking({"a2d2"});
  EXPECT_THAT(Converse(setting, &checking, "board").text, HasSubstr("You are in check."));
}

TEST(PlaySessionTest, FailingOpponentsLose) {
  for (const char* how : {"fail", "illegal"}) {
    ScriptedPlayer opponent({"a10a9", how});
    const Talk talk = Converse({}, &opponent, "b1c3;h1g3;fen;new;b1c3");
    EXPECT_TRUE(talk.status.ok());
    EXPECT_THAT(talk.text, AllOf(HasSubstr("the script can't go on: "), HasSubstr("You win.")));
    EXPECT_EQ(opponent.games, 2);
  }
  ScriptedPlayer opponent;
  opponent.cannot_begin = true;
  EXPECT_THAT(Converse({}, &opponent, "b1c3;new;undo").text,
              AllOf(HasSubstr("can't go on: it does not start"), HasSubstr("You win."),
                    Not(HasSubstr("You play b1c3"))));
}

TEST(PlaySessionTest, HandsAreShownAndDropsPlayed) {
  Setting setting;
  setting.variant = "shoxiang-sh-standard";
  setting.fen = "4k4/9/2p3pc1/9/9/9/9/9/2P5P/4P4/RNE6/4K4[G] w 0 383";
  ScriptedPlayer opponent;
  std::vector<Move> legal;
  const Position start = *ParseFen(RulesOf(setting.variant), setting.fen);
  GenerateLegalMoves(start, &legal);
  const auto drop =
      std::find_if(legal.begin(), legal.end(), [](Move move) { return move.is_drop(); });
  ASSERT_NE(drop, legal.end());
  const std::string text = FormatMove(start.rules(), *drop);
  const Talk talk = Converse(setting, &opponent, "moves G;" + text);
  EXPECT_THAT(talk.text, AllOf(HasSubstr("You hold: "), HasSubstr("It holds:  nothing"),
                               HasSubstr(" in hand: G@"), HasSubstr("You play " + text + " ("),
                               HasSubstr("from the hand)"), HasSubstr("You hold: nothing")));
}

// Random moves against random moves, to the end by the rules, in every kind of variant.
TEST(PlaySessionTest, WholeGamesComeToAnEnd) {
  for (const char* variant : {"switchback", "shoxiang-xq-standard", "minishogi"}) {
    const Rules& rules = RulesOf(variant);
    PlayerContext context;
    context.rules = SharedRulesOf(variant);
    const auto opponent = OpenPlayer(*ParsePlayerSpec("random"), context);
    ASSERT_TRUE(opponent.ok());
    // The person looks at the FEN, and plays any legal move of it.
    RandomStream random(3);
    std::string text;
    std::string fen;
    bool asks = true;
    PlayIo io;
    io.write = [&](absl::string_view part) {
      text.append(part.data(), part.size());
      if (part.find(" w ") != absl::string_view::npos) fen.assign(part.data(), part.size() - 1);
    };
    io.read = [&](std::string* line) {
      if (text.find("'new' begins another game.") != std::string::npos) return false;
      *line = "fen";
      if (!asks) {
        std::vector<Move> legal;
        const Position position = *ParseFen(rules, fen);
        GenerateLegalMoves(position, &legal);
        *line = FormatMove(rules, legal[random.Below(legal.size())]);
      }
      asks = !asks;
      return true;
    };
    io.interrupted = [] { return false; };
    PlaySession session({StartPosition(rules)}, std::move(io), opponent->get(), {});
    EXPECT_TRUE(session.Run().ok());
    EXPECT_THAT(text, ::testing::AnyOf(HasSubstr(": you win."), HasSubstr(": you lose."),
                                       HasSubstr(": a draw.")))
        << variant;
    EXPECT_THAT(text, Not(HasSubstr("No: "))) << variant;
  }
}

TEST(PlaySessionTest, SearchesAreAskedPositionByPosition) {
  PlayerContext context;
  context.rules = SharedRulesOf("minishogi");
  const auto opponent = OpenPlayer(*ParsePlayerSpec("uniform:30"), context);
  ASSERT_TRUE(opponent.ok());
  const Talk talk = Converse({"minishogi"}, opponent->get(), "a2a3;undo;quit");
  EXPECT_THAT(talk.text, AllOf(HasSubstr("It plays "), HasSubstr("; it thinks: win ")));
}

TEST(PlaySessionTest, InterruptEndsItAndSaysWhere) {
  PlayerContext context;
  context.rules = SharedRulesOf("minishogi");
  const auto opponent = OpenPlayer(*ParsePlayerSpec("uniform:100000000"), context);
  ASSERT_TRUE(opponent.ok());
  int asked = 0;
  PlayIo io;
  io.read = [](std::string* line) {
    *line = "a2a3";
    return true;
  };
  io.write = [](absl::string_view) {};
  io.interrupted = [&asked] { return ++asked > 50; };
  const Rules& rules = RulesOf("minishogi");
  const absl::Status status =
      PlaySession({StartPosition(rules)}, std::move(io), opponent->get(), {}).Run();
  EXPECT_TRUE(absl::IsCancelled(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("interrupted at rbsgk/4p/P4/5/"));
}

}  // namespace
}  // namespace crossriver
