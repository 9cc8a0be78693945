// The drivers: batches over many searches, several threads on one tree, stopping, errors.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "core/notation.h"
#include "mcts/batch_driver.h"
#include "mcts/parallel_search.h"
#include "mcts/uniform_evaluator.h"
#include "tests/mcts/search_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::ArbitraryEvaluation;
using testing::RulesOf;
using testing::Visits;

// Arbitrary values; counts calls, and can be slow or fail.
class TestEvaluator : public Evaluator {
 public:
  absl::Status Evaluate(std::span<const EvaluationRequest> requests,
                        std::span<Evaluation> results) override {
    ++calls;
    largest = std::max(largest.load(), static_cast<int>(requests.size()));
    if (delay.count() > 0) std::this_thread::sleep_for(delay);
    if (calls > fails_after) return absl::UnavailableError("the evaluator has gone");
    for (size_t i = 0; i < requests.size(); ++i) results[i] = ArbitraryEvaluation(requests[i]);
    return absl::OkStatus();
  }
  uint64_t id() const override { return 2; }

  std::atomic<int> calls = 0;
  std::atomic<int> largest = 0;
  int fails_after = 1 << 30;
  std::chrono::milliseconds delay{0};
};

std::vector<int64_t> VisitsOf(const SearchResult& result) {
  std::vector<int64_t> visits;
  for (const MoveResult& move : result.moves) {
    visits.push_back(move.visits * 65536 + move.move.raw());
  }
  return visits;
}

// Batched with others, each search does what it does alone.
TEST(BatchDriverTest, SearchesDoNotMix) {
  TestEvaluator evaluator;
  std::vector<std::unique_ptr<Search>> searches;
  BatchDriver driver(&evaluator);
  for (const char* variant : {"switchback", "xiangqi", "shoxiang-xq-weak", "minishogi"}) {
    searches.push_back(std::make_unique<Search>(SearchOptions(), StartPosition(RulesOf(variant))));
    searches.back()->Begin(Visits(100 + 50 * static_cast<int64_t>(searches.size())));
    driver.Add(searches.back().get());
  }
  ASSERT_TRUE(driver.Run().ok());
  EXPECT_EQ(evaluator.largest, 4);
  for (size_t i = 0; i < searches.size(); ++i) {
    Search alone({}, searches[i]->root_position());
    const SearchResult expected =
        *RunSearch(&alone, Visits(150 + 50 * static_cast<int64_t>(i)), &evaluator);
    EXPECT_EQ(VisitsOf(searches[i]->Result()), VisitsOf(expected));
    EXPECT_TRUE(driver.done(i));
  }
}

TEST(BatchDriverTest, AnErrorLeavesTheSearchUsable) {
  TestEvaluator evaluator;
  evaluator.fails_after = 50;
  Search search({}, StartPosition(RulesOf("switchback")));
  EXPECT_EQ(RunSearch(&search, Visits(200), &evaluator).status().message(),
            "the evaluator has gone");
  const SearchResult broken = search.Result();
  EXPECT_EQ(broken.visits, 49);
  evaluator.fails_after = 1 << 30;
  EXPECT_EQ(RunSearch(&search, Visits(200), &evaluator)->tree_visits, 250);
}

// However often a search is driven, and wherever: the leaf is the same.
TEST(BatchDriverTest, LeavesDoNotPileUp) {
  UniformEvaluator evaluator;
  SearchOptions options;
  options.tree_bytes = kMinTreeBytes;
  Search search(options, StartPosition(RulesOf("switchback")));
  BatchDriver driver(&evaluator);
  driver.Add(nullptr);
  driver.Add(nullptr);
  size_t bytes = 0;
  for (int i = 0; i < 2 * search.max_leaves() + 4; ++i) {
    const auto place = static_cast<size_t>(i % 2);
    search.Begin(Visits(3));
    driver.Replace(place, &search);
    ASSERT_TRUE(driver.Run().ok());
    driver.Replace(place, nullptr);
    ASSERT_TRUE(RunSearch(&search, Visits(3), &evaluator).ok());
    if (i == 4) bytes = search.bytes();
  }
  EXPECT_EQ(search.bytes(), bytes);
}

// Several leaves of one thread: all are out at once, in positions of their own; any may come back
// without an answer.
TEST(SeveralLeavesTest, VisitsAddUp) {
  TestEvaluator evaluator;
  for (const RootPolicy policy : {RootPolicy::kPuct, RootPolicy::kGumbel}) {
    SearchOptions options;
    options.root_policy = policy;
    Search search(options, StartPosition(RulesOf("minishogi")));
    std::vector<Leaf*> leaves;
    for (int i = 0; i < 12; ++i) leaves.push_back(search.leaf(i));
    constexpr int64_t kVisits = 3000;
    search.Begin(Visits(kVisits));
    int64_t answered = 0;
    size_t most = 0;
    for (int round = 0;; ++round) {
      size_t num_out = 0;
      const Next next = search.NextLeaves(leaves, &num_out);
      EXPECT_EQ(next == Next::kLeaf, num_out == leaves.size());
      if (num_out == 0) {
        EXPECT_EQ(next, Next::kDone);
        break;
      }
      most = std::max(most, num_out);
      std::vector<EvaluationRequest> requests;
      for (size_t i = 0; i < num_out; ++i) {
        requests.push_back(leaves[i]->request());
        for (size_t j = 0; j < i; ++j) ASSERT_NE(requests[i].position, requests[j].position);
      }
      std::vector<Evaluation> results(num_out);
      ASSERT_TRUE(evaluator.Evaluate(requests, results).ok());
      const size_t cancelled = round % 3 == 1 ? 1 : 0;
      if (cancelled > 0) search.Cancel(leaves[num_out - 1]);
      const auto back = std::span(leaves).first(num_out - cancelled);
      if (!back.empty()) search.DeliverAll(back, std::span(results).first(back.size()));
      answered += static_cast<int64_t>(back.size());
    }
    EXPECT_EQ(most, leaves.size());
    const SearchResult result = search.Result();
    EXPECT_EQ(result.visits, kVisits);
    EXPECT_EQ(result.evaluations, answered);
    EXPECT_EQ(result.tree_visits, kVisits + 1);
    int64_t visits = 0;
    for (const MoveResult& move : result.moves) {
      visits += move.visits;
      // What the edge holds is its node's mean.
      if (move.visits > 0 && move.proof.result == Result::kNone) {
        EXPECT_NEAR(move.score, move.wdl.win + 0.5F * move.wdl.draw, 1e-5);
      }
    }
    EXPECT_EQ(visits, kVisits);
  }
}

SearchOptions Concurrent(RootPolicy policy = RootPolicy::kPuct) {
  SearchOptions options;
  options.concurrent = true;
  options.root_policy = policy;
  return options;
}

// Every visit that was asked for is made, and none is lost or counted twice.
void CheckParallel(const SearchOptions& options, const char* variant, int64_t visits,
                   int batch = 3) {
  TestEvaluator evaluator;
  Search search(options, StartPosition(RulesOf(variant)));
  ParallelOptions parallel;
  parallel.threads = 4;
  parallel.batch = batch;
  parallel.evaluator_is_thread_safe = true;
  ParallelSearch driver(&search, &evaluator, parallel);
  for (int round = 1; round <= 2; ++round) {
    const auto result = driver.Run(Visits(visits));
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->visits, visits);
    int64_t sum = 0;
    for (const MoveResult& move : result->moves) sum += move.visits;
    EXPECT_EQ(sum, round * visits);
    EXPECT_EQ(result->tree_visits, round * visits + 1);
    EXPECT_LE(search.bytes(), options.tree_bytes);
  }
}

TEST(ParallelSearchTest, CountsAddUp) { CheckParallel(Concurrent(), "switchback", 20'000); }

// Visits enough for walks to go through one move together.
TEST(ParallelSearchTest, CountsAddUpWithLargeBatches) {
  CheckParallel(Concurrent(), "minishogi", 30'000, 16);
}

TEST(ParallelSearchTest, CountsAddUpWithGumbel) {
  CheckParallel(Concurrent(RootPolicy::kGumbel), "shoxiang-sh-standard", 3000);
}

TEST(ParallelSearchTest, CountsAddUpWhilePruning) {
  SearchOptions options = Concurrent();
  options.tree_bytes = size_t{2} << 20;
  CheckParallel(options, "switchback", 30'000);
}

// Endings and proofs under several threads: a small board with mates everywhere.
TEST(ParallelSearchTest, ProvesMates) {
  const testing::Game game("minishogi", "3K1/5/+R4/1bk2/G1p1s[Rbgs] w 80 348");
  UniformEvaluator evaluator;
  Search search(Concurrent(), game.start);
  ParallelOptions parallel;
  parallel.threads = 3;
  parallel.batch = 4;
  parallel.evaluator_is_thread_safe = true;
  ParallelSearch driver(&search, &evaluator, parallel);
  const auto result = driver.Run(Visits(500'000));
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->proof.result, Result::kWin);
  EXPECT_EQ(result->stopped, StopReason::kProven);
}

TEST(ParallelSearchTest, AnErrorEndsAllThreads) {
  TestEvaluator evaluator;
  evaluator.fails_after = 20;
  Search search(Concurrent(), StartPosition(RulesOf("switchback")));
  ParallelOptions parallel;
  parallel.threads = 3;
  ParallelSearch driver(&search, &evaluator, parallel);
  EXPECT_FALSE(driver.Run(SearchLimits()).ok());
  evaluator.fails_after = 1 << 30;
  EXPECT_TRUE(driver.Run(Visits(100)).ok());
}

// A stop waits for the calls that are under way, and for nothing else.
TEST(ParallelSearchTest, StopIsAnsweredAfterTheCallsUnderWay) {
  TestEvaluator evaluator;
  evaluator.delay = std::chrono::milliseconds(20);
  Search search(Concurrent(), StartPosition(RulesOf("switchback")));
  ParallelOptions parallel;
  parallel.threads = 2;
  parallel.batch = 4;
  parallel.evaluator_is_thread_safe = true;
  ParallelSearch driver(&search, &evaluator, parallel);
  for (const int wait_ms : {0, 1, 35, 50, 70}) {
    std::atomic<bool> running = true;
    std::atomic<int> calls_at_stop = -1;
    std::thread stopper([&] {
      const int before = evaluator.calls;
      while (evaluator.calls == before) std::this_thread::yield();
      std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
      search.Stop();
      calls_at_stop = evaluator.calls.load();
    });
    const auto begin = std::chrono::steady_clock::now();
    const auto result = driver.Run(SearchLimits());
    stopper.join();
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->stopped, StopReason::kStopped);
    EXPECT_FALSE(result->best.is_null());
    // Each thread may have been between its look at the flag and its call.
    EXPECT_LE(evaluator.calls, calls_at_stop + 2);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
    running = false;
  }
}

// An end that many walks find is no place for a thread to hang: here most lines end at once.
TEST(ParallelSearchTest, StopsAmongEndings) {
  UniformEvaluator evaluator;
  const testing::Game game("xiangqi", "3k5/9/9/9/9/9/9/9/R8/4K4 b 0 1",
                           "d10d9 a2a1 d9d10 a1a2 d10d9 a2a1 d9d10");
  Search search(Concurrent(), game.start);
  ASSERT_TRUE(search.SetGame(game.start, game.moves).ok());
  std::atomic<int> asked = 0;
  ParallelOptions parallel;
  parallel.threads = 2;
  parallel.evaluator_is_thread_safe = true;
  parallel.interrupted = [&] { return ++asked > 2000; };
  ParallelSearch driver(&search, &evaluator, parallel);
  const auto result = driver.Run(SearchLimits());
  ASSERT_TRUE(result.ok());
  EXPECT_FALSE(result->best.is_null());
}

}  // namespace
}  // namespace crossriver
