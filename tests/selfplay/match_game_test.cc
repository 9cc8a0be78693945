// One game of a match: how it ends, what players can do wrong, what is recorded.
#include "selfplay/match_game.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/movegen.h"
#include "core/notation.h"
#include "selfplay/game_text.h"
#include "tests/selfplay/match_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::FunctionPlayer;
using ::testing::HasSubstr;
using testing::Opinionated;
using testing::RandomMove;
using testing::RandomMover;
using testing::RulesOf;

MatchTicket Ticket(const Rules& rules, int half = 0, uint64_t seed = 1) {
  RandomOpeningOptions options;
  options.plies = 5;  // so that the second player is to move
  MatchOpenings openings(&rules, options);
  return {7, half, seed, openings.ForPair(0)};
}

MatchGameRecord Play(const Rules& rules, const MatchGameLimits& limits, Player* a, Player* b,
                     const MatchTicket& ticket) {
  MatchGame game(&rules, &limits, {a, b});
  game.Begin(ticket);
  while (game.Advance() != MatchGame::State::kOver) {
  }
  MatchGameRecord record = game.Take();
  // Whatever has ended it, it can be replayed.
  const auto text = FormatGameText(rules, record.record);
  EXPECT_TRUE(text.ok()) << text.status();
  EXPECT_EQ(record.record.moves.size(), static_cast<size_t>(record.result.plies));
  return record;
}

TEST(MatchGameTest, RulesEndIt) {
  const Rules& rules = RulesOf("minishogi");
  int decided = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    for (const int half : {0, 1}) {
      FunctionPlayer random = RandomMover();
      const MatchTicket ticket = Ticket(rules, half, seed);
      const MatchGameRecord game = Play(rules, {}, &random, &random, ticket);
      EXPECT_EQ(game.result.pair, 7);
      EXPECT_EQ(game.result.half, half);
      EXPECT_EQ(game.result.opening_plies, 5);
      EXPECT_EQ(game.record.start_kind, StartKind::kOpening);
      EXPECT_EQ(game.record.start_fen, FormatFen(StartPosition(rules)));
      for (size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(game.record.moves[i].move, ticket.opening.moves[i]);
      }
      if (game.record.result == Result::kDraw) continue;
      ++decided;
      const bool first_won = game.record.result == Result::kWin;
      EXPECT_EQ(game.result.result == Result::kWin, first_won == (half == 0));
    }
  }
  EXPECT_GT(decided, 10);
}

TEST(MatchGameTest, TheSeedDecides) {
  const Rules& rules = RulesOf("minishogi");
  FunctionPlayer random = RandomMover();
  const auto moves = [&](uint64_t seed) {
    return Play(rules, {}, &random, &random, Ticket(rules, 0, seed)).record;
  };
  EXPECT_EQ(moves(3), moves(3));
  EXPECT_NE(moves(3).moves, moves(4).moves);
}

TEST(MatchGameTest, ALimitIsADraw) {
  const Rules& rules = RulesOf("switchback");
  FunctionPlayer random = RandomMover();
  MatchGameLimits limits;
  limits.max_plies = 12;
  MatchGameRecord game = Play(rules, limits, &random, &random, Ticket(rules));
  EXPECT_EQ(game.result.end, kEndLimit);
  EXPECT_EQ(game.result.result, Result::kDraw);
  EXPECT_EQ(game.result.plies, 12);
  EXPECT_TRUE(game.record.truncated);
  // The opening is as long.
  limits.max_plies = 3;
  game = Play(rules, limits, &random, &random, Ticket(rules));
  EXPECT_EQ(game.result.end, kEndLimit);
  EXPECT_EQ(game.result.plies, 5);
}

// Where both see A losing, with A as either side.
TEST(MatchGameTest, BothAgreeThatOneHasLost) {
  const Rules& rules = RulesOf("switchback");
  MatchGameLimits limits;
  limits.resign_below = 0.1;
  limits.resign_moves = 4;
  const Wdl losing = {0.02F, 0.1F, 0.88F};
  const Wdl winning = {0.9F, 0.05F, 0.05F};
  for (const int half : {0, 1}) {
    FunctionPlayer a = Opinionated(losing), b = Opinionated(winning);
    const MatchGameRecord game = Play(rules, limits, &a, &b, Ticket(rules, half));
    EXPECT_EQ(game.result.end, kEndResignation);
    EXPECT_EQ(game.result.result, Result::kLoss);
    EXPECT_EQ(game.result.plies, 5 + 8);
    EXPECT_TRUE(game.record.resigned);
    EXPECT_EQ(game.record.result, half == 0 ? Result::kLoss : Result::kWin);
  }
}

TEST(MatchGameTest, OneAloneDoesNotDecide) {
  const Rules& rules = RulesOf("switchback");
  MatchGameLimits limits;
  limits.max_plies = 60;
  limits.resign_below = 0.1;
  limits.draw_within = 0.05;
  limits.draw_after_ply = 0;
  FunctionPlayer winning = Opinionated({1, 0, 0}), other = Opinionated({1, 0, 0});
  FunctionPlayer even = Opinionated({0.1F, 0.8F, 0.1F}), losing = Opinionated({0, 0, 1});
  FunctionPlayer silent = RandomMover();
  const std::pair<Player*, Player*> pairs[] = {{&winning, &other}, {&losing, &even},
                                               {&even, &winning},  {&even, &silent},
                                               {&silent, &losing}, {&silent, &silent}};
  for (const auto& [a, b] : pairs) {
    EXPECT_EQ(Play(rules, limits, a, b, Ticket(rules)).result.end, kEndLimit);
  }
}

TEST(MatchGameTest, BothAgreeToADraw) {
  const Rules& rules = RulesOf("switchback");
  MatchGameLimits limits;
  limits.draw_within = 0.05;
  limits.draw_moves = 3;
  limits.draw_after_ply = 30;
  FunctionPlayer a = Opinionated({0.5F, 0.06F, 0.44F}), b = Opinionated({0, 1, 0});
  MatchGameRecord game = Play(rules, limits, &a, &b, Ticket(rules));
  EXPECT_EQ(game.result.end, kEndAgreedDraw);
  EXPECT_EQ(game.result.result, Result::kDraw);
  EXPECT_EQ(game.result.plies, 30);
  limits.draw_after_ply = 0;
  game = Play(rules, limits, &a, &b, Ticket(rules));
  EXPECT_EQ(game.result.plies, 5 + 6);
}

TEST(MatchGameTest, OpinionsAreRecorded) {
  const Rules& rules = RulesOf("switchback");
  MatchGameLimits limits;
  limits.max_plies = 20;
  FunctionPlayer a = Opinionated({0.5F, 0.25F, 0.25F}, int64_t{1} << 40);
  FunctionPlayer b = RandomMover();
  const MatchGameRecord game = Play(rules, limits, &a, &b, Ticket(rules));
  // A has the first player's side, who moves at even plies.
  for (size_t ply = 0; ply < 20; ++ply) {
    const bool of_a = ply >= 5 && ply % 2 == 0;
    EXPECT_EQ(game.record.moves[ply].visits, of_a ? 0xFFFFFFFF : 0) << ply;
    EXPECT_EQ(game.record.moves[ply].root.win, of_a ? 0.5F : 0) << ply;
    EXPECT_EQ(game.record.moves[ply].checkpoint, kNoCheckpoint);
  }
}

// Misbehaves as it is told to, from its third move of a game on.
class BadSeat : public Seat {
 public:
  enum class Fault : uint8_t { kNewGame, kBegin, kAdvance, kNullMove, kIllegal, kNoMove };
  explicit BadSeat(Fault fault) : fault_(fault) {}

  absl::Status NewGame(uint64_t /*seed*/) override {
    moves_ = 0;
    return fault_ == Fault::kNewGame ? absl::UnavailableError("does not start") : absl::OkStatus();
  }
  absl::Status Begin(const Turn& turn) override {
    turn_ = turn;
    bad_ = ++moves_ == 3;
    return bad_ && fault_ == Fault::kBegin ? absl::UnavailableError("has crashed\n\x01")
                                           : absl::OkStatus();
  }
  absl::StatusOr<SeatState> Advance() override {
    if (bad_ && fault_ == Fault::kAdvance) return absl::DeadlineExceededError("no answer in 5 s");
    return SeatState::kChosen;
  }
  Choice choice() const override {
    Choice choice;
    choice.move = turn_.legal[0];
    if (!bad_) return choice;
    if (fault_ == Fault::kNullMove) choice.move = Move();
    if (fault_ == Fault::kNoMove) choice.move = Move::FromRaw(0xFFFF);
    if (fault_ == Fault::kIllegal) {
      const Cell cell = turn_.position->royal(turn_.position->side_to_move());
      choice.move = Move::Board(cell, cell, false);
    }
    return choice;
  }

 private:
  const Fault fault_;
  Turn turn_;
  int moves_ = 0;
  bool bad_ = false;
};

class BadPlayer : public Player {
 public:
  explicit BadPlayer(BadSeat::Fault fault) : fault_(fault) {}
  const std::string& name() const override { return name_; }
  std::unique_ptr<Seat> NewSeat() override { return std::make_unique<BadSeat>(fault_); }

 private:
  const BadSeat::Fault fault_;
  const std::string name_ = "bad";
};

TEST(MatchGameTest, FaultsCostTheGame) {
  const Rules& rules = RulesOf("switchback");
  const struct {
    BadSeat::Fault fault;
    std::string why;
    int own_moves;
  } cases[] = {
      {BadSeat::Fault::kNewGame, "does not start", 0},
      {BadSeat::Fault::kBegin, "has crashed\\x0a\\x01", 2},
      {BadSeat::Fault::kAdvance, "no answer in 5 s", 2},
      {BadSeat::Fault::kNullMove, "illegal move a1a1 in ", 2},
      {BadSeat::Fault::kNoMove, "illegal move number 65535 in ", 2},
      {BadSeat::Fault::kIllegal, "illegal move ", 2},
  };
  for (const auto& [fault, why, own_moves] : cases) {
    for (const int half : {0, 1}) {
      BadPlayer bad(fault);
      FunctionPlayer random = RandomMover();
      MatchGameLimits limits;
      MatchGame match_game(&rules, &limits, {&random, &bad});
      // The seat is used again after its fault.
      for (int round = 0; round < 2; ++round) {
        match_game.Begin(Ticket(rules, half));
        while (match_game.Advance() != MatchGame::State::kOver) {
        }
        const MatchGameRecord game = match_game.Take();
        EXPECT_EQ(game.result.end, kEndForfeit);
        EXPECT_EQ(game.result.result, Result::kWin) << why;
        EXPECT_THAT(game.result.fault, HasSubstr(why));
        EXPECT_EQ(game.record.result, half == 0 ? Result::kWin : Result::kLoss);
        EXPECT_TRUE(FormatGameText(rules, game.record).ok());
        // The second player moves first after five plies; B is the second in half 0.
        const int bad_moves = (game.result.plies - 5 + (half == 0 ? 1 : 0)) / 2;
        EXPECT_EQ(bad_moves, own_moves) << why;
      }
    }
  }
}

TEST(MatchGameTest, PlayersCanResign) {
  const Rules& rules = RulesOf("switchback");
  FunctionPlayer random = RandomMover();
  FunctionPlayer resigns([](const Turn& turn, RandomStream* stream) -> absl::StatusOr<Choice> {
    if (turn.moves.size() > 20) return absl::AbortedError("resigns");
    return RandomMove(turn, stream);
  });
  const MatchGameRecord game = Play(rules, {}, &random, &resigns, Ticket(rules));
  EXPECT_EQ(game.result.end, kEndResignation);
  EXPECT_EQ(game.result.fault, "");
  EXPECT_EQ(game.result.result, Result::kWin);
}

// Both can't begin: the one whose turn it is loses.
TEST(MatchGameTest, BothAreAtFault) {
  const Rules& rules = RulesOf("switchback");
  BadPlayer a(BadSeat::Fault::kNewGame), b(BadSeat::Fault::kNewGame);
  EXPECT_EQ(Play(rules, {}, &a, &b, Ticket(rules, 0)).result.result, Result::kWin);
  EXPECT_EQ(Play(rules, {}, &a, &b, Ticket(rules, 1)).result.result, Result::kLoss);
}

TEST(MatchGameTest, CanBeDroppedAnywhere) {
  const Rules& rules = RulesOf("switchback");
  testing::CountingEvaluator evaluator;
  testing::AskingPlayer asking(3, 1, &evaluator);
  const MatchGameLimits limits;
  MatchGame game(&rules, &limits, {&asking, &asking});
  for (int steps = 0; steps < 12; ++steps) {
    game.Begin(Ticket(rules));
    for (int i = 0; i < steps; ++i) {
      if (game.Advance() != MatchGame::State::kAsking) continue;
      EXPECT_EQ(game.Advance(), MatchGame::State::kAsking);
      if (i % 5 == 4) break;
      Evaluation evaluation;
      const EvaluationRequest request = game.request();
      ASSERT_TRUE(evaluator.Evaluate({&request, 1}, {&evaluation, 1}).ok());
      game.Deliver(evaluation);
    }
    game.Cancel();
    EXPECT_EQ(game.Advance(), MatchGame::State::kOver);
  }
}

}  // namespace
}  // namespace crossriver
