// The evaluation cache: what shares an entry and what must not, its bound, and its use from
// threads.
#include "core/eval_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "core/movegen.h"
#include "core/notation.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::RulesOf;

// Priors that name the position and the move, so that a mix-up shows.
class CountingEvaluator : public Evaluator {
 public:
  explicit CountingEvaluator(uint64_t id) : id_(id) {}

  absl::Status Evaluate(std::span<const EvaluationRequest> requests,
                        std::span<Evaluation> results) override {
    if (fails) return absl::UnavailableError("no evaluator");
    for (size_t i = 0; i < requests.size(); ++i) {
      const auto part = static_cast<float>(requests[i].position->key() % 1000 + id_);
      results[i].log_priors.clear();
      for (const Move move : requests[i].moves) {
        results[i].log_priors.push_back(part + static_cast<float>(move.raw()));
      }
      results[i].wdl = {part, 0, 0};
      ++evaluated;
    }
    return absl::OkStatus();
  }
  uint64_t id() const override { return id_; }

  std::atomic<int> evaluated = 0;
  bool fails = false;

 private:
  uint64_t id_;
};

// A position with what a request points to.
struct Question {
  explicit Question(const Position& at) : position(at), history(at) {
    GenerateLegalMoves(position, &moves);
  }
  void Play(const std::string& text) {
    const UndoRecord undo = position.Do(*ParseMove(position, text));
    history.Push(position, undo);
    GenerateLegalMoves(position, &moves);
  }
  EvaluationRequest request() const { return {&position, &history, moves}; }

  Position position;
  History history;
  std::vector<Move> moves;
};

Evaluation Ask(Evaluator* evaluator, const Question& asked) {
  const EvaluationRequest request = asked.request();
  Evaluation result;
  EXPECT_TRUE(evaluator->Evaluate({&request, 1}, {&result, 1}).ok());
  return result;
}

TEST(EvalCacheTest, AsksOnceForAPosition) {
  CountingEvaluator inner(7);
  EvalCache cache({});
  CachedEvaluator evaluator(&inner, &cache);
  const Question start(StartPosition(RulesOf("switchback")));
  const Evaluation first = Ask(&evaluator, start);
  const Evaluation second = Ask(&evaluator, start);
  EXPECT_EQ(inner.evaluated, 1);
  EXPECT_EQ(first.log_priors, second.log_priors);
  EXPECT_EQ(first.wdl, second.wdl);
  EXPECT_EQ(cache.statistics().hits, 1u);
  EXPECT_EQ(cache.statistics().misses, 1u);
  cache.Clear();
  Ask(&evaluator, start);
  EXPECT_EQ(inner.evaluated, 2);
}

TEST(EvalCacheTest, OnlyMissesOfABatchAreAsked) {
  CountingEvaluator inner(7);
  EvalCache cache({});
  CachedEvaluator evaluator(&inner, &cache);
  const Question known(StartPosition(RulesOf("switchback")));
  Question other(StartPosition(RulesOf("switchback")));
  other.Play("b1c3");
  Ask(&evaluator, known);
  const std::vector<EvaluationRequest> batch = {known.request(), other.request(), known.request()};
  std::vector<Evaluation> results(batch.size());
  ASSERT_TRUE(evaluator.Evaluate(batch, results).ok());
  EXPECT_EQ(inner.evaluated, 2);
  EXPECT_EQ(results[0].log_priors, results[2].log_priors);
  EXPECT_EQ(results[1].log_priors, Ask(&inner, other).log_priors);
}

TEST(EvalCacheTest, RepetitionsCountsAndEvaluatorsAreKeptApart) {
  EvalCache cache({});
  Question asked(StartPosition(RulesOf("switchback")));
  const EvalCache::Key start = cache.KeyOf(asked.request(), 1);
  EXPECT_NE(start, cache.KeyOf(asked.request(), 2));
  for (const char* text : {"a1a2", "a10a9", "a2a1", "a9a10"}) asked.Play(text);
  const EvalCache::Key second = cache.KeyOf(asked.request(), 1);
  EXPECT_EQ(start.position, second.position);
  EXPECT_NE(start, second) << "a second occurrence is nearer to a draw";
  const Question late(*ParseFen(
      RulesOf("switchback"), "rnefkfenr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNEFKFENR w 99 9"));
  EXPECT_NE(start, cache.KeyOf(late.request(), 1)) << "so is a high no-progress count";
  const Question soon(*ParseFen(
      RulesOf("switchback"), "rnefkfenr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNEFKFENR w 3 9"));
  EXPECT_EQ(start, cache.KeyOf(soon.request(), 1)) << "the same bucket";
}

TEST(EvalCacheTest, StaysWithinItsBoundAndForgetsTheOldest) {
  EvalCacheOptions options;
  options.max_bytes = 16 << 10;
  options.shards = 1;
  EvalCache cache(options);
  Evaluation evaluation;
  evaluation.log_priors.assign(40, -1.0F);
  for (uint64_t i = 0; i < 1000; ++i) {
    cache.Insert({i, 0}, evaluation);
    Evaluation kept;
    EXPECT_TRUE(cache.Find({0, 0}, 40, &kept)) << "in use all the time, at " << i;
    EXPECT_LE(cache.statistics().bytes, options.max_bytes);
  }
  EXPECT_GT(cache.statistics().entries, 20u);
  Evaluation result;
  EXPECT_TRUE(cache.Find({999, 0}, 40, &result));
  EXPECT_FALSE(cache.Find({1, 0}, 40, &result));
  EXPECT_FALSE(cache.Find({999, 0}, 41, &result)) << "another number of moves is another position";
  evaluation.log_priors.assign(100000, 0.0F);
  cache.Insert({5000, 0}, evaluation);  // larger than the whole cache
  EXPECT_FALSE(cache.Find({5000, 0}, 100000, &result));
}

TEST(EvalCacheTest, ErrorsArePassedOnAndNotCached) {
  CountingEvaluator inner(7);
  EvalCache cache({});
  CachedEvaluator evaluator(&inner, &cache);
  const Question start(StartPosition(RulesOf("switchback")));
  const EvaluationRequest request = start.request();
  Evaluation result;
  inner.fails = true;
  EXPECT_FALSE(evaluator.Evaluate({&request, 1}, {&result, 1}).ok());
  inner.fails = false;
  EXPECT_EQ(Ask(&evaluator, start).log_priors, Ask(&inner, start).log_priors);
}

TEST(EvalCacheTest, SharedByThreads) {
  EvalCacheOptions options;
  options.max_bytes = 72 << 10;  // nearly all of the 300 positions below
  options.shards = 4;
  EvalCache cache(options);
  const auto work = [&cache](uint64_t thread) {
    for (uint64_t i = 0; i < 5000; ++i) {
      const EvalCache::Key key = {(i * 7919 + thread) % 300, 0};
      Evaluation evaluation;
      if (cache.Find(key, 30, &evaluation)) {
        EXPECT_EQ(evaluation.log_priors[29], static_cast<float>(key.position));
      } else {
        evaluation.log_priors.assign(30, static_cast<float>(key.position));
        cache.Insert(key, evaluation);
      }
    }
  };
  std::vector<std::thread> threads;
  for (uint64_t i = 0; i < 4; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(cache.statistics().hits, 0u);
  EXPECT_LE(cache.statistics().bytes, options.max_bytes);
}

}  // namespace
}  // namespace crossriver
