// Lines of the protocols UCI and USI.
#include "selfplay/players/engine_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/notation.h"
#include "mcts/random.h"
#include "tests/mcts/search_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::Game;
using ::testing::HasSubstr;
using testing::RulesOf;

std::vector<EngineOption> Declared() {
  std::vector<EngineOption> options;
  for (const char* const line : {
           "option name Hash type spin default 16 min 1 max 1024",
           "option name Offset type spin default 0",
           "option name Clear Hash type button",
           "option name Ponder type check default false",
           "option name Style type combo default Solid var Solid var Very Risky",
           "option name Book type string default <empty>",
           "\t option  name Odd   Name\ttype filename ",
       }) {
    const std::optional<EngineOption> option = ParseOptionLine(line);
    EXPECT_TRUE(option.has_value()) << line;
    if (option.has_value()) options.push_back(*option);
  }
  return options;
}

TEST(EngineTextTest, ReadsOptions) {
  const std::vector<EngineOption> options = Declared();
  ASSERT_EQ(options.size(), 7U);
  EXPECT_EQ(options[0].name, "Hash");
  EXPECT_EQ(options[0].type, "spin");
  EXPECT_EQ(options[0].least, 1);
  EXPECT_EQ(options[0].most, 1024);
  EXPECT_FALSE(options[1].least.has_value());
  EXPECT_EQ(options[2].name, "Clear Hash");
  EXPECT_EQ(options[4].words, (std::vector<std::string>{"Solid", "Very Risky"}));
  EXPECT_EQ(options[6].name, "Odd Name");
  EXPECT_EQ(options[6].type, "filename");
  for (const char* const line :
       {"", "option", "option name", "option name type spin default 1", "option name Hash",
        "id name option name X type spin", "options"}) {
    EXPECT_FALSE(ParseOptionLine(line).has_value()) << line;
  }
}

TEST(EngineTextTest, SetsOptions) {
  const std::vector<EngineOption> options = Declared();
  const auto set = [&](const std::string& name, const std::string& value) {
    const absl::StatusOr<std::string> line = SetOptionLine(options, name, value, {"nodes"});
    return line.ok() ? *line : std::string(line.status().message());
  };
  EXPECT_EQ(set("Hash", "16"), "setoption name Hash value 16");
  EXPECT_EQ(set("Offset", "-99999"), "setoption name Offset value -99999");
  EXPECT_EQ(set("Clear Hash", ""), "setoption name Clear Hash");
  EXPECT_EQ(set("Ponder", "true"), "setoption name Ponder value true");
  EXPECT_EQ(set("Style", "Very Risky"), "setoption name Style value Very Risky");
  EXPECT_EQ(set("Book", "a b"), "setoption name Book value a b");
  EXPECT_EQ(set("Book", ""), "setoption name Book value <empty>");
  EXPECT_THAT(set("Hash", "0"),
              HasSubstr("'Hash': expected a whole number from 1 to 1024, got '0'"));
  EXPECT_THAT(set("Hash", ""), HasSubstr("got ''"));
  EXPECT_THAT(set("hash", "16"), HasSubstr("no option 'hash'; did you mean 'Hash'?"));
  EXPECT_THAT(set("node", "16"), HasSubstr("did you mean 'nodes'?"));
  EXPECT_THAT(set("Clear Hash", "1"), HasSubstr("button"));
  EXPECT_THAT(set("Ponder", "1"), HasSubstr("expected true or false"));
  EXPECT_THAT(set("Style", "Solide"), HasSubstr("did you mean 'Solid'?"));
}

TEST(EngineTextTest, GivesPositions) {
  const Game game("minishogi", "rbsgk/4p/5/P4/KGSBR[Pp] b 3 5", "");
  EXPECT_EQ(SixFieldFen(game.start), "rbsgk/4p/5/P4/KGSBR[Pp] b - - 3 5");
  const Game start("minishogi", FormatFen(StartPosition(RulesOf("minishogi"))), "a2a3 e4e3");
  EXPECT_EQ(*PositionLine(EngineProtocol::kUci, start.start, start.moves),
            "position fen rbsgk/4p/5/P4/KGSBR[] w - - 0 1 moves a2a3 e4e3");
  EXPECT_EQ(*PositionLine(EngineProtocol::kUci, start.start, {}),
            "position fen rbsgk/4p/5/P4/KGSBR[] w - - 0 1");
  EXPECT_EQ(*PositionLine(EngineProtocol::kUsi, start.start, start.moves),
            "position sfen rbsgk/4p/5/P4/KGSBR b - 1 moves 5d5c 1b1c");
  EXPECT_THAT(std::string(PositionLine(EngineProtocol::kUsi, StartPosition(RulesOf("xiangqi")), {})
                              .status()
                              .message()),
              HasSubstr("no SFEN"));
}

TEST(EngineTextTest, ReadsWhatIsSaidOfAMove) {
  struct Case {
    std::vector<std::string> lines;
    std::optional<Wdl> wdl;
    int64_t nodes;
  };
  const std::vector<Case> cases = {
      {{}, std::nullopt, 0},
      {{"info string score cp 100 nodes 5", "xinfo nodes 5", "info", "info nodes"},
       std::nullopt,
       0},
      {{"info depth 3 score cp 0 nodes 12 pv a1a2 nodes 99"}, Wdl{0.5F, 0, 0.5F}, 12},
      {{"info score cp 400 nodes 1", "info nodes 9 currmove a1a2"},
       Wdl{10.0F / 11, 0, 1.0F / 11},
       9},
      {{"info score cp -400"}, Wdl{1.0F / 11, 0, 10.0F / 11}, 0},
      {{"info score cp -9223372036854775808"}, Wdl{0, 0, 1}, 0},
      {{"info score mate 3"}, Wdl{1, 0, 0}, 0},
      {{"info score mate -3"}, Wdl{0, 0, 1}, 0},
      {{"info score mate 0"}, Wdl{0, 0, 1}, 0},
      {{"info score mate +"}, Wdl{1, 0, 0}, 0},
      {{"info score mate -"}, Wdl{0, 0, 1}, 0},
      {{"info score mate x"}, std::nullopt, 0},
      {{"info score cp 50 wdl 600 300 100 nodes 5"}, Wdl{0.6F, 0.3F, 0.1F}, 5},
      {{"info wdl 1 1 2 score cp 50"}, Wdl{0.25F, 0.25F, 0.5F}, 0},
      {{"info wdl 1 1"}, std::nullopt, 0},
      {{"info wdl 0 0 0"}, std::nullopt, 0},
      {{"info wdl -1 0 2"}, std::nullopt, 0},
      // Of several lines of play the first.
      {{"info multipv 1 score cp 0 nodes 5", "info multipv 2 score mate 1 nodes 6"},
       Wdl{0.5F, 0, 0.5F},
       5},
      // An exact score stays where a bound follows.
      {{"info score cp 0", "info score cp 400 upperbound"}, Wdl{0.5F, 0, 0.5F}, 0},
      {{"info score cp 400 lowerbound"}, Wdl{10.0F / 11, 0, 1.0F / 11}, 0},
      {{"info score cp 400 lowerbound", "info score cp 0"}, Wdl{0.5F, 0, 0.5F}, 0},
      {{"info score cp 99999999999999999999 nodes x"}, std::nullopt, 0},
  };
  for (const Case& expected : cases) {
    EngineInfo info;
    for (const std::string& line : expected.lines) ReadInfoLine(line, &info);
    const std::string about = expected.lines.empty() ? "" : expected.lines.front();
    EXPECT_EQ(info.nodes, expected.nodes) << about;
    ASSERT_EQ(info.wdl.has_value(), expected.wdl.has_value()) << about;
    if (!expected.wdl.has_value()) continue;
    EXPECT_NEAR(info.wdl->win, expected.wdl->win, 1e-6) << about;
    EXPECT_NEAR(info.wdl->draw, expected.wdl->draw, 1e-6) << about;
    EXPECT_NEAR(info.wdl->loss, expected.wdl->loss, 1e-6) << about;
  }
}

TEST(EngineTextTest, ReadsTheMove) {
  EXPECT_EQ(ParseBestMoveLine("bestmove a1a2"), "a1a2");
  EXPECT_EQ(ParseBestMoveLine(" bestmove  P*5e ponder 1a1b"), "P*5e");
  EXPECT_EQ(ParseBestMoveLine("bestmove"), "");
  EXPECT_EQ(ParseBestMoveLine("bestmoves a1a2"), std::nullopt);
  EXPECT_EQ(ParseBestMoveLine(""), std::nullopt);
}

TEST(EngineTextTest, QuotesAreShortAndPlain) {
  EXPECT_EQ(QuotedFromEngine("a\x1b\xff"), R"('a\x1b\xff')");
  EXPECT_LT(QuotedFromEngine(std::string(10000, '\1')).size(), 600U);
}

// Words of the protocol in any order.
TEST(EngineTextTest, NothingCrashes) {
  const std::vector<std::string> words = {
      "info", "score", "cp",   "mate",   "wdl", "nodes", "1",  "-5",      "99999999999999999999",
      "pv",   "min",   "max",  "option", "var", "name",  "x",  "default", "type",
      "spin", "\xff",  "- - ", "string", "",    "\t",    "ok", "multipv", "bestmove"};
  RandomStream random(3);
  EngineInfo info;
  for (int i = 0; i < 20000; ++i) {
    std::string line = i % 2 == 0 ? "info" : "option name";
    for (size_t length = random.Below(10); length > 0; --length) {
      line += " " + words[random.Below(words.size())];
    }
    ReadInfoLine(line, &info);
    ParseOptionLine(line);
    ParseBestMoveLine(line);
  }
  ASSERT_TRUE(info.wdl.has_value());
  EXPECT_NEAR(info.wdl->win + info.wdl->draw + info.wdl->loss, 1, 1e-6);
}

}  // namespace
}  // namespace crossriver
