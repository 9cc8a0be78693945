// Searches and moves of single games: full and cheap, temperature, forced moves, proofs, signs.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "core/notation.h"
#include "selfplay/game.h"
#include "tests/mcts/mate_positions.h"
#include "tests/mcts/search_helpers.h"
#include "tests/selfplay/selfplay_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::ArbitraryByCheckpoint;
using testing::CheckRecord;
using testing::FromArray;
using testing::PlayGame;
using testing::QuickOptions;
using testing::RulesOf;

// Starts for one position alone.
class OneStart {
 public:
  OneStart(const Rules& rules, const std::string& fen, const SelfPlayOptions& options)
      : pool_(1), options_(FromArray(options)), starts_(&rules, Restarting(&options_), &pool_) {
    GameRecord record;
    record.rules_hash = rules.hash();
    record.start_fen = fen;
    record.moves.resize(1);
    record.moves[0].visits = 1;
    pool_.Add(rules, record);
  }

  GameRecord Play(uint64_t seed, const testing::Judge& judge = ArbitraryByCheckpoint) {
    SelfPlayGame game(&starts_, &options_);
    return PlayGame(&game, {seed, seed, 0}, judge);
  }

 private:
  static const SelfPlayOptions& Restarting(SelfPlayOptions* options) {
    options->start_restart = 1;
    return *options;
  }

  StartPool pool_;
  SelfPlayOptions options_;
  StartMaker starts_;
};

// Root and raw values are the mover's, the result is the first player's.
TEST(SelfPlayGameTest, ValuesAreTheMovers) {
  const Rules& rules = RulesOf("shoxiang-xq-standard");
  SelfPlayOptions options = FromArray();
  options.resign_threshold = 0;
  const GameRecord record = PlayGame(rules, options, 1, testing::SecondLoses);
  const Position start = *ParseFen(rules, record.start_fen);
  ASSERT_EQ(start.side_to_move(), Side::kFirst);
  for (size_t ply = 0; ply < record.moves.size(); ++ply) {
    const RecordedMove& move = record.moves[ply];
    EXPECT_EQ(move.raw.win > 0.5F, ply % 2 == 0);
    const bool proven = move.root.win == 1 || move.root.loss == 1;
    if (ply < 20 && !proven) {
      EXPECT_EQ(move.root.win > 0.5F, ply % 2 == 0) << ply;
    }
  }
}

TEST(SelfPlayGameTest, PlayoutCapIsRandomised) {
  const Rules& rules = RulesOf("switchback");
  SelfPlayOptions options = FromArray();
  options.full_share = 0.3;
  options.resign_threshold = 0;
  int full = 0;
  int all = 0;
  for (uint64_t seed = 0; seed < 25; ++seed) {
    for (const RecordedMove& move : PlayGame(rules, options, seed).moves) {
      if (move.visits == 0 || move.root.win == 1 || move.root.loss == 1) continue;
      ++all;
      full += move.full ? 1 : 0;
      EXPECT_EQ(move.visits, move.full ? 10U : 4U);
    }
  }
  ASSERT_GT(all, 600);
  EXPECT_NEAR(static_cast<double>(full) / all, 0.3, 0.07);
}

// Without noise and temperature, games from the array are all the same; with temperature they part,
// by Gumbel in its first plies only.
TEST(SelfPlayGameTest, TemperatureMakesGamesDiffer) {
  const Rules& rules = RulesOf("switchback");
  for (const RootPolicy policy : {RootPolicy::kGumbel, RootPolicy::kPuct}) {
    SelfPlayOptions options = FromArray(QuickOptions(policy));
    options.full_share = 0;
    options.max_plies = 12;
    options.temperature_initial = options.temperature_final = 0;
    const auto moves_of = [&](uint64_t seed) {
      std::vector<Move> moves;
      for (const RecordedMove& move : PlayGame(rules, options, seed).moves) {
        moves.push_back(move.move);
      }
      return moves;
    };
    EXPECT_EQ(moves_of(1), moves_of(2));
    options.temperature_initial = options.temperature_final = 5;
    EXPECT_NE(moves_of(1), moves_of(2));
    options.temperature_plies = 0;
    EXPECT_EQ(moves_of(1) == moves_of(2), policy == RootPolicy::kGumbel);
  }
}

TEST(SelfPlayGameTest, OneLegalMoveNeedsNoSearch) {
  const Rules& rules = RulesOf("minishogi");
  SelfPlayOptions options = QuickOptions();
  int forced = 0;
  for (uint64_t seed = 0; seed < 15; ++seed) {
    for (const RecordedMove& move : PlayGame(rules, options, seed).moves) {
      if (move.visits > 0) continue;
      ++forced;
      EXPECT_FALSE(move.full);
      EXPECT_EQ(move.checkpoint, 0);
      EXPECT_NEAR(move.raw.win + move.raw.draw + move.raw.loss, 1, 1e-5);
    }
  }
  EXPECT_GE(forced, 5);
}

// Mates in one are found, proven and played, and the target is on mating moves alone.
TEST(SelfPlayGameTest, ProvenWinsArePlayed) {
  int wins = 0;
  for (const testing::MatePosition& mate : testing::kMatePositions) {
    if (mate.plies != 1) continue;
    SCOPED_TRACE(mate.fen);
    SelfPlayOptions options = QuickOptions();
    options.full_share = 1;
    options.full_visits = options.gumbel_sampled_moves = 300;
    options.resign_threshold = 0;
    const Rules& rules = RulesOf(mate.variant);
    OneStart start(rules, mate.fen, options);
    const GameRecord record = start.Play(1, [](int64_t, const EvaluationRequest& request) {
      return testing::ValueOnly(request, {0.2F, 0.3F, 0.5F});
    });
    CheckRecord(rules, options, record);
    ASSERT_EQ(record.start_kind, StartKind::kRestart);
    ASSERT_EQ(record.moves.size(), 1U);
    EXPECT_EQ(record.reason, Reason::kCheckmate);
    EXPECT_EQ(record.moves[0].root, (Wdl{1, 0, 0}));
    Position position = *ParseFen(rules, record.start_fen);
    EXPECT_EQ(record.result,
              position.side_to_move() == Side::kFirst ? Result::kWin : Result::kLoss);
    EXPECT_EQ(record.moves[0].policy.entries.front().move, record.moves[0].move);
    ++wins;
  }
  EXPECT_GE(wins, 8);
}

SearchResult ResultWith(std::vector<MoveResult> moves, Result proof) {
  SearchResult result;
  result.moves = std::move(moves);
  result.proof.result = proof;
  return result;
}

MoveResult MoveWith(float prior, float target, Result proof = Result::kNone) {
  MoveResult move;
  move.prior = prior;
  move.target = target;
  move.proof.result = proof;
  return move;
}

TEST(PolicyTargetTest, AWonRootHasWinningMovesOnly) {
  const auto result = ResultWith({MoveWith(0.1F, 0.2F, Result::kWin), MoveWith(0.5F, 0.2F),
                                  MoveWith(0.4F, 0.6F, Result::kWin)},
                                 Result::kWin);
  const std::vector<float> target = PolicyTarget(result);
  EXPECT_FLOAT_EQ(target[0], 0.25F);
  EXPECT_FLOAT_EQ(target[1], 0);
  EXPECT_FLOAT_EQ(target[2], 0.75F);
  // Nothing on the wins by the search's own account: all wins alike.
  const auto unseen = ResultWith(
      {MoveWith(0.5F, 1), MoveWith(0.25F, 0, Result::kWin), MoveWith(0.25F, 0, Result::kWin)},
      Result::kWin);
  EXPECT_EQ(PolicyTarget(unseen), (std::vector<float>{0, 0.5F, 0.5F}));
  const auto lost = ResultWith(
      {MoveWith(0.5F, 0.3F, Result::kLoss), MoveWith(0.5F, 0.7F, Result::kLoss)}, Result::kLoss);
  EXPECT_EQ(PolicyTarget(lost), (std::vector<float>{0.3F, 0.7F}));
}

TEST(PolicyTargetTest, SurpriseIsTheDivergenceFromThePrior) {
  const auto result =
      ResultWith({MoveWith(0.25F, 0.5F), MoveWith(0.25F, 0.5F), MoveWith(0.5F, 0)}, Result::kNone);
  EXPECT_NEAR(Surprise(result, PolicyTarget(result)), std::log(2.0), 1e-6);
  const auto same = ResultWith({MoveWith(0.25F, 0.25F), MoveWith(0.75F, 0.75F)}, Result::kNone);
  EXPECT_NEAR(Surprise(same, PolicyTarget(same)), 0, 1e-6);
}

// With temperature 1 moves are played as often as the target says; with 1/2, as its square.
TEST(SelfPlayGameTest, MovesAreDrawnFromTheVisits) {
  const Rules& rules = RulesOf("minishogi");
  SelfPlayOptions options = FromArray(QuickOptions(RootPolicy::kPuct));
  options.full_share = 1;
  options.full_visits = 60;
  options.puct_noise_share = options.puct_forced_playouts = 0;
  options.max_plies = 1;
  for (const double temperature : {1.0, 0.5}) {
    options.temperature_initial = options.temperature_final = temperature;
    std::map<Move, int> played;
    GameRecord record;
    for (uint64_t seed = 0; seed < 500; ++seed) {
      record = PlayGame(rules, options, seed, [](int64_t, const EvaluationRequest& request) {
        return testing::ValueOnly(request, ArbitraryByCheckpoint(0, request).wdl);
      });
      ++played[record.moves[0].move];
    }
    std::map<Move, double> expected;
    double sum = 0;
    for (const SparsePolicy::Entry& entry : record.moves[0].policy.entries) {
      sum += expected[entry.move] = std::pow(entry.share / 65535.0, 1 / temperature);
    }
    ASSERT_GE(expected.size(), 5U);
    for (const auto& [move, weight] : expected) {
      EXPECT_NEAR(played[move] / 500.0, weight / sum, 0.07) << FormatMove(rules, move);
    }
  }
}

}  // namespace
}  // namespace crossriver
