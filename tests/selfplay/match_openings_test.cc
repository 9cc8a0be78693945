// Openings of matches: different, not decided, the same for the same seed; openings from text.
#include "selfplay/match_openings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "core/adjudicator.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "core/variant_loader.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using ::testing::HasSubstr;
using testing::RulesOf;

Position Reached(const MatchOpening& opening) {
  Position position = opening.start;
  for (const Move move : opening.moves) position.Do(move);
  return position;
}

// Board, hands and side to move of the position or of the image whose text comes first.
std::string TextUnder(const std::vector<Symmetry>& symmetries, Position position) {
  std::set<std::string> texts;
  position.SetCounts(0, 1);
  for (const Symmetry& symmetry : symmetries) texts.insert(FormatFen(symmetry.Map(position)));
  return *texts.begin();
}

RandomOpeningOptions Plies(int plies, uint64_t seed = 1) {
  RandomOpeningOptions options;
  options.plies = plies;
  options.seed = seed;
  return options;
}

class MatchOpeningsTest : public ::testing::TestWithParam<std::string> {};

TEST_P(MatchOpeningsTest, AreDifferentAndNotDecided) {
  constexpr int kPairs = 40;
  const Rules& rules = RulesOf(GetParam());
  const std::vector<Symmetry> symmetries = FindSymmetries(rules).start;
  MatchOpenings openings(&rules, Plies(4));
  std::set<std::string> seen;
  for (int pair = 0; pair < kPairs; ++pair) {
    const MatchOpening opening = openings.ForPair(pair);
    EXPECT_EQ(opening.start, StartPosition(rules));
    EXPECT_EQ(opening.moves.size(), 4U);
    Position position = opening.start;
    History history(position);
    for (const Move move : opening.moves) {
      ASSERT_TRUE(IsLegal(position, move));
      const UndoRecord undo = position.Do(move);
      history.Push(position, undo);
    }
    EXPECT_FALSE(Adjudicate(position, history, HasLegalMove(position)).is_over());
    EXPECT_EQ(JudgeByMates(position, history), 0.5);
    EXPECT_TRUE(seen.insert(TextUnder(symmetries, position)).second) << FormatFen(position);
  }
  EXPECT_EQ(openings.Distinct(kPairs), kPairs);
}

INSTANTIATE_TEST_SUITE_P(Variants, MatchOpeningsTest, ::testing::ValuesIn(BuiltinVariantIds()),
                         [](const auto& variant) { return testing::TestName(variant.param); });

TEST(MatchOpeningsSeedTest, ListsFollowFromTheSeed) {
  const Rules& rules = RulesOf("switchback");
  const auto list = [&rules](uint64_t seed, const std::vector<int>& pairs) {
    MatchOpenings openings(&rules, Plies(6, seed));
    std::vector<std::string> fens;
    for (const int pair : pairs) fens.push_back(FormatFen(Reached(openings.ForPair(pair))));
    return fens;
  };
  EXPECT_EQ(list(5, {0, 1, 2, 3}), list(5, {0, 1, 2, 3}));
  EXPECT_NE(list(5, {0, 1, 2, 3}), list(6, {0, 1, 2, 3}));
  // Asked for in another order.
  EXPECT_EQ(list(5, {3, 0})[1], list(5, {0})[0]);
  EXPECT_EQ(list(5, {3})[0], list(5, {0, 1, 2, 3})[3]);
}

// After one ply there are only so many positions; then they come again in the same order.
TEST(MatchOpeningsSeedTest, RunOutAndComeAgain) {
  const Rules& rules = RulesOf("xiangqi");
  const std::vector<Symmetry> symmetries = FindSymmetries(rules).start;
  Position position = StartPosition(rules);
  std::vector<Move> legal;
  GenerateLegalMoves(position, &legal);
  std::set<std::string> all;
  for (const Move move : legal) {
    Position after = position;
    after.Do(move);
    all.insert(TextUnder(symmetries, after));
  }
  MatchOpenings openings(&rules, Plies(1));
  const auto count = static_cast<int64_t>(all.size());
  EXPECT_EQ(openings.Distinct(1000), count);
  EXPECT_EQ(openings.Distinct(3), 3);
  for (const int64_t pair : {int64_t{0}, int64_t{5}}) {
    EXPECT_EQ(openings.ForPair(pair).moves, openings.ForPair(pair + count).moves);
    EXPECT_EQ(openings.ForPair(pair).moves, openings.ForPair(pair + 7 * count).moves);
  }
}

TEST(MatchOpeningsSeedTest, WithoutPliesItIsTheArray) {
  const Rules& rules = RulesOf("minishogi");
  MatchOpenings openings(&rules, Plies(0));
  EXPECT_TRUE(openings.ForPair(3).moves.empty());
  EXPECT_EQ(openings.Distinct(10), 1);
}

// No random game of this variant is as long.
TEST(MatchOpeningsSeedTest, AreShorterThanGames) {
  const Rules& rules = RulesOf("shoxiang-xq-standard");
  MatchOpenings openings(&rules, Plies(1 << 13));
  const MatchOpening opening = openings.ForPair(0);
  EXPECT_GT(opening.moves.size(), 0U);
  EXPECT_LT(opening.moves.size(), size_t{1} << 13);
}

TEST(MatchOpeningsSeedTest, TheJudgeDecides) {
  const Rules& rules = RulesOf("xiangqi");
  RandomOpeningOptions options = Plies(3);
  options.max_lead = 0.25;
  options.judge = [](const Position& position, const History&) {
    return position.key() % 3 == 0 ? 0.2 : position.key() % 3 == 1 ? 0.8 : 0.7;
  };
  MatchOpenings openings(&rules, options);
  for (int pair = 0; pair < 30; ++pair) {
    EXPECT_EQ(Reached(openings.ForPair(pair)).key() % 3, 2U);
  }
  // Where nothing pleases, it is the array.
  options.judge = [](const Position&, const History&) { return 1.0; };
  MatchOpenings none(&rules, options);
  EXPECT_TRUE(none.ForPair(0).moves.empty());
  EXPECT_EQ(none.Distinct(5), 1);
}

TEST(JudgeByMatesTest, SeesMatesOfBothSides) {
  const Rules& rules = RulesOf("xiangqi");
  const auto judge = [&rules](const std::string& fen) {
    const Position position = *ParseFen(rules, fen);
    return JudgeByMates(position, History(position));
  };
  // Two Chariots: mate in one, and in two.
  EXPECT_EQ(judge("4k4/R8/1R7/9/9/9/9/9/9/4K4 w 0 1"), 1);
  EXPECT_EQ(judge("4k4/9/1R7/2R6/9/9/9/9/9/3K5 w 0 1"), 1);
  // The same for who waits.
  EXPECT_EQ(judge("4k4/R8/1R7/9/9/9/9/9/p8/3K5 b 0 1"), 0);
  EXPECT_EQ(judge(FormatFen(StartPosition(rules))), 0.5);
}

// A Chariot that can be taken for nothing, and one that has been.
TEST(JudgeByAlphaBetaTest, SeesLostMaterial) {
  const auto rules = testing::SharedRulesOf("xiangqi");
  const OpeningJudge judge = JudgeByAlphaBeta(rules);
  const auto score = [&](const std::string& fen) {
    const Position position = *ParseFen(*rules, fen);
    return judge(position, History(position));
  };
  EXPECT_NEAR(score(FormatFen(StartPosition(*rules))), 0.5, 0.1);
  const std::string rest = "/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/";
  const std::string array = FormatFen(StartPosition(*rules));
  const std::string last = array.substr(0, array.find('/'));
  std::string without = last;
  without.replace(0, 1, "1");
  std::string own = last;
  absl::AsciiStrToUpper(&own);
  EXPECT_GT(score(without + rest + own + " w 0 1"), 0.9);
  EXPECT_LT(score(without + rest + own + " b 0 1"), 0.1);
  EXPECT_EQ(score("4k4/R8/1R7/9/9/9/9/9/9/4K4 w 0 1"), 1);
}

TEST(JudgeByAlphaBetaTest, LeavesOpeningsOut) {
  const auto rules = testing::SharedRulesOf("minishogi");
  RandomOpeningOptions options = Plies(8);
  options.judge = JudgeByAlphaBeta(rules);
  MatchOpenings openings(rules.get(), options);
  MatchOpenings others(rules.get(), Plies(8));
  int different = 0;
  for (int pair = 0; pair < 20; ++pair) {
    const MatchOpening opening = openings.ForPair(pair);
    Position position = opening.start;
    History history(position);
    for (const Move move : opening.moves) {
      const UndoRecord undo = position.Do(move);
      history.Push(position, undo);
    }
    const double score = options.judge(position, history);
    EXPECT_GE(score, 0.1);
    EXPECT_LE(score, 0.9);
    if (opening.moves != others.ForPair(pair).moves) ++different;
  }
  EXPECT_GT(different, 0);
}

TEST(ParseMatchOpeningsTest, AllForms) {
  const Rules& rules = RulesOf("xiangqi");
  const std::string fen = FormatFen(StartPosition(rules));
  const auto openings =
      ParseMatchOpenings(rules,
                         "# a comment\n"
                         "\n" +
                             fen + "\r\n" + fen + " moves h3e3 h10g8\n" +
                             "start\n  start moves b1c3\n"
                             "{\"moves\": [\"h3e3\"], \"count\": 12}\n" +
                             "{\"fen\": \"" + fen + "\"}\n" + "{\"fen\": \"start\", \"moves\": []}",
                         "book.txt");
  ASSERT_TRUE(openings.ok()) << openings.status();
  std::vector<size_t> moves;
  for (const MatchOpening& opening : *openings) {
    EXPECT_EQ(opening.start, StartPosition(rules));
    moves.push_back(opening.moves.size());
  }
  EXPECT_EQ(moves, (std::vector<size_t>{0, 2, 0, 1, 1, 0, 0}));
  EXPECT_EQ(FormatMove(rules, (*openings)[1].moves[1]), "h10g8");
}

TEST(ParseMatchOpeningsTest, ErrorsNameTheLine) {
  const Rules& rules = RulesOf("xiangqi");
  const struct {
    std::string text;
    std::string error;
  } cases[] = {
      {"", "book.txt: has no openings"},
      {"# nothing\n\n", "book.txt: has no openings"},
      {"start\nstart moves b1c3 b1c3\n", "book.txt:2: "},
      {"start moves z9z8", "z9z8"},
      {"start\n\nnonsense", "book.txt:3: "},
      {"{\"fen\": 7}", "book.txt:1: \"fen\": expected a text"},
      {"{\"moves\": \"b1c3\"}", "\"moves\": expected a list"},
      {"{\"moves\": [1]}", "\"moves\": expected a list"},
      {"{\"moves\": [", "book.txt:1: expected FEN"},
      {"3k5/3R5/3R5/9/9/9/9/9/9/4K4 b 0 1", "the game is over (checkmate) after 0 moves"},
  };
  for (const auto& [text, error] : cases) {
    const auto openings = ParseMatchOpenings(rules, text, "book.txt");
    ASSERT_FALSE(openings.ok()) << text;
    EXPECT_THAT(std::string(openings.status().message()), HasSubstr(error)) << text;
  }
}

// The same position by other moves, or mirrored, is no other opening.
TEST(GivenOpeningsTest, EachPositionOnce) {
  const Rules& rules = RulesOf("xiangqi");
  const auto given = ParseMatchOpenings(rules,
                                        "start moves b1c3 b10c8 h1g3\n"
                                        "start moves h1g3 b10c8 b1c3\n"   // transposed
                                        "start moves h1g3 h10g8 b1c3\n"   // mirrored
                                        "start moves b1a3 b10c8 h1g3\n",  // another one
                                        "book.txt");
  ASSERT_TRUE(given.ok()) << given.status();
  MatchOpenings openings(&rules, *given, 1);
  EXPECT_EQ(openings.Distinct(100), 2);
  EXPECT_NE(Reached(openings.ForPair(0)), Reached(openings.ForPair(1)));
  EXPECT_EQ(openings.ForPair(0).moves, openings.ForPair(2).moves);
}

TEST(GivenOpeningsTest, TheOrderFollowsFromTheSeed) {
  const Rules& rules = RulesOf("xiangqi");
  std::vector<MatchOpening> given;
  MatchOpenings random(&rules, Plies(3));
  for (int pair = 0; pair < 20; ++pair) given.push_back(random.ForPair(pair));
  const auto order = [&](uint64_t seed) {
    MatchOpenings openings(&rules, given, seed);
    std::vector<uint64_t> keys;
    for (int pair = 0; pair < 20; ++pair) keys.push_back(Reached(openings.ForPair(pair)).key());
    return keys;
  };
  EXPECT_EQ(order(1), order(1));
  EXPECT_NE(order(1), order(2));
  std::vector<uint64_t> sorted = order(2);
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(std::unique(sorted.begin(), sorted.end()), sorted.end());
}

}  // namespace
}  // namespace crossriver
