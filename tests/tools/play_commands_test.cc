// Every command of a game at the terminal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/notation.h"
#include "mcts/batch_driver.h"
#include "mcts/mate_probe.h"
#include "mcts/uniform_evaluator.h"
#include "selfplay/game_import.h"
#include "tests/scratch_folder.h"
#include "tests/test_data.h"
#include "tests/tools/play_helpers.h"

namespace crossriver {
namespace {

using ::testing::AllOf;
using testing::Converse;
using ::testing::HasSubstr;
using testing::kMateInOne;
using testing::RulesOf;
using testing::ScriptedPlayer;
using testing::Setting;
using testing::Talk;

TEST(PlayCommandsTest, UndoGoesBackToTheStart) {
  ScriptedPlayer opponent;
  const Setting setting;
  const std::string start = FormatFen(StartPosition(RulesOf("xiangqi")));
  const Talk talk = Converse(setting, &opponent, "undo;b1c3;h1g3;undo;undo;fen;undo;quit");
  EXPECT_THAT(talk.text, HasSubstr("Taken back."));
  EXPECT_THAT(talk.text, HasSubstr(start));
  // At first and at last there is none.
  const std::string none = "You have no move to take back.";
  const size_t first = talk.text.find(none);
  ASSERT_NE(first, std::string::npos);
  EXPECT_NE(talk.text.find(none, first + 1), std::string::npos);
  EXPECT_GT(talk.text.find(none, first + 1), talk.text.find(start));
}

TEST(PlayCommandsTest, SecondPlayerCannotUndoTheOpening) {
  ScriptedPlayer opponent({"h1g3"});
  Setting setting;
  setting.person = Side::kSecond;
  const Talk talk = Converse(setting, &opponent, "undo;b10c8;undo;fen");
  EXPECT_THAT(talk.text, HasSubstr("You have no move to take back."));
  Position expected = StartPosition(RulesOf("xiangqi"));
  expected.Do(*ParseMove(expected, "h1g3"));
  EXPECT_THAT(talk.text, HasSubstr(FormatFen(expected)));
  EXPECT_THAT(talk.text, HasSubstr("Taken back."));
  // The second player sees the board from the other side: rank 1 above, columns from the right.
  EXPECT_THAT(talk.text, HasSubstr("i   h   g   f   e   d   c   b   a\n  1 "));
}

TEST(PlayCommandsTest, ResignAndTakeItBack) {
  ScriptedPlayer opponent;
  const Talk talk = Converse({}, &opponent, "b1c3;resign;b3b4;undo;b3b4");
  EXPECT_THAT(talk.text,
              AllOf(HasSubstr("You have given up: you lose."), HasSubstr("The game is over: 'new'"),
                    HasSubstr("Taken back."), HasSubstr("You play b3b4 (Cannon).")));
}

TEST(PlayCommandsTest, SidesChange) {
  ScriptedPlayer opponent;
  const Talk talk = Converse({}, &opponent, "side;a10a9;side third;side first");
  EXPECT_THAT(talk.text, AllOf(HasSubstr("You play second (lowercase)."),
                               HasSubstr("It plays a1a2"), HasSubstr("You play a10a9 (Chariot)."),
                               HasSubstr("'third' is no side; expected one of first, second"),
                               HasSubstr("You play first (uppercase).")));
}

TEST(PlayCommandsTest, FlipTurnsTheBoard) {
  ScriptedPlayer opponent;
  const Talk talk = Converse({"switchback"}, &opponent, "flip;flip;flip x");
  EXPECT_THAT(talk.text, HasSubstr("a  b  c     f  e  d     g  h  i"));
  EXPECT_THAT(talk.text, HasSubstr("i  h  g     d  e  f     c  b  a"));
  EXPECT_THAT(talk.text, HasSubstr("'flip' stands alone; what is 'x'?"));
}

TEST(PlayCommandsTest, HintsShowTheBestMoves) {
  UniformEvaluator uniform;
  Setting setting;
  setting.fen = kMateInOne;
  setting.adviser = [&uniform](const Turn& turn) {
    Search search(SearchOptions(), *turn.start);
    CR_CHECK_OK(search.SetGame(*turn.start, turn.moves));
    SearchLimits limits;
    limits.visits = 200;
    return RunSearch(&search, limits, &uniform);
  };
  ScriptedPlayer opponent;
  const Talk talk = Converse(setting, &opponent, "hint;a2a3;hint;a3d3;hint");
  EXPECT_THAT(
      talk.text,
      HasSubstr("  a2d2 (Chariot): win 100 %, draw 0 %, loss 0 %; a certain win in 1 plies\n"));
  // Three lines, and no board between them and the next prompt.
  const size_t hint = talk.text.find("  a2d2 (Chariot)");
  const size_t prompt = talk.text.find("> ", hint);
  EXPECT_EQ(std::count(talk.text.begin() + static_cast<std::ptrdiff_t>(hint),
                       talk.text.begin() + static_cast<std::ptrdiff_t>(prompt), '\n'),
            3);
  EXPECT_THAT(Converse({}, &opponent, "hint").text, HasSubstr("There is nobody to ask."));
  setting.adviser = [](const Turn&) {
    return absl::StatusOr<SearchResult>(absl::UnavailableError("no device"));
  };
  EXPECT_THAT(Converse(setting, &opponent, "hint").text, HasSubstr("No hint: no device"));
}

// A mate that was found before the search: nothing is known of the other moves.
TEST(PlayCommandsTest, HintsShowNoMovesThatNothingIsKnownOf) {
  Setting setting;
  setting.fen = kMateInOne;
  setting.adviser = [](const Turn& turn) -> absl::StatusOr<SearchResult> {
    Search search(SearchOptions(), *turn.start);
    search.Begin({});
    EXPECT_TRUE(MateProbe(1000).Run(&search));
    return search.Result();
  };
  ScriptedPlayer opponent;
  const Talk talk = Converse(setting, &opponent, "hint");
  EXPECT_THAT(
      talk.text,
      HasSubstr("> "
                "  a2d2 (Chariot): win 100 %, draw 0 %, loss 0 %; a certain win in 1 plies\n> "));
}

// The game of a file.
GameRecord OnlyGame(const std::string& text) {
  GameRecord only;
  const absl::StatusOr<ImportReport> report =
      ImportGames(RulesOf("xiangqi"), text, {}, [&](const GameRecord& record) {
        only = record;
        return absl::OkStatus();
      });
  EXPECT_TRUE(report.ok());
  EXPECT_EQ(report->imported, 1);
  EXPECT_EQ(report->skipped, 0) << report->messages[0];
  return only;
}

TEST(PlayCommandsTest, SavedGamesSayWhoPlayed) {
  const struct {
    std::vector<std::string> script;
    const char* lines;
    std::vector<const char*> headers;
  } cases[] = {
      {{"h1g3", "fail"},
       "b10c8",
       {"[White \"the script\"]", "[Black \"person\"]", "[Termination \"forfeit\"]",
        "[Result \"0-1\"]"}},
      // The side that is to be played next changes nothing.
      {{"h1g3", "fail"}, "b10c8;side", {"[White \"the script\"]", "[Result \"0-1\"]"}},
      {{"h1g3", "resign"}, "b10c8", {"[Termination \"resigned\"]", "[Result \"0-1\"]"}},
      {{"h1g3", "fail"}, "b10c8;undo;resign", {"[Termination \"resigned\"]", "[Result \"1-0\"]"}},
      {{},
       "side;b1c3",
       {"[White \"person\"]", "[Black \"the script\"]", "[Termination \"truncated\"]"}},
  };
  for (const auto& each : cases) {
    const testing::ScratchFolder folder;
    const std::string file = folder.File("games.pgn");
    Setting setting;
    setting.person = Side::kSecond;
    ScriptedPlayer opponent(each.script);
    const Talk talk = Converse(setting, &opponent, std::string(each.lines) + ";save " + file);
    ASSERT_THAT(talk.text, HasSubstr("the game was added.")) << each.lines;
    const std::string text = testing::ReadBytes(file);
    EXPECT_THAT(text, HasSubstr("[Event \"play\"]"));
    for (const char* header : each.headers) EXPECT_THAT(text, HasSubstr(header)) << each.lines;
    EXPECT_GE(OnlyGame(text).moves.size(), 1) << each.lines;
  }
}

TEST(PlayCommandsTest, SavedGamesCanBeImported) {
  const testing::ScratchFolder folder;
  const std::string file = folder.File("games.pgn");
  const std::string save = ";save " + file;
  Setting setting;
  setting.fen = kMateInOne;
  ScriptedPlayer opponent;
  const Talk talk = Converse(setting, &opponent,
                             "save" + save + ";a2a3" + save + ";new;a2d2" + save +
                                 ";new;a2a3;resign" + save + ";save /nonexistent/x");
  EXPECT_THAT(talk.text, AllOf(HasSubstr("save FILE"), HasSubstr("There are no moves to save yet."),
                               HasSubstr(file + ": the game was added."),
                               HasSubstr("/nonexistent/x: can't be written.")));
  std::vector<GameRecord> records;
  const absl::StatusOr<ImportReport> report =
      ImportGames(RulesOf("xiangqi"), testing::ReadBytes(file), {}, [&](const GameRecord& record) {
        records.push_back(record);
        return absl::OkStatus();
      });
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->skipped, 0) << report->messages[0];
  ASSERT_EQ(records.size(), 3u);
  EXPECT_TRUE(records[0].truncated);
  EXPECT_EQ(records[0].moves.size(), 2u);
  EXPECT_EQ(records[1].result, Result::kWin);
  EXPECT_EQ(records[1].reason, Reason::kCheckmate);
  EXPECT_EQ(records[2].result, Result::kLoss);
  EXPECT_TRUE(records[2].resigned);
}

TEST(PlayCommandsTest, HelpNamesEveryCommand) {
  ScriptedPlayer opponent;
  const Talk talk = Converse({}, &opponent, "HELP");
  for (const char* command : {"board", "moves", "hint", "undo", "new", "side", "flip", "fen",
                              "save", "resign", "help", "quit"}) {
    EXPECT_THAT(talk.text, HasSubstr("\n  " + std::string(command))) << command;
  }
}

}  // namespace
}  // namespace crossriver
