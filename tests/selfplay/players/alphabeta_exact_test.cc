// The search against plain minimax: with everything selective switched off, both have one score.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/movegen.h"
#include "core/notation.h"
#include "core/variant_loader.h"
#include "selfplay/players/alphabeta.h"
#include "selfplay/players/position_score.h"
#include "tests/mcts/repetition_positions.h"
#include "tests/random_positions.h"
#include "tests/random_variant.h"
#include "tests/selfplay/players/alphabeta_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::Cycles;
using testing::ExactSearch;
using testing::PlayedGame;
using testing::Random;
using testing::RepetitionCase;
using testing::SharedRulesOf;

constexpr int64_t kMostNodes = 40'000;

// Plays out every line, without bounds, table or order.
class Minimax {
 public:
  Minimax(const PieceValues& values, const PlayedGame& game, int quiescence_plies)
      : values_(values), game_(game), quiescence_plies_(quiescence_plies) {}

  // After too many positions; scores mean nothing then.
  bool gave_up() const { return nodes_ > kMostNodes; }

  int Search(int depth) {
    if (GivesUp()) return 0;
    const std::vector<Move> moves = testing::SortedMoves(game_.position);
    if (const std::optional<int> score = Ended(moves)) return *score;
    if (depth == 0) return Quiesce(0, moves);
    int best = -kMateScore;
    for (const Move move : moves) {
      best = std::max(best, SearchAfter(move, depth));
    }
    return best;
  }
  // Of one move, for the side that makes it.
  int SearchAfter(Move move, int depth) {
    return After(move, [&] { return Search(depth - 1); });
  }

 private:
  std::optional<int> Ended(const std::vector<Move>& moves) const {
    const Outcome outcome = Adjudicate(game_.position, game_.history, !moves.empty());
    switch (outcome.result) {
      case Result::kNone:
        return std::nullopt;
      case Result::kDraw:
        return 0;
      case Result::kWin:
        return kMateScore - ply_;
      case Result::kLoss:
        break;
    }
    return -kMateScore + ply_;
  }

  bool GivesUp() { return ++nodes_ > kMostNodes; }

  int Quiesce(int plies, const std::vector<Move>& moves) {
    const bool in_check = game_.history.in_check();
    const int standing =
        ScorePosition(values_, game_.position, CountTotals(values_, game_.position));
    if (plies == quiescence_plies_) return standing;
    int best = in_check ? -kMateScore : standing;
    for (const Move move : moves) {
      const bool captures = !move.is_drop() && (game_.position.piece_at(move.to()) != kNoPiece ||
                                                game_.position.DisplacedCell(move) != kNoCell);
      if (!in_check && !captures && !move.promotes()) continue;
      best = std::max(best, After(move, [&] {
                        if (GivesUp()) return 0;
                        const std::vector<Move> replies = testing::SortedMoves(game_.position);
                        const std::optional<int> score = Ended(replies);
                        return score.has_value() ? *score : Quiesce(plies + 1, replies);
                      }));
    }
    return best;
  }

  template <typename Score>
  int After(Move move, Score score) {
    const UndoRecord undo = game_.position.Do(move);
    game_.history.Push(game_.position, undo);
    ++ply_;
    const int result = -score();
    --ply_;
    game_.history.Pop();
    game_.position.Undo(move, undo);
    return result;
  }

  const PieceValues& values_;
  PlayedGame game_;
  const int quiescence_plies_;
  int ply_ = 0;
  int64_t nodes_ = 0;
};

// How deep minimax can look in little time.
int DepthFor(size_t moves) { return moves <= 12 ? 3 : moves <= 45 ? 2 : 1; }

// False where minimax takes too long.
bool ExpectMinimax(AlphaBeta* engine, const PlayedGame& game, int depth, int quiescence_plies) {
  const PieceValues values(game.position.rules());
  Minimax minimax(values, game, quiescence_plies);
  const int score = minimax.Search(depth);
  if (minimax.gave_up()) return false;
  const AlphaBetaResult result = engine->Search(game.position, game.history);
  EXPECT_EQ(result.score, score) << FormatFen(game.position);
  // The line is legal, and its first move has this score.
  EXPECT_EQ(result.pv.front(), result.move);
  PlayedGame line = game;
  for (const Move move : result.pv) {
    EXPECT_TRUE(IsLegal(line.position, move)) << FormatFen(game.position);
    line.Play(move);
  }
  Minimax once_more(values, game, quiescence_plies);
  EXPECT_EQ(once_more.SearchAfter(result.move, depth), score) << FormatFen(game.position);
  return true;
}

class AlphaBetaExactTest : public ::testing::TestWithParam<std::string> {};

TEST_P(AlphaBetaExactTest, EqualsMinimax) {
  const auto rules = SharedRulesOf(GetParam());
  const int wanted = testing::FromEnvironment("CROSSRIVER_POSITIONS", 8);
  Random random("minimax " + GetParam(), testing::FromEnvironment("CROSSRIVER_SEED", 1), 0);
  for (int compared = 0; compared < wanted;) {
    const std::optional<Position> position = testing::RandomPosition(*rules, &random);
    if (!position.has_value()) continue;
    const PlayedGame game(*position);
    if (game.outcome().is_over()) continue;
    const int depth = DepthFor(testing::SortedMoves(*position).size());
    const int quiescence_plies = random.Between(0, 2);
    AlphaBeta engine(rules, ExactSearch(depth, quiescence_plies));
    if (ExpectMinimax(&engine, game, depth, quiescence_plies)) ++compared;
  }
}

// One engine with a table, kept from position to position, and one without.
TEST_P(AlphaBetaExactTest, TheTableChangesNothing) {
  const auto rules = SharedRulesOf(GetParam());
  const int depth = 3;
  AlphaBetaOptions options = ExactSearch(depth, 4);
  options.table_bytes = size_t{1} << 16;  // small, so that entries are replaced
  AlphaBeta with(rules, options);
  options.table_bytes = 0;
  AlphaBeta without(rules, options);
  Random random("table " + GetParam(), testing::FromEnvironment("CROSSRIVER_SEED", 1), 0);
  const int wanted = testing::FromEnvironment("CROSSRIVER_POSITIONS", 6);
  int64_t nodes_with = 0;
  int64_t nodes_without = 0;
  for (int compared = 0; compared < wanted;) {
    const std::optional<Position> position = testing::RandomPosition(*rules, &random);
    if (!position.has_value() || CountLegalMoves(*position) > 60) continue;
    const History history(*position);
    const AlphaBetaResult a = with.Search(*position, history);
    const AlphaBetaResult b = without.Search(*position, history);
    ASSERT_EQ(a.score, b.score) << FormatFen(*position);
    nodes_with += a.nodes;
    nodes_without += b.nodes;
    ++compared;
  }
  EXPECT_NE(nodes_with, nodes_without);  // it is used
}

// Boards, pieces and rules that nobody has thought of.
TEST(AlphaBetaTest, EqualsMinimaxInRandomVariants) {
  int compared = 0;
  for (int i = 0; i < testing::FromEnvironment("CROSSRIVER_VARIANTS", 60); ++i) {
    Random random("alphabeta variant", testing::FromEnvironment("CROSSRIVER_SEED", 1), i);
    const std::string text = testing::RandomVariantText(&random);
    SCOPED_TRACE(text);
    const auto rules = LoadVariant({"random", "random.toml", text}, [](absl::string_view name) {
      return absl::NotFoundError(name);
    });
    if (!rules.ok()) continue;
    for (int j = 0; j < 4; ++j) {
      const std::optional<Position> position = testing::RandomPosition(**rules, &random);
      if (!position.has_value() || PlayedGame(*position).outcome().is_over()) continue;
      AlphaBeta selective(*rules, AlphaBetaOptions{.nodes = 500});
      const AlphaBetaResult result = selective.Search(*position, History(*position));
      EXPECT_TRUE(IsLegal(*position, result.move)) << FormatFen(*position);
      const int depth = DepthFor(testing::SortedMoves(*position).size());
      AlphaBeta exact(*rules, ExactSearch(depth, 1));
      if (ExpectMinimax(&exact, PlayedGame(*position), depth, 1)) ++compared;
    }
  }
  EXPECT_GT(compared, 20);
}

INSTANTIATE_TEST_SUITE_P(Variants, AlphaBetaExactTest, ::testing::ValuesIn(BuiltinVariantIds()),
                         [](const auto& variant) { return testing::TestName(variant.param); });

// Along games that repeat positions, the rules' own judgement is found at each depth.
TEST(AlphaBetaTest, EqualsMinimaxWhereGamesRepeat) {
  std::vector<RepetitionCase> cases(std::begin(testing::kRepetitions),
                                    std::end(testing::kRepetitions));
  cases.insert(cases.end(), std::begin(testing::kPerpetualChecks),
               std::end(testing::kPerpetualChecks));
  for (const RepetitionCase& c : cases) {
    for (int before_end = 1; before_end <= 3; ++before_end) {
      const PlayedGame game(c.variant, c.fen, Cycles(c, 4 * (c.occurrences - 1) - before_end));
      for (int depth = 1; depth <= 3; ++depth) {
        AlphaBeta engine(SharedRulesOf(c.variant), ExactSearch(depth, 2));
        EXPECT_TRUE(ExpectMinimax(&engine, game, depth, 2));
      }
    }
  }
}

}  // namespace
}  // namespace crossriver
