// Many threads' requests through one evaluator. Where a test needs requests to wait for one
// another, the deadline is longer than any test, so that no clock decides what happens.
#include "core/batching_evaluator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/movegen.h"
#include "core/notation.h"
#include "tests/random_positions.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::Random;
using testing::RulesOf;

constexpr std::chrono::microseconds kNever = std::chrono::hours(10);

// What only this request can be answered with.
std::vector<float> AnswerTo(const EvaluationRequest& request) {
  std::vector<float> answer;
  for (const Move move : request.moves) {
    answer.push_back(static_cast<float>((request.position->key() ^ move.raw()) % 10007));
  }
  return answer;
}

Wdl WdlOf(const EvaluationRequest& request) {
  const auto part = static_cast<float>(request.position->key() % 1009) / 1009;
  return {part, 1 - part, static_cast<float>(request.moves.size())};
}

// What the fake evaluator has seen. Outlives it, as the batching evaluator owns that.
struct Log {
  std::vector<size_t> calls;  // sizes; written by the inference thread, read when it is idle
  std::atomic<int> under_way = 0;
  std::atomic<bool> overlapped = false;
  std::atomic<int> destroyed = 0;
  std::atomic<bool> fails = false;
};

class FakeEvaluator : public Evaluator {
 public:
  explicit FakeEvaluator(Log* log) : log_(log) {}
  ~FakeEvaluator() override { ++log_->destroyed; }

  absl::Status Evaluate(std::span<const EvaluationRequest> requests,
                        std::span<Evaluation> results) override {
    if (log_->under_way.fetch_add(1) != 0) log_->overlapped = true;
    log_->calls.push_back(requests.size());
    if (requests.size() != results.size()) log_->overlapped = true;
    for (size_t i = 0; i < requests.size(); ++i) {
      results[i].log_priors = AnswerTo(requests[i]);
      results[i].wdl = WdlOf(requests[i]);
    }
    log_->under_way.fetch_sub(1);
    if (log_->fails) return absl::UnavailableError("the device is gone");
    return absl::OkStatus();
  }
  uint64_t id() const override { return 0xABCDEF; }

 private:
  Log* log_;
};

// Positions of a random game with what requests point to.
struct Asked {
  explicit Asked(const Position& at) : position(at), history(at) {
    GenerateLegalMoves(position, &moves);
  }
  Position position;
  History history;
  std::vector<Move> moves;
};

std::vector<Asked> PositionsOfAGame(int count, int number) {
  Random random("batching", 1, number);
  std::vector<Asked> asked;
  Position position = StartPosition(RulesOf("switchback"));
  while (static_cast<int>(asked.size()) < count) {
    asked.emplace_back(position);
    if (asked.back().moves.empty()) {
      asked.pop_back();
      position = StartPosition(RulesOf("switchback"));
      continue;
    }
    position.Do(asked.back().moves[random.Below(asked.back().moves.size())]);
  }
  return asked;
}

// One game a thread, played before the threads start.
std::vector<std::vector<Asked>> Games(int threads, const std::function<int(int)>& size_of) {
  std::vector<std::vector<Asked>> games;
  for (int i = 0; i < threads; ++i) games.push_back(PositionsOfAGame(size_of(i), i));
  return games;
}

std::vector<EvaluationRequest> RequestsOf(const std::vector<Asked>& asked) {
  std::vector<EvaluationRequest> requests;
  for (const Asked& a : asked) requests.push_back({&a.position, &a.history, a.moves});
  return requests;
}

// Whether each request got its own answer.
bool AreAnswered(std::span<const EvaluationRequest> requests, std::span<const Evaluation> results) {
  for (size_t i = 0; i < requests.size(); ++i) {
    if (results[i].log_priors != AnswerTo(requests[i])) return false;
    if (results[i].wdl != WdlOf(requests[i])) return false;
  }
  return true;
}

// Runs `work(thread)` on so many threads and waits for them.
void OnThreads(int threads, const std::function<void(int)>& work) {
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i) running.emplace_back(work, i);
  for (std::thread& thread : running) thread.join();
}

BatchingEvaluator Make(Log* log, const BatchingOptions& options) {
  return BatchingEvaluator(std::make_unique<FakeEvaluator>(log), options);
}

// One call of `size` positions a thread; returns how many threads got their own answers.
int AskFromThreads(BatchingEvaluator* evaluator, int threads, int size) {
  const std::vector<std::vector<Asked>> games = Games(threads, [size](int) { return size; });
  std::atomic<int> answered = 0;
  OnThreads(threads, [&](int thread) {
    const std::vector<EvaluationRequest> requests = RequestsOf(games[static_cast<size_t>(thread)]);
    std::vector<Evaluation> results(requests.size());
    const bool ok = evaluator->Evaluate(requests, results).ok();
    if (ok && AreAnswered(requests, results)) ++answered;
  });
  return answered;
}

// Random sizes, deadlines from nothing on: whatever batches come about, answers are not mixed up,
// and result vectors that a caller uses again hold nothing of before.
TEST(BatchingEvaluatorTest, EveryThreadGetsItsOwnAnswers) {
  for (const int deadline_us : {0, 50, 2000}) {
    Log log;
    BatchingEvaluator evaluator =
        Make(&log, {.max_batch = 16, .deadline = std::chrono::microseconds(deadline_us)});
    std::atomic<int> wrong = 0;
    std::atomic<int64_t> asked_for = 0;
    const std::vector<std::vector<Asked>> games = Games(8, [](int) { return 24; });
    OnThreads(8, [&](int thread) {
      const std::vector<EvaluationRequest> all = RequestsOf(games[static_cast<size_t>(thread)]);
      Random random("sizes", deadline_us, thread);
      std::vector<Evaluation> results(all.size());
      for (int call = 0; call < 60; ++call) {
        const size_t size = 1 + random.Below(5);
        const size_t begin = random.Below(all.size() - size);
        const std::span<const EvaluationRequest> requests(&all[begin], size);
        if (!evaluator.Evaluate(requests, std::span(results).first(size)).ok()) ++wrong;
        if (!AreAnswered(requests, results)) ++wrong;
        asked_for += static_cast<int64_t>(size);
      }
    });
    EXPECT_EQ(wrong, 0);
    EXPECT_FALSE(log.overlapped) << "two calls of the inner evaluator at once";
    EXPECT_EQ(evaluator.statistics().calls, log.calls.size());
    EXPECT_EQ(evaluator.statistics().positions, static_cast<uint64_t>(asked_for));
    EXPECT_LE(*std::max_element(log.calls.begin(), log.calls.end()), 16U);
  }
}

// No deadline: calls are full, and there are exactly as many as that takes.
TEST(BatchingEvaluatorTest, RequestsJoin) {
  struct Case {
    int threads;
    int size;
    int max_batch;
  };
  for (const Case& c : {Case{8, 1, 8}, Case{12, 1, 4}, Case{6, 2, 4}, Case{4, 8, 8}}) {
    Log log;
    BatchingEvaluator evaluator = Make(&log, {.max_batch = c.max_batch, .deadline = kNever});
    EXPECT_EQ(AskFromThreads(&evaluator, c.threads, c.size), c.threads);
    const auto full = static_cast<size_t>(c.max_batch);
    const auto calls = static_cast<size_t>(c.threads * c.size) / full;
    EXPECT_EQ(log.calls, std::vector<size_t>(calls, full));
    EXPECT_EQ(evaluator.statistics().calls, calls);
  }
}

// Requests are not cut in two: three of 3 do not fit in a call of 8.
TEST(BatchingEvaluatorTest, CallsAreNotLargerThanMaxBatch) {
  Log log;
  BatchingEvaluator evaluator =
      Make(&log, {.max_batch = 8, .deadline = std::chrono::milliseconds(20)});
  for (int round = 0; round < 8; ++round) {
    EXPECT_EQ(AskFromThreads(&evaluator, 7, 3), 7);
  }
  for (const size_t size : log.calls) EXPECT_TRUE(size == 3 || size == 6) << size;
}

TEST(BatchingEvaluatorTest, OneLargeRequestGoesAlone) {
  Log log;
  BatchingEvaluator evaluator = Make(&log, {.max_batch = 4, .deadline = kNever});
  EXPECT_EQ(AskFromThreads(&evaluator, 1, 20), 1);
  EXPECT_EQ(log.calls, std::vector<size_t>{20});
}

TEST(BatchingEvaluatorTest, LargeAndSmallRequestsTogether) {
  Log log;
  BatchingEvaluator evaluator =
      Make(&log, {.max_batch = 4, .deadline = std::chrono::milliseconds(5)});
  const std::vector<std::vector<Asked>> games =
      Games(6, [](int thread) { return thread % 2 == 0 ? 9 : 1; });
  std::atomic<int> answered = 0;
  OnThreads(6, [&](int thread) {
    const std::vector<EvaluationRequest> requests = RequestsOf(games[static_cast<size_t>(thread)]);
    for (int call = 0; call < 20; ++call) {
      std::vector<Evaluation> results(requests.size());
      if (evaluator.Evaluate(requests, results).ok() && AreAnswered(requests, results)) ++answered;
    }
  });
  EXPECT_EQ(answered, 6 * 20);
  for (const size_t size : log.calls) EXPECT_TRUE(size <= 4 || size == 9) << size;
}

// Nobody else comes; the call returns all the same.
TEST(BatchingEvaluatorTest, DeadlineLetsALoneRequestThrough) {
  Log log;
  BatchingEvaluator evaluator =
      Make(&log, {.max_batch = 256, .deadline = std::chrono::microseconds(500)});
  for (int call = 0; call < 3; ++call) EXPECT_EQ(AskFromThreads(&evaluator, 1, 1), 1);
  EXPECT_EQ(log.calls, (std::vector<size_t>{1, 1, 1}));
}

TEST(BatchingEvaluatorTest, AnErrorReachesAllWhoWait) {
  Log log;
  log.fails = true;
  BatchingEvaluator evaluator = Make(&log, {.max_batch = 6, .deadline = kNever});
  const std::vector<std::vector<Asked>> games = Games(6, [](int) { return 1; });
  std::atomic<int> told = 0;
  OnThreads(6, [&](int thread) {
    const std::vector<EvaluationRequest> requests = RequestsOf(games[static_cast<size_t>(thread)]);
    std::vector<Evaluation> results(1);
    const absl::Status status = evaluator.Evaluate(requests, results);
    if (status == absl::UnavailableError("the device is gone")) ++told;
  });
  EXPECT_EQ(told, 6);
  EXPECT_EQ(log.calls, std::vector<size_t>{6});
  log.fails = false;
  EXPECT_EQ(AskFromThreads(&evaluator, 6, 1), 6) << "after an error all goes on";
}

TEST(BatchingEvaluatorTest, NothingAskedIsNothingDone) {
  Log log;
  BatchingEvaluator evaluator = Make(&log, {.max_batch = 6, .deadline = kNever});
  EXPECT_TRUE(evaluator.Evaluate({}, {}).ok());
  EXPECT_EQ(evaluator.statistics().positions, 0U);
}

TEST(BatchingEvaluatorTest, HasTheIdOfTheInnerEvaluator) {
  Log log;
  EXPECT_EQ(Make(&log, {}).id(), 0xABCDEFU);
}

TEST(BatchingEvaluatorTest, EndsCleanly) {
  Log log;
  for (int i = 0; i < 50; ++i) {
    { const BatchingEvaluator unused = Make(&log, {.max_batch = 2, .deadline = kNever}); }
    EXPECT_EQ(log.destroyed, 2 * i + 1);
    {
      BatchingEvaluator used = Make(&log, {.max_batch = 2, .deadline = kNever});
      EXPECT_EQ(AskFromThreads(&used, 2, 1), 2);
    }
    EXPECT_EQ(log.destroyed, 2 * i + 2);
  }
}

}  // namespace
}  // namespace crossriver
