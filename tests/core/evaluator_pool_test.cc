#include "core/evaluator_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace crossriver {
namespace {

// Notices when it is used by two threads at once, and shows how many are in use.
class OneThread : public Evaluator {
 public:
  explicit OneThread(std::atomic<int>* busy) : busy_(*busy) {}

  absl::Status Evaluate(std::span<const EvaluationRequest> requests,
                        std::span<Evaluation> results) override {
    if (inside_.exchange(true)) overlaps = true;
    ++busy_;
    // Where there is another evaluator, the other thread comes in as well.
    for (int i = 0; i < 100 && busy_ < 2; ++i) std::this_thread::yield();
    for (size_t i = 0; i < requests.size(); ++i) {
      results[i].wdl.win = static_cast<float>(requests[i].moves.size());
    }
    --busy_;
    inside_ = false;
    return fails ? absl::UnavailableError("gone") : absl::OkStatus();
  }
  uint64_t id() const override { return 7; }

  static std::atomic<bool> overlaps;
  static std::atomic<bool> fails;

 private:
  std::atomic<int>& busy_;
  std::atomic<bool> inside_ = false;
};
std::atomic<bool> OneThread::overlaps = false;
std::atomic<bool> OneThread::fails = false;

std::vector<std::unique_ptr<Evaluator>> Evaluators(int count, std::atomic<int>* busy) {
  std::vector<std::unique_ptr<Evaluator>> evaluators;
  for (int i = 0; i < count; ++i) evaluators.push_back(std::make_unique<OneThread>(busy));
  return evaluators;
}

TEST(EvaluatorPoolTest, NoEvaluatorServesTwoThreadsAtOnce) {
  for (const int size : {1, 2, 5}) {
    std::atomic<int> busy = 0;
    EvaluatorPool pool(Evaluators(size, &busy));
    EXPECT_EQ(pool.id(), 7U);
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (size_t t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        const std::vector<Move> moves(t + 1);
        for (int i = 0; i < 200; ++i) {
          Evaluation result;
          const EvaluationRequest request = {nullptr, nullptr, moves};
          const absl::Status status = pool.Evaluate({&request, 1}, {&result, 1});
          if (!status.ok() || result.wdl.win != static_cast<float>(moves.size())) ++wrong;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0) << size;
    EXPECT_FALSE(OneThread::overlaps) << size;
  }
}

TEST(EvaluatorPoolTest, AnEvaluatorThatFailedIsAskedAgain) {
  std::atomic<int> busy = 0;
  EvaluatorPool pool(Evaluators(1, &busy));
  Evaluation result;
  const EvaluationRequest request;
  OneThread::fails = true;
  EXPECT_EQ(pool.Evaluate({&request, 1}, {&result, 1}).message(), "gone");
  OneThread::fails = false;
  EXPECT_TRUE(pool.Evaluate({&request, 1}, {&result, 1}).ok());
}

}  // namespace
}  // namespace crossriver
