// The alpha-beta engine against a player that moves at random.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "core/notation.h"
#include "core/variant_loader.h"
#include "mcts/random.h"
#include "selfplay/players/alphabeta.h"
#include "tests/selfplay/players/alphabeta_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::PlayedGame;
using testing::RulesOf;
using testing::SharedRulesOf;

constexpr int kMaxPlies = 400;
constexpr int kOpeningPlies = 4;

struct Tally {
  int wins = 0;
  int losses = 0;
  int longest = 0;
  std::map<std::string, int> draws;  // by reason

  std::string Text() const {
    std::string text = std::to_string(wins) + " won, " + std::to_string(losses) +
                       " lost, longest " + std::to_string(longest) + " plies, draws:";
    for (const auto& [reason, count] : draws) text += " " + reason + " " + std::to_string(count);
    return text;
  }
};

// One game from a random opening; `seed` decides all that is random.
void PlayRandom(AlphaBeta* engine, const Rules& rules, Side side, uint64_t seed, Tally* tally) {
  PlayedGame game = testing::RandomGame(rules, seed, kOpeningPlies);
  RandomStream random(seed);
  engine->NewGame();
  int ply = 0;
  while (ply < kMaxPlies && !game.outcome().is_over()) {
    if (game.position.side_to_move() == side) {
      game.Play(engine->Search(game.position, game.history).move);
    } else {
      const std::vector<Move> moves = testing::SortedMoves(game.position);
      game.Play(moves[random.Below(moves.size())]);
    }
    ++ply;
  }
  tally->longest = std::max(tally->longest, ply);
  const Outcome outcome = game.outcome();
  if (!outcome.is_over()) {
    ++tally->draws["max_plies"];
  } else if (outcome.result == Result::kDraw) {
    ++tally->draws[std::string(ToString(outcome.reason))];
  } else if ((outcome.result == Result::kWin) == (game.position.side_to_move() == side)) {
    ++tally->wins;
  } else {
    ++tally->losses;
  }
}

class AlphaBetaMatchTest : public ::testing::TestWithParam<std::string> {};

// More games and nodes: CROSSRIVER_GAMES and CROSSRIVER_NODES.
TEST_P(AlphaBetaMatchTest, BeatsRandomMoves) {
  AlphaBetaOptions options;
  options.nodes = testing::FromEnvironment("CROSSRIVER_NODES", 500);
  const int games = testing::FromEnvironment("CROSSRIVER_GAMES", 6);
  const int seed = testing::FromEnvironment("CROSSRIVER_SEED", 1);
  AlphaBeta engine(SharedRulesOf(GetParam()), options);
  Tally tally;
  for (int game = 0; game < games; ++game) {
    PlayRandom(&engine, RulesOf(GetParam()), kSides[game % kNumSides],
               static_cast<uint64_t>(seed * games + game), &tally);
  }
  RecordProperty("tally", tally.Text());
  EXPECT_EQ(tally.losses, 0) << tally.Text();
  EXPECT_GE(tally.wins * 100, games * 97) << tally.Text();
}

INSTANTIATE_TEST_SUITE_P(Variants, AlphaBetaMatchTest, ::testing::ValuesIn(BuiltinVariantIds()),
                         [](const auto& variant) { return testing::TestName(variant.param); });

}  // namespace
}  // namespace crossriver
