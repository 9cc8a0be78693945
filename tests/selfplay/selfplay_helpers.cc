#include "tests/selfplay/selfplay_helpers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "core/movegen.h"
#include "core/notation.h"
#include "mcts/random.h"

namespace crossriver::testing {
namespace {

class JudgeEvaluator : public Evaluator {
 public:
  JudgeEvaluator(FakeWeights* weights, int64_t checkpoint)
      : weights_(*weights), checkpoint_(checkpoint) {}

  absl::Status Evaluate(std::span<const EvaluationRequest> requests,
                        std::span<Evaluation> results) override {
    const int64_t calls = ++weights_.calls;
    if (weights_.failing_calls > 0) {
      --weights_.failing_calls;
      return absl::UnavailableError("the evaluator has gone");
    }
    for (size_t i = 0; i < requests.size(); ++i) {
      results[i] = weights_.judge(checkpoint_, requests[i]);
    }
    if (weights_.newest_every > 0 && calls % weights_.newest_every == 0) ++weights_.newest;
    return absl::OkStatus();
  }
  uint64_t id() const override { return static_cast<uint64_t>(checkpoint_); }

 private:
  FakeWeights& weights_;
  const int64_t checkpoint_;
};

double SumOf(const Wdl& wdl) {
  return static_cast<double>(wdl.win) + static_cast<double>(wdl.draw) +
         static_cast<double>(wdl.loss);
}

void CheckMove(const RecordedMove& move, const SelfPlayOptions& options,
               const std::vector<Move>& legal) {
  EXPECT_NEAR(SumOf(move.root), 1, 1e-4);
  EXPECT_NEAR(SumOf(move.raw), 1, 1e-4);
  EXPECT_GE(move.surprise, 0);
  EXPECT_EQ(move.full, !move.policy.empty());
  const bool proven = move.root.win == 1 || move.root.draw == 1 || move.root.loss == 1;
  EXPECT_LE(move.visits, static_cast<uint32_t>(SearchVisits(options, move.full)));
  if (legal.size() == 1) {
    EXPECT_EQ(move.visits, 0U);
    EXPECT_EQ(move.root, move.raw);
  } else if (move.visits == 0) {
    EXPECT_TRUE(options.tree_reuse && proven);
  }
  if (!move.full) {
    EXPECT_EQ(move.surprise, 0);
    return;
  }
  float sum = 0;
  for (const float share : ExpandPolicy(move.policy, legal)) {
    EXPECT_GE(share, 0);
    sum += share;
  }
  EXPECT_NEAR(sum, 1, 1e-3);
}

// The end of a game that has come to `position`.
void CheckEnd(const GameRecord& record, const Position& position, const Outcome& outcome) {
  Result result = outcome.result;
  if (position.side_to_move() == Side::kSecond && result != Result::kDraw) {
    result = result == Result::kWin    ? Result::kLoss
             : result == Result::kLoss ? Result::kWin
                                       : result;
  }
  const bool cut =
      (record.max_plies > 0 && static_cast<int>(record.moves.size()) >= record.max_plies) ||
      (record.no_progress_limit > 0 && position.no_progress() >= record.no_progress_limit);
  if (record.resigned) {
    EXPECT_FALSE(outcome.is_over());
    EXPECT_EQ(record.result,
              position.side_to_move() == Side::kFirst ? Result::kLoss : Result::kWin);
    EXPECT_EQ(record.reason, Reason::kNone);
  } else {
    EXPECT_EQ(record.result, result);
    EXPECT_EQ(record.reason, outcome.reason);
    EXPECT_NE(record.truncated, outcome.is_over());
    if (record.truncated) {
      EXPECT_TRUE(cut);
    }
  }
  if (record.truncated) {
    EXPECT_EQ(record.result, Result::kNone);
  }
}

}  // namespace

absl::Status ListSink::Put(const GameRecord& record) {
  MutexLock lock(&mutex_);
  if (refusals > 0) {
    --refusals;
    return absl::ResourceExhaustedError("the disk is full");
  }
  records_.push_back(record);
  return absl::OkStatus();
}

std::vector<GameRecord> ListSink::records() const {
  MutexLock lock(&mutex_);
  std::vector<GameRecord> sorted = records_;
  std::sort(sorted.begin(), sorted.end(),
            [](const GameRecord& a, const GameRecord& b) { return a.id < b.id; });
  return sorted;
}

size_t ListSink::size() const {
  MutexLock lock(&mutex_);
  return records_.size();
}

Evaluation ArbitraryByCheckpoint(int64_t checkpoint, const EvaluationRequest& request) {
  Evaluation evaluation = ArbitraryEvaluation(request);
  RandomStream random(request.position->key() + static_cast<uint64_t>(checkpoint));
  const auto win = static_cast<float>(random.Uniform());
  const float draw = (1 - win) * static_cast<float>(random.Uniform());
  evaluation.wdl = {win, draw, 1 - win - draw};
  return evaluation;
}

absl::StatusOr<std::unique_ptr<Evaluator>> FakeWeights::NewEvaluator(int64_t checkpoint) {
  ++loads;
  if (failing_loads > 0) {
    --failing_loads;
    return absl::NotFoundError("no such checkpoint");
  }
  return std::unique_ptr<Evaluator>(new JudgeEvaluator(this, checkpoint));
}

Evaluation SecondLoses(int64_t, const EvaluationRequest& request) {
  const bool first = request.position->side_to_move() == Side::kFirst;
  return ValueOnly(request, first ? Wdl{0.97F, 0.02F, 0.01F} : Wdl{0.01F, 0.02F, 0.97F});
}

SelfPlayOptions QuickOptions(RootPolicy policy) {
  SelfPlayOptions options;
  options.root_policy = policy;
  options.games = 4;
  options.full_visits = 10;
  options.cheap_visits = 4;
  options.gumbel_sampled_moves = 4;
  options.tree_kbytes = 512;
  options.tree_reuse = policy == RootPolicy::kPuct;
  options.draw_score = policy == RootPolicy::kPuct ? 0.4 : 0.5;
  options.max_plies = 40;
  options.start_random_plies = 0.2;
  options.start_policy = 0.2;
  options.start_restart = 0.2;
  options.start_army = 0.2;
  options.resign_min_ply = 10;
  options.resign_threshold = 0.1;
  options.resign_moves = 2;
  options.resign_played_out = 0.5;
  return options;
}

SelfPlayOptions FromArray(SelfPlayOptions options) {
  options.start_random_plies = options.start_policy = options.start_restart = options.start_army =
      0;
  return options;
}

GameRecord PlayGame(SelfPlayGame* game, const GameTicket& ticket, const Judge& judge) {
  game->Begin(ticket);
  while (game->state() != SelfPlayGame::State::kOver) {
    if (game->state() == SelfPlayGame::State::kBetweenMoves) {
      game->BeginMove(ticket.checkpoint);
    } else {
      game->Deliver(judge(ticket.checkpoint, game->request()));
    }
  }
  return game->record();
}

GameRecord PlayGame(const Rules& rules, const SelfPlayOptions& options, uint64_t seed,
                    const Judge& judge) {
  const StartMaker starts(&rules, options, nullptr);
  SelfPlayGame game(&starts, &options);
  return PlayGame(&game, {seed, seed, 0}, judge);
}

void CheckRecord(const Rules& rules, const SelfPlayOptions& options, const GameRecord& record) {
  const absl::Status replayed = ReplayRecord(
      rules, record,
      [](int, const Position&, const History&, std::span<const Move>) { return true; });
  EXPECT_TRUE(replayed.ok()) << replayed;
  SCOPED_TRACE("game " + std::to_string(record.id) + " from " + record.start_fen);
  EXPECT_EQ(record.variant, rules.definition().id);
  EXPECT_EQ(record.rules_hash, rules.hash());
  const auto start = ParseFen(rules, record.start_fen);
  ASSERT_TRUE(start.ok()) << start.status();
  Position position = *start;
  History history(position);
  std::vector<Move> legal;
  for (size_t ply = 0;; ++ply) {
    SCOPED_TRACE("ply " + std::to_string(ply));
    GenerateLegalMoves(position, &legal);
    const Outcome outcome = Adjudicate(position, history, !legal.empty());
    if (ply == record.moves.size()) return CheckEnd(record, position, outcome);
    ASSERT_FALSE(outcome.is_over());
    const RecordedMove& move = record.moves[ply];
    ASSERT_TRUE(IsLegal(position, move.move));
    CheckMove(move, options, legal);
    const UndoRecord undo = position.Do(move.move);
    history.Push(position, undo);
  }
}

}  // namespace crossriver::testing
