// What an engine says: scores, lines, options.
#include "tools/engine_info.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <random>
#include <string>

#include "core/notation.h"
#include "tests/test_data.h"
#include "tests/tools/engine_helpers.h"
#include "tools/engine_options.h"
#include "tools/engine_variants.h"

namespace crossriver {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kUci;
using testing::kUsi;
using ::testing::Not;

TEST(EngineInfoTest, Centipawns) {
  EXPECT_EQ(Centipawns(0.5), 0);
  EXPECT_EQ(Centipawns(0.64006), 100);  // 1 / (1 + 10^(-1/4))
  EXPECT_EQ(Centipawns(10.0 / 11), 400);
  EXPECT_EQ(Centipawns(1.0 / 11), -400);
  EXPECT_EQ(Centipawns(1), 10'000);
  EXPECT_EQ(Centipawns(0), -10'000);
  EXPECT_EQ(Centipawns(1e-300), -10'000);
  for (int percent = 0; percent < 100; ++percent) {
    const double score = percent / 100.0;
    EXPECT_LE(Centipawns(score), Centipawns(score + 0.01)) << score;
    EXPECT_NEAR(Centipawns(score), -Centipawns(1 - score), 1) << score;
  }
}

TEST(EngineInfoTest, WdlIsAThousand) {
  EXPECT_EQ(FormatWdl({1, 0, 0}), "wdl 1000 0 0");
  EXPECT_EQ(FormatWdl({0, 1, 0}), "wdl 0 1000 0");
  EXPECT_EQ(FormatWdl({0.5005F, 0, 0.4995F}), "wdl 501 0 499");
  EXPECT_EQ(FormatWdl({1, 1, 1}), "wdl 334 333 333");
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i) {
    const auto share = [&random] { return static_cast<float>(random() % 1000); };
    const Wdl parts{share(), share(), share() + 1};
    const float sum = parts.win + parts.draw + parts.loss;
    const Wdl wdl{parts.win / sum, parts.draw / sum, parts.loss / sum};
    std::array<int, 3> counts;
    ASSERT_EQ(
        std::sscanf(FormatWdl(wdl).c_str(), "wdl %d %d %d", &counts[0], &counts[1], &counts[2]), 3);
    EXPECT_EQ(counts[0] + counts[1] + counts[2], 1000);
    EXPECT_NEAR(counts[0], 1000 * wdl.win, 1);
    EXPECT_NEAR(counts[1], 1000 * wdl.draw, 1);
    EXPECT_NEAR(counts[2], 1000 * wdl.loss, 1);
  }
}

TEST(EngineInfoTest, Scores) {
  const Wdl ahead{0.6F, 0.3F, 0.1F};
  const struct {
    Proof proof;
    const char* uci;
    const char* usi;
  } cases[] = {
      {{}, "score cp 191", "score cp 191"},
      {{Result::kDraw, -1, true}, "score cp 191", "score cp 191"},
      {{Result::kWin, 1, false}, "score mate 1", "score mate 1"},
      {{Result::kWin, 5, false}, "score mate 3", "score mate 5"},
      {{Result::kLoss, 2, false}, "score mate -1", "score mate -2"},
      {{Result::kLoss, 6, false}, "score mate -3", "score mate -6"},
      {{Result::kLoss, 0, false}, "score mate 0", "score mate -0"},
      // Of no known length: the mean stands for it in UCI.
      {{Result::kWin, -1, false}, "score cp 191", "score mate +"},
      {{Result::kLoss, -1, true}, "score cp 191", "score mate -"},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(FormatScore(kUci, ahead, each.proof), each.uci);
    EXPECT_EQ(FormatScore(kUsi, ahead, each.proof), each.usi);
  }
  EXPECT_EQ(FormatScore(kUci, {0.1F, 0.3F, 0.6F}, {}), "score cp -191");
  EXPECT_EQ(FormatScore(kUci, {1, 0, 0}, {Result::kWin, -1, false}), "score cp 10000");
}

// Two moves that were looked at, and one that was not.
SearchResult ThreeMoves(const Rules& rules) {
  const Position start = StartPosition(rules);
  SearchResult result;
  for (const char* text : {"7g7f", "2g2f", "1g1f"}) {
    MoveResult& move = result.moves.emplace_back();
    move.move = *ParseUsiMove(start, text);
    move.pv = {move.move};
    move.wdl = {0.6F, 0.3F, 0.1F};
    move.visits = result.moves.size() < 3 ? 10 : 0;
  }
  Position after = start;
  after.Do(result.moves[0].move);
  result.moves[0].pv.push_back(*ParseUsiMove(after, "3c3d"));
  result.best = result.moves[0].move;
  result.tree_bytes = 1 << 19;
  return result;
}

TEST(EngineInfoTest, LinesOfASearch) {
  const Rules& rules = testing::RulesOf("shogi");
  const SearchResult result = ThreeMoves(rules);
  InfoContext context{kUci, false, 5, 2000, absl::Milliseconds(500), 1 << 20};
  EXPECT_THAT(
      FormatInfo(rules, result, context),
      ElementsAre(
          "info depth 2 multipv 1 score cp 191 nodes 2000 nps 4000 hashfull 500 time 500 pv c3c4 "
          "g7g6",
          "info depth 1 multipv 2 score cp 191 nodes 2000 nps 4000 hashfull 500 time 500 pv h3h4"));
  context.protocol = kUsi;
  context.show_wdl = true;
  context.multi_pv = 1;
  EXPECT_THAT(FormatInfo(rules, result, context),
              ElementsAre("info depth 2 multipv 1 score cp 191 wdl 600 300 100 nodes 2000 nps 4000 "
                          "hashfull 500 time 500 pv 7g7f 3c3d"));
  EXPECT_EQ(FormatBestMove(kUsi, rules, result), "bestmove 7g7f ponder 3c3d");
  EXPECT_EQ(FormatBestMove(kUci, rules, result), "bestmove c3c4 ponder g7g6");
  EXPECT_EQ(FormatBestMove(kUci, rules, SearchResult()), "bestmove (none)");
  EXPECT_EQ(FormatBestMove(kUsi, rules, SearchResult()), "bestmove resign");
  EXPECT_THAT(FormatInfo(rules, SearchResult(), context), IsEmpty());
}

TEST(EngineOptionsTest, Declared) {
  const VariantNames variants(kUci);
  EngineOptions options;
  options.variant = "xiangqi";
  const std::vector<std::string> uci = DeclareOptions(kUci, options, variants.names());
  EXPECT_THAT(uci, Contains("option name Threads type spin default 1 min 1 max 64"));
  EXPECT_THAT(uci, Contains("option name Hash type spin default 256 min 1 max 524288"));
  EXPECT_THAT(uci, Contains("option name Net type string default <empty>"));
  EXPECT_THAT(uci, Contains("option name UCI_ShowWDL type check default false"));
  EXPECT_THAT(uci, Contains(HasSubstr("UCI_Variant type combo default xiangqi var minishogi var")));
  EXPECT_THAT(uci, Contains(HasSubstr(" var switchback ")));
  const VariantNames with_sfen(kUsi);
  const std::vector<std::string> usi = DeclareOptions(kUsi, options, with_sfen.names());
  EXPECT_THAT(usi, Contains(HasSubstr("option name USI_Hash type spin")));
  EXPECT_THAT(usi, Contains(HasSubstr("option name USI_Ponder type check")));
  EXPECT_THAT(with_sfen.names(), ElementsAre("minishogi", "shogi"));
  EXPECT_EQ(uci.size(), usi.size());
}

TEST(EngineOptionsTest, SetByAnySpelling) {
  EngineOptions options;
  const struct {
    OptionSetting setting;
    Affects affects;
  } cases[] = {
      {{"Threads", "3"}, Affects::kEvaluator},  {{"threads", "4"}, Affects::kEvaluator},
      {{"USI_Hash", "12"}, Affects::kSearch},   {{"Move Overhead", "77"}, Affects::kNothing},
      {{"ShowWDL", "TRUE"}, Affects::kNothing}, {{"Evaluator", "Rollout"}, Affects::kEvaluator},
      {{"Net", "/a b"}, Affects::kEvaluator},   {{"UCI_Variant", "x"}, Affects::kVariant},
  };
  for (const auto& each : cases) {
    for (const Protocol protocol : {kUci, kUsi}) {
      const auto affects = SetOption(protocol, each.setting, &options);
      ASSERT_TRUE(affects.ok()) << affects.status();
      EXPECT_EQ(*affects, each.affects) << each.setting.name;
    }
  }
  EXPECT_EQ(options.threads, 4);
  EXPECT_EQ(options.hash_mb, 12);
  EXPECT_EQ(options.move_overhead_ms, 77);
  EXPECT_TRUE(options.show_wdl);
  EXPECT_EQ(options.evaluator.evaluator, "rollout");
  EXPECT_EQ(options.evaluator.net, "/a b");
  EXPECT_EQ(options.variant, "x");
}

// Of a variant and a file the one named last.
TEST(EngineOptionsTest, AVariantStandsForAFileNoMore) {
  EngineOptions options;
  options.variant = "xiangqi";
  ASSERT_TRUE(SetOption(kUci, {"VariantFile", "/a.toml"}, &options).ok());
  ASSERT_TRUE(SetOption(kUci, {"Evaluator", "rollout"}, &options).ok());
  EXPECT_EQ(options.variant_file, "/a.toml");
  ASSERT_TRUE(SetOption(kUci, {"UCI_Variant", "xiangqi"}, &options).ok());
  EXPECT_EQ(options.variant_file, "");
}

TEST(EngineOptionsTest, BadValuesChangeNothing) {
  const struct {
    OptionSetting setting;
    const char* message;
  } cases[] = {
      {{"Threads", "0"}, "option Threads: expected a number from 1 to 64, found '0'"},
      {{"Threads", "four"}, "found 'four'"},
      {{"Threads", "99999999999"}, "expected a number from 1 to 64"},
      {{"Hash", "524289"}, "expected a number from 1 to 524288"},
      {{"Ponder", "yes"}, "option Ponder: expected true or false, found 'yes'"},
      {{"Evaluator", "rolout"}, "did you mean 'rollout'?"},
      {{"Thread", "2"}, "unknown option 'Thread'; did you mean 'Threads'?"},
  };
  for (const auto& bad : cases) {
    EngineOptions options;
    const auto affects = SetOption(kUci, bad.setting, &options);
    ASSERT_FALSE(affects.ok()) << bad.setting.name;
    EXPECT_THAT(std::string(affects.status().message()), HasSubstr(bad.message));
    EXPECT_EQ(options, EngineOptions());
  }
}

TEST(VariantNamesTest, OtherEnginesNamesAreUnderstood) {
  const std::string text = testing::ReadText("configs/variants/minishogi.toml");
  const std::string name = "uci_variant = \"minishogi\"";
  std::string renamed = text;
  ASSERT_NE(renamed.find(name), std::string::npos);
  renamed.replace(renamed.find(name), name.size(), "uci_variant = \"Mini\"");
  const VariantNames names(kUsi, {{"small", "small.toml", renamed}, {"bad", "bad.toml", "x ="}});
  EXPECT_THAT(names.names(), ElementsAre("Mini", "small"));
  EXPECT_EQ(*names.IdOf("mini"), "small");
  EXPECT_EQ(*names.IdOf("small"), "small");
  const auto unknown = names.IdOf("smal");
  EXPECT_THAT(std::string(unknown.status().message()), HasSubstr("did you mean 'small'?"));
}

}  // namespace
}  // namespace crossriver
