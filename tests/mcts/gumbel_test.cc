// Sequential halving and the improved policy against a plain computation.
#include "mcts/gumbel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/movegen.h"
#include "core/notation.h"
#include "mcts/random.h"
#include "tests/mcts/search_helpers.h"
#include "tests/position_checks.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::ArbitraryEvaluation;
using testing::FunctionEvaluator;
using testing::Game;
using testing::SearchGame;

// What the paper's root comes to where every move has one value, as a bandit's arm.
struct Reference {
  std::vector<double> logits, values;
  std::vector<int> visits;
  std::vector<double> policy;
  int best = 0;

  void Run(int budget, int sampled, double raw) {
    const size_t n = logits.size();
    visits.assign(n, 0);
    std::vector<int> arms(n);
    std::iota(arms.begin(), arms.end(), 0);
    const auto sigma = [&](double q) {
      return (50 + *std::max_element(visits.begin(), visits.end())) * 1.0 * q;
    };
    const auto keep = [&](size_t count, auto score) {
      std::stable_sort(arms.begin(), arms.end(), [&](int a, int b) { return score(a) > score(b); });
      arms.resize(std::min(arms.size(), count));
    };
    keep(static_cast<size_t>(std::min(sampled, budget)), [&](int a) { return logits[size_t(a)]; });
    const auto by_value = [&](int a) { return logits[size_t(a)] + sigma(values[size_t(a)]); };
    const double rounds = std::max(1.0, std::ceil(std::log2(double(arms.size()))));
    for (int left = budget; left > 0;) {
      const int each = std::max(1, static_cast<int>(budget / (rounds * double(arms.size()))));
      for (int i = 0; i < each; ++i) {
        for (const int arm : arms) left -= left > 0 ? (++visits[size_t(arm)], 1) : 0;
      }
      if (left > 0 && arms.size() > 2) keep(std::max<size_t>(2, arms.size() / 2), by_value);
    }
    best = *std::max_element(arms.begin(), arms.end(), [&](int a, int b) {
      return std::pair(visits[size_t(a)], by_value(a)) < std::pair(visits[size_t(b)], by_value(b));
    });
    double prior = 0, weighted = 0, sum = 0;
    for (size_t i = 0; i < n; ++i) {
      prior += visits[i] > 0 ? std::exp(logits[i]) : 0;
      weighted += visits[i] > 0 ? std::exp(logits[i]) * values[i] : 0;
    }
    const double mixed = (raw + budget * weighted / prior) / (1 + budget);
    for (size_t i = 0; i < n; ++i) {
      policy.push_back(std::exp(logits[i] + sigma(visits[i] > 0 ? values[i] : mixed)));
      sum += policy.back();
    }
    for (double& p : policy) p /= sum;
  }
};

// Children are evaluated once and not searched further, so each root move has one value.
TEST(GumbelTest, ChoiceAndTargetAreThePapers) {
  FunctionEvaluator evaluator([](const EvaluationRequest& request, Evaluation* out) {
    *out = ArbitraryEvaluation(request);
  });
  int compared = 0;
  for (const char* variant : {"switchback", "minishogi", "shoxiang-sh-standard"}) {
    RandomStream random(7);
    Game game(variant, "");
    for (int ply = 0; ply < 20; ++ply) {
      std::vector<Move> moves;
      GenerateLegalMoves(game.position, &moves);
      if (moves.empty()) break;
      SearchOptions options;
      options.root_policy = RootPolicy::kGumbel;
      options.gumbel.noise = false;
      options.gumbel.sampled_moves = static_cast<int>(1 + random.Below(40));
      options.max_plies = 1;  // plies count from the position the search is given
      const int budget = static_cast<int>(1 + random.Below(400));
      const Game root(variant, FormatFen(game.position));
      const SearchResult result = SearchGame(root, options, budget, &evaluator);
      if (result.proof.result != Result::kNone) break;
      bool exact = false;
      Reference reference;
      std::vector<MoveResult> sorted = result.moves;
      std::stable_sort(sorted.begin(), sorted.end(),
                       [](const auto& a, const auto& b) { return a.prior > b.prior; });
      for (const MoveResult& move : sorted) {
        exact |= move.proof.result != Result::kNone;
        Position after = root.position;
        after.Do(move.move);
        std::vector<Move> replies;
        GenerateLegalMoves(after, &replies);
        const History history(after);
        const Wdl wdl = ArbitraryEvaluation({&after, &history, replies}).wdl;
        reference.logits.push_back(std::log(static_cast<double>(move.prior)));
        reference.values.push_back(static_cast<double>(wdl.loss + 0.5F * wdl.draw));
      }
      if (!exact) {
        ++compared;
        SCOPED_TRACE(testing::Describe(root.position));
        reference.Run(budget, options.gumbel.sampled_moves,
                      static_cast<double>(result.raw_wdl.win + 0.5F * result.raw_wdl.draw));
        EXPECT_EQ(result.best, sorted[static_cast<size_t>(reference.best)].move);
        for (size_t i = 0; i < sorted.size(); ++i) {
          EXPECT_EQ(sorted[i].visits, reference.visits[i]) << i;
          EXPECT_NEAR(sorted[i].target, reference.policy[i], 2e-3) << i;
        }
      }
      const Move next = moves[random.Below(moves.size())];
      const UndoRecord undo = game.position.Do(next);
      game.history.Push(game.position, undo);
    }
  }
  EXPECT_GT(compared, 40);
}

TEST(SequentialHalvingTest, LostMovesAreReplaced) {
  const float scores[] = {5, 4, 3, 2, 1};
  SequentialHalving halving(scores, 2, 10);
  std::vector<SequentialHalving::Count> counts(5);
  counts[0].lost = counts[1].lost = true;
  const auto count = [&](int i) { return counts[static_cast<size_t>(i)]; };
  const auto score = [&](int i) { return scores[i]; };
  EXPECT_EQ(halving.Next(count, score), 2);
  counts[2].in_flight = 1;
  EXPECT_EQ(halving.Next(count, score), 3);
  EXPECT_EQ(halving.considered(), (std::vector<int>{2, 3}));
  for (SequentialHalving::Count& each : counts) each.lost = true;
  counts[2].in_flight = 0;
  EXPECT_EQ(halving.Next(count, score), SequentialHalving::kWait);
}

TEST(SequentialHalvingTest, WaitsForARoundsAnswers) {
  const float scores[] = {3, 2, 1, 0};
  SequentialHalving halving(scores, 4, 8);
  std::vector<SequentialHalving::Count> counts(4);
  const auto count = [&](int i) { return counts[static_cast<size_t>(i)]; };
  const auto score = [&](int i) { return static_cast<float>(i); };  // the last two turn out best
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(halving.Next(count, score), i);
    counts[static_cast<size_t>(i)].in_flight = 1;
  }
  EXPECT_EQ(halving.Next(count, score), SequentialHalving::kWait);
  for (SequentialHalving::Count& each : counts) each = {1, 0, false};
  EXPECT_EQ(halving.Next(count, score), 3);
  EXPECT_EQ(halving.considered(), (std::vector<int>{3, 2}));
}

TEST(SequentialHalvingTest, OneMoveGetsAllVisits) {
  const float scores[] = {0};
  SequentialHalving halving(scores, 16, 20);
  SequentialHalving::Count count;
  for (; count.visits < 20; ++count.visits) {
    EXPECT_EQ(halving.Next([&](int) { return count; }, [](int) { return 0.0F; }), 0);
  }
}

// Samples have the mean and the variance of their distributions.
TEST(RandomStreamTest, Moments) {
  RandomStream random(5);
  constexpr int kSamples = 100'000;
  const auto moments = [&](auto draw) {
    double sum = 0, squares = 0;
    for (int i = 0; i < kSamples; ++i) {
      const double x = draw();
      sum += x;
      squares += x * x;
    }
    const double mean = sum / kSamples;
    return std::pair(mean, squares / kSamples - mean * mean);
  };
  const auto expect = [](std::pair<double, double> found, double mean, double variance) {
    EXPECT_NEAR(found.first, mean, 0.03);
    EXPECT_NEAR(found.second, variance, 0.06 * std::max(1.0, variance));
  };
  expect(moments([&] { return random.Uniform(); }), 0.5, 1.0 / 12);
  expect(moments([&] { return random.Normal(); }), 0, 1);
  expect(moments([&] { return random.Gumbel(); }), 0.5772, 1.6449);
  expect(moments([&] { return random.Gamma(0.3); }), 0.3, 0.3);
  expect(moments([&] { return random.Gamma(4); }), 4, 4);
  const std::vector<float> shares = Dirichlet(10, 0.5, &random);
  EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0F), 1, 1e-5);
}

}  // namespace
}  // namespace crossriver
