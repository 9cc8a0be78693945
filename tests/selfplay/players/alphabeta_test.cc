// The alpha-beta engine: mates, repetitions, limits, and that it always answers with a legal move.
#include "selfplay/players/alphabeta.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "core/movegen.h"
#include "core/notation.h"
#include "core/variant_loader.h"
#include "selfplay/players/alphabeta_player.h"
#include "tests/mcts/mate_positions.h"
#include "tests/mcts/repetition_positions.h"
#include "tests/random_positions.h"
#include "tests/selfplay/players/alphabeta_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::Cycles;
using testing::MatePosition;
using testing::PlayedGame;
using testing::Random;
using testing::RepetitionCase;
using testing::RulesOf;
using testing::SharedRulesOf;

AlphaBetaOptions Nodes(int64_t nodes) {
  AlphaBetaOptions options;
  options.nodes = nodes;
  return options;
}

AlphaBetaResult SearchGame(const PlayedGame& game, const AlphaBetaOptions& options) {
  AlphaBeta engine(SharedRulesOf(game.position.rules().definition().id), options);
  return engine.Search(game.position, game.history);
}

bool HasMateInOne(const Position& position) {
  for (const Move move : testing::SortedMoves(position)) {
    PlayedGame after(position);
    after.Play(move);
    if (after.outcome().result == Result::kLoss) return true;
  }
  return false;
}

// Plays the engine against itself until the mate that it has announced, which must not recede.
TEST(AlphaBetaTest, FindsMatesAndGivesThem) {
  for (const MatePosition& mate : testing::kMatePositions) {
    PlayedGame game(*ParseFen(RulesOf(mate.variant), mate.fen));
    AlphaBeta engine(SharedRulesOf(mate.variant), Nodes(60'000));
    int left = 0;
    for (int ply = 0; !game.outcome().is_over(); ++ply) {
      const AlphaBetaResult result = engine.Search(game.position, game.history);
      const int announced = ply % 2 == 0 ? result.mate_plies : -result.mate_plies;
      if (ply == 0) {
        ASSERT_GE(announced, mate.plies) << mate.variant << " " << mate.fen;
        left = announced;
      }
      ASSERT_GT(announced, 0) << mate.variant << " " << mate.fen;
      ASSERT_LE(announced, left) << mate.variant << " " << mate.fen;
      ASSERT_EQ(result.score, result.mate_plies > 0 ? kMateScore - result.mate_plies
                                                    : -kMateScore - result.mate_plies);
      game.Play(result.move);
      left = announced - 1;
    }
    EXPECT_EQ(game.outcome().result, Result::kLoss) << mate.variant << " " << mate.fen;
  }
}

TEST(AlphaBetaTest, FullWidthFindsTheShortestMate) {
  for (const MatePosition& mate : testing::kMatePositions) {
    if (mate.plies > 3) continue;
    const PlayedGame game(mate.variant, mate.fen);
    const AlphaBetaResult result = SearchGame(game, testing::ExactSearch(mate.plies, 2));
    EXPECT_EQ(result.mate_plies, mate.plies) << mate.variant << " " << mate.fen;
  }
}

// At a depth of 1 a mate in 1 is found, and none is seen where there is none.
TEST(AlphaBetaTest, QuiescenceKnowsCheckmate) {
  AlphaBetaOptions options = Nodes(1'000'000);
  options.max_depth = 1;
  int mates = 0;
  for (const std::string& variant : BuiltinVariantIds()) {
    AlphaBeta engine(SharedRulesOf(variant), options);
    Random random("mates " + variant, testing::FromEnvironment("CROSSRIVER_SEED", 1), 0);
    for (int i = 0; i < testing::FromEnvironment("CROSSRIVER_POSITIONS", 100); ++i) {
      const std::optional<Position> position = testing::RandomPosition(RulesOf(variant), &random);
      if (!position.has_value() || PlayedGame(*position).outcome().is_over()) continue;
      const bool mate = HasMateInOne(*position);
      const AlphaBetaResult result = engine.Search(*position, History(*position));
      ASSERT_LT(result.nodes, options.nodes) << FormatFen(*position);
      EXPECT_EQ(result.mate_plies == 1, mate) << FormatFen(*position);
      mates += mate ? 1 : 0;
    }
  }
  EXPECT_GT(mates, 5);
}

TEST(AlphaBetaTest, TheWinnerAvoidsRepetition) {
  for (const RepetitionCase& c : testing::kRepetitions) {
    const PlayedGame game(c.variant, c.fen, Cycles(c, 4 * (c.occurrences - 1) - 1));
    const Move drawing = game.Parse(c.cycle[3]);
    for (const int nodes : {200, 2'000, 20'000}) {
      const AlphaBetaResult result = SearchGame(game, Nodes(nodes));
      EXPECT_NE(result.move, drawing) << c.variant;
      EXPECT_GT(result.score, 0) << c.variant;
    }
  }
}

TEST(AlphaBetaTest, TheLoserTakesRepetition) {
  for (const RepetitionCase& c : testing::kRepetitions) {
    // The game begins a ply later than the cycle, so that the second player completes it.
    Position start = *ParseFen(RulesOf(c.variant), c.fen);
    start.Do(*ParseMove(start, c.cycle[0]));
    const std::string cycles = Cycles(c, 4 * (c.occurrences - 1));
    const PlayedGame game(c.variant, FormatFen(start), cycles.substr(cycles.find(' ') + 1));
    const Move drawing = game.Parse(c.cycle[0]);
    for (const int nodes : {200, 2'000, 20'000}) {
      const AlphaBetaResult result = SearchGame(game, Nodes(nodes));
      EXPECT_EQ(result.score, 0) << c.variant << " " << nodes;
      EXPECT_EQ(result.move, drawing) << c.variant << " " << nodes;
    }
  }
}

TEST(AlphaBetaTest, PerpetualCheckIsAvoidedByTheCheckerAndTakenByTheOther) {
  for (const RepetitionCase& c : testing::kPerpetualChecks) {
    const int plies = 4 * (c.occurrences - 1);  // that end the game
    const PlayedGame checker(c.variant, c.fen, Cycles(c, plies - 2));
    EXPECT_NE(SearchGame(checker, Nodes(3'000)).move, checker.Parse(c.cycle[2])) << c.variant;
    const PlayedGame other(c.variant, c.fen, Cycles(c, plies - 1));
    const AlphaBetaResult taken = SearchGame(other, Nodes(3'000));
    EXPECT_EQ(taken.move, other.Parse(c.cycle[3])) << c.variant;
    EXPECT_EQ(taken.mate_plies, 1) << c.variant;
  }
}

// A ply before the limit nothing but progress or mate is worth anything.
TEST(AlphaBetaTest, SeesTheNoProgressLimit) {
  const PlayedGame capture("xiangqi", "3k5/9/9/9/p8/9/9/9/R8/5K3 w 119 80");
  EXPECT_EQ(SearchGame(capture, Nodes(2'000)).move, capture.Parse("a2a6"));
  const PlayedGame none("xiangqi", "3k5/9/9/9/9/9/9/9/R8/5K3 w 119 80");
  EXPECT_EQ(SearchGame(none, Nodes(2'000)).score, 0);
}

TEST(AlphaBetaTest, AGameThatIsOver) {
  const PlayedGame mated("xiangqi", "R2k5/1R7/9/9/9/9/9/9/9/4K4 b 0 1");
  const AlphaBetaResult result = SearchGame(mated, Nodes(100));
  EXPECT_TRUE(result.move.is_null());
  EXPECT_EQ(result.score, -kMateScore);
  EXPECT_EQ(result.nodes, 0);
  const RepetitionCase& c = testing::kRepetitions[0];
  EXPECT_EQ(SearchGame(PlayedGame(c.variant, c.fen, Cycles(c, 8)), Nodes(100)).score, 0);
}

class AlphaBetaOfTest : public ::testing::TestWithParam<std::string> {};

// Also in positions that cannot arise, and whatever the limits.
TEST_P(AlphaBetaOfTest, MovesAreLegalAndNodesExact) {
  const Rules& rules = RulesOf(GetParam());
  Random random("legal " + GetParam(), testing::FromEnvironment("CROSSRIVER_SEED", 1), 0);
  const int wanted = testing::FromEnvironment("CROSSRIVER_POSITIONS", 40);
  std::vector<AlphaBeta> engines;
  const std::vector<int64_t> limits = {1, 2, 17, 300, 1500};
  for (const int64_t limit : limits) engines.emplace_back(SharedRulesOf(GetParam()), Nodes(limit));
  int stopped = 0;
  for (int searched = 0; searched < wanted; ++searched) {
    const std::optional<Position> position = testing::RandomPosition(rules, &random);
    if (!position.has_value() || PlayedGame(*position).outcome().is_over()) continue;
    const size_t i = random.Below(limits.size());
    const AlphaBetaResult result = engines[i].Search(*position, History(*position));
    ASSERT_TRUE(IsLegal(*position, result.move)) << FormatFen(*position);
    ASSERT_LE(result.nodes, limits[i]);
    // Less only where there is no more to know.
    if (result.nodes < limits[i]) {
      EXPECT_TRUE(result.mate_plies != 0 || result.depth == AlphaBetaOptions().max_depth);
    } else {
      ++stopped;
    }
    PlayedGame line(*position);
    for (const Move move : result.pv) {
      ASSERT_TRUE(IsLegal(line.position, move)) << FormatFen(*position);
      line.Play(move);
    }
  }
  EXPECT_GT(stopped, wanted / 4);
}

TEST_P(AlphaBetaOfTest, IsTheSameAgainAfterNewGame) {
  const Rules& rules = RulesOf(GetParam());
  AlphaBeta engine(SharedRulesOf(GetParam()), Nodes(1'000));
  const auto play = [&](uint64_t seed) {
    engine.NewGame();
    PlayedGame game = testing::RandomGame(rules, seed, 12);
    std::vector<Move> moves;
    for (int ply = 0; ply < 8 && !game.outcome().is_over(); ++ply) {
      moves.push_back(engine.Search(game.position, game.history).move);
      game.Play(moves.back());
    }
    return moves;
  };
  const std::vector<Move> first = play(1);
  play(2);
  EXPECT_EQ(play(1), first);
}

INSTANTIATE_TEST_SUITE_P(Variants, AlphaBetaOfTest, ::testing::ValuesIn(BuiltinVariantIds()),
                         [](const auto& variant) { return testing::TestName(variant.param); });

TEST(AlphaBetaPlayerTest, ChoosesAsTheEngineDoes) {
  const std::shared_ptr<const Rules> rules = SharedRulesOf("switchback");
  AlphaBetaPlayer player("alphabeta:1500", rules, Nodes(1'500));
  EXPECT_EQ(player.name(), "alphabeta:1500");
  EXPECT_EQ(player.evaluator(), nullptr);
  const std::unique_ptr<Seat> seat = player.NewSeat();
  AlphaBeta engine(rules, Nodes(1'500));
  const PlayedGame game = testing::RandomGame(*rules, 3, 20);
  const std::vector<Move> legal = testing::SortedMoves(game.position);
  const Position start = StartPosition(*rules);
  const Turn turn = {&start, {}, &game.position, &game.history, legal};
  for (const uint64_t seed : {1U, 2U}) {
    ASSERT_TRUE(seat->NewGame(seed).ok());
    engine.NewGame();
    ASSERT_TRUE(seat->Begin(turn).ok());
    ASSERT_EQ(*seat->Advance(), SeatState::kChosen);
    const AlphaBetaResult result = engine.Search(game.position, game.history);
    EXPECT_EQ(seat->choice().move, result.move);
    EXPECT_EQ(seat->choice().visits, 1'500);
    EXPECT_EQ(seat->choice().wdl, ScoreToWdl(result.score, result.mate_plies));
  }
}

TEST(AlphaBetaPlayerTest, ScoresAsProbabilities) {
  const Wdl even = ScoreToWdl(0, 0);
  EXPECT_FLOAT_EQ(even.win, even.loss);
  EXPECT_GT(even.draw, 0.1F);
  float last = 0;
  for (const int score : {-20'000, -500, -50, 0, 50, 500, 20'000}) {
    const Wdl wdl = ScoreToWdl(score, 0);
    EXPECT_GE(wdl.win, last);
    EXPECT_GE(wdl.draw, 0);
    EXPECT_NEAR(wdl.win + wdl.draw + wdl.loss, 1, 1e-6);
    last = wdl.win;
  }
  EXPECT_EQ(ScoreToWdl(kMateScore - 3, 3), (Wdl{1, 0, 0}));
  EXPECT_EQ(ScoreToWdl(-kMateScore + 2, -2), (Wdl{0, 0, 1}));
}

}  // namespace
}  // namespace crossriver
