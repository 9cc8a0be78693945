// Many threads' requests gathered into large batches for one device.
#ifndef CROSSRIVER_CORE_BATCHING_EVALUATOR_H_
#define CROSSRIVER_CORE_BATCHING_EVALUATOR_H_

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "core/evaluator.h"
#include "core/mutex.h"

namespace crossriver {

struct BatchingOptions {
  int max_batch = 256;  // positions an inner call, unless one request alone has more
  // How long the oldest waiting request may wait for others to join it.
  std::chrono::microseconds deadline{1000};
};

// One inference thread owns the device: it takes what is waiting, asks the inner evaluator for all
// of it in one call, and hands out the results. Evaluate may be called from any number of threads;
// it returns when the answer is there. An error of the inner evaluator goes to all whose requests
// were in the call.
class BatchingEvaluator : public Evaluator {
 public:
  BatchingEvaluator(std::unique_ptr<Evaluator> inner, const BatchingOptions& options);
  // No call may be under way.
  ~BatchingEvaluator() override;

  absl::Status Evaluate(std::span<const EvaluationRequest> requests,
                        std::span<Evaluation> results) override;
  uint64_t id() const override { return inner_->id(); }

  struct Statistics {
    uint64_t calls = 0;      // of the inner evaluator
    uint64_t positions = 0;  // in them
  };
  Statistics statistics() const;

 private:
  // One caller's request; it lives on the caller's stack.
  struct Waiting {
    std::span<const EvaluationRequest> requests;
    std::span<Evaluation> results;
    std::chrono::steady_clock::time_point since;
    absl::Status status;
    bool done = false;
  };

  void Serve();
  // Waits for work and takes it; empty when there will be none any more.
  std::vector<Waiting*> TakeBatch();
  absl::Status EvaluateAll(const std::vector<Waiting*>& batch);

  const std::unique_ptr<Evaluator> inner_;
  const BatchingOptions options_;

  mutable Mutex mutex_;
  CondVar work_;      // for the inference thread
  CondVar answered_;  // for the callers
  std::deque<Waiting*> queue_ ABSL_GUARDED_BY(mutex_);
  size_t queued_positions_ ABSL_GUARDED_BY(mutex_) = 0;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  Statistics statistics_ ABSL_GUARDED_BY(mutex_);

  // Of the inference thread alone; kept for their memory.
  std::vector<EvaluationRequest> requests_;
  std::vector<Evaluation> results_;

  std::thread thread_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_BATCHING_EVALUATOR_H_
