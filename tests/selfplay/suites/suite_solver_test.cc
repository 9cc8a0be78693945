// How many positions are solved: by the policy, by searches, in which groups.
#include "selfplay/suites/suite_solver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/notation.h"
#include "mcts/uniform_evaluator.h"
#include "selfplay/suites/mates.h"
#include "tests/mcts/mate_positions.h"
#include "tests/mcts/search_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::FunctionEvaluator;
using ::testing::HasSubstr;
using testing::SharedRulesOf;

constexpr int64_t kNodes = 1'000'000;

// The mates of that length among the known positions of a variant.
Suite MatesOf(const std::string& variant, int plies) {
  Suite suite{variant, SharedRulesOf(variant), {}};
  for (const testing::MatePosition& mate : testing::kMatePositions) {
    if (mate.variant != variant || (plies != 0 && mate.plies != plies)) continue;
    SuitePosition position{*ParseFen(*suite.rules, mate.fen), SuiteKind::kMate, {}};
    position.plies = mate.plies;
    position.best = FindShortestMates(position.position, mate.plies, kNodes)->moves;
    suite.positions.push_back(position);
  }
  CR_CHECK(!suite.positions.empty());
  return suite;
}

// Prefers the moves that solve the positions of a suite (or, turned round, all others).
FunctionEvaluator Knowing(const Suite& suite, float log_prior_of_best) {
  return FunctionEvaluator([&suite, log_prior_of_best](const EvaluationRequest& request,
                                                       Evaluation* result) {
    *result = testing::ValueOnly(request, {0.3F, 0.4F, 0.3F});
    for (const SuitePosition& position : suite.positions) {
      if (position.position.key() != request.position->key()) continue;
      for (size_t i = 0; i < request.moves.size(); ++i) {
        const bool best = std::find(position.best.begin(), position.best.end(), request.moves[i]) !=
                          position.best.end();
        if (best) result->log_priors[i] = log_prior_of_best;
      }
    }
  });
}

TEST(SuiteSolverTest, UniformSearchFindsAllMatesInOne) {
  UniformEvaluator uniform;
  for (const char* variant :
       {"xiangqi", "shogi", "minishogi", "switchback", "shoxiang-xq-standard"}) {
    const Suite suite = MatesOf(variant, 1);
    SolveOptions options;
    options.visits = {1000};
    const auto solved = SolveSuite(suite, &uniform, options);
    ASSERT_TRUE(solved.ok()) << solved.status();
    for (const SolvedPosition& position : *solved) EXPECT_EQ(position.by_visits[0], 1) << variant;
  }
}

TEST(SuiteSolverTest, PolicyThatKnowsSolvesAll) {
  const Suite suite = MatesOf("xiangqi", 0);
  SolveOptions options;
  options.visits = {1, 8};
  FunctionEvaluator knowing = Knowing(suite, -0.01F);
  auto solved = SolveSuite(suite, &knowing, options);
  ASSERT_TRUE(solved.ok()) << solved.status();
  for (const SolvedPosition& position : *solved) {
    EXPECT_EQ(position.policy, 1);
    EXPECT_EQ(position.by_visits[0], 1);
  }
  FunctionEvaluator wrong = Knowing(suite, -20);
  solved = SolveSuite(suite, &wrong, options);
  ASSERT_TRUE(solved.ok());
  for (size_t i = 0; i < solved->size(); ++i) {
    EXPECT_EQ((*solved)[i].policy, 0);
    // A mate in one is seen all the same.
    EXPECT_EQ((*solved)[i].by_visits[0], suite.positions[i].plies == 1 ? 1 : 0);
  }
}

TEST(SuiteSolverTest, EquallyLikelyMovesCountForTheirShare) {
  const Suite suite = MatesOf("xiangqi", 1);
  UniformEvaluator uniform;
  SolveOptions options;
  options.visits = {1};
  const auto solved = SolveSuite(suite, &uniform, options);
  ASSERT_TRUE(solved.ok());
  for (size_t i = 0; i < solved->size(); ++i) {
    const auto moves =
        static_cast<double>(testing::LegalMoveTexts(suite.positions[i].position).size());
    EXPECT_DOUBLE_EQ((*solved)[i].policy,
                     static_cast<double>(suite.positions[i].best.size()) / moves);
  }
}

// Searches side by side find what each finds alone.
TEST(SuiteSolverTest, BatchesChangeNothing) {
  const Suite suite = MatesOf("switchback", 0);
  SolveOptions options;
  options.visits = {1, 20, 200};
  std::vector<std::vector<SolvedPosition>> all;
  for (const int at_a_time : {1, 3, 64}) {
    options.at_a_time = at_a_time;
    FunctionEvaluator evaluator([](const EvaluationRequest& request, Evaluation* result) {
      *result = testing::ArbitraryEvaluation(request);
    });
    int64_t searches = 0;
    options.progress = [&searches](int64_t done) { searches = done; };
    auto solved = SolveSuite(suite, &evaluator, options);
    ASSERT_TRUE(solved.ok()) << solved.status();
    EXPECT_EQ(searches, static_cast<int64_t>(3 * suite.positions.size()));
    all.push_back(*std::move(solved));
  }
  for (size_t run = 1; run < all.size(); ++run) {
    for (size_t i = 0; i < all[0].size(); ++i) {
      EXPECT_EQ(all[run][i].policy, all[0][i].policy);
      EXPECT_EQ(all[run][i].by_visits, all[0][i].by_visits);
    }
  }
}

TEST(SuiteSolverTest, Groups) {
  Suite suite = MatesOf("xiangqi", 0);
  SuitePosition capture = suite.positions[0];
  capture.kind = SuiteKind::kCapture;
  suite.positions.push_back(capture);
  std::vector<SolvedPosition> solved(suite.positions.size(), {0.5, {0, 1}});
  solved.back() = {1, {1, 1}};
  const std::vector<SolvedGroup> groups = GroupSolved(suite, solved);
  std::vector<std::string> names;
  for (const SolvedGroup& group : groups) names.push_back(group.name);
  EXPECT_THAT(names, ::testing::ElementsAre("mate in 1", "mate in 2", "mate in 3", "mates",
                                            "captures", "all"));
  EXPECT_EQ(groups[3].positions, 6);
  EXPECT_EQ(groups[3].policy, 0.5);
  EXPECT_THAT(groups[3].by_visits, ::testing::ElementsAre(0, 1));
  EXPECT_EQ(groups[4].positions, 1);
  EXPECT_EQ(groups[4].policy, 1);
  EXPECT_EQ(groups[5].positions, 7);
  EXPECT_DOUBLE_EQ(groups[5].by_visits[0], 1.0 / 7);
}

TEST(SuiteSolverTest, OptionsAreChecked) {
  const Suite suite = MatesOf("xiangqi", 1);
  UniformEvaluator uniform;
  const auto message = [&](const SolveOptions& options) {
    return std::string(SolveSuite(suite, &uniform, options).status().message());
  };
  SolveOptions options;
  options.visits = {};
  EXPECT_THAT(message(options), HasSubstr("visits: expected at least one"));
  options.visits = {10, 10};
  EXPECT_THAT(message(options), HasSubstr("visits: 10, expected rising numbers from 1"));
  options.visits = {0};
  EXPECT_THAT(message(options), HasSubstr("visits: 0, expected rising"));
  options.visits = {1};
  options.at_a_time = 0;
  EXPECT_THAT(message(options), HasSubstr("at_a_time: 0, expected at least 1"));
}

TEST(SuiteSolverTest, StopsWhenAskedAndByErrors) {
  const Suite suite = MatesOf("xiangqi", 0);
  UniformEvaluator uniform;
  SolveOptions options;
  int asked = 0;
  options.interrupted = [&asked] { return ++asked > 5; };
  EXPECT_TRUE(absl::IsCancelled(SolveSuite(suite, &uniform, options).status()));
  class Broken : public Evaluator {
   public:
    absl::Status Evaluate(std::span<const EvaluationRequest>, std::span<Evaluation>) override {
      return absl::UnavailableError("the device is gone");
    }
    uint64_t id() const override { return 1; }
  } broken;
  EXPECT_EQ(SolveSuite(suite, &broken, SolveOptions()).status().message(), "the device is gone");
}

}  // namespace
}  // namespace crossriver
