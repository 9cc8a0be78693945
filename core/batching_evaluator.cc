#include "core/batching_evaluator.h"

#include <utility>

#include "core/check.h"

namespace crossriver {

BatchingEvaluator::BatchingEvaluator(std::unique_ptr<Evaluator> inner,
                                     const BatchingOptions& options)
    : inner_(std::move(inner)), options_(options) {
  CR_CHECK(options.max_batch > 0);
  thread_ = std::thread([this] { Serve(); });
}

BatchingEvaluator::~BatchingEvaluator() {
  {
    MutexLock lock(&mutex_);
    CR_CHECK(queue_.empty());
    stopping_ = true;
  }
  work_.NotifyAll();
  thread_.join();
}

absl::Status BatchingEvaluator::Evaluate(std::span<const EvaluationRequest> requests,
                                         std::span<Evaluation> results) {
  CR_CHECK(requests.size() == results.size());
  if (requests.empty()) return absl::OkStatus();
  Waiting waiting;
  waiting.requests = requests;
  waiting.results = results;
  waiting.since = std::chrono::steady_clock::now();
  MutexLock lock(&mutex_);
  queue_.push_back(&waiting);
  queued_positions_ += requests.size();
  work_.NotifyOne();
  while (!waiting.done) answered_.Wait(&mutex_);
  return waiting.status;
}

BatchingEvaluator::Statistics BatchingEvaluator::statistics() const {
  MutexLock lock(&mutex_);
  return statistics_;
}

void BatchingEvaluator::Serve() {
  for (;;) {
    const std::vector<Waiting*> batch = TakeBatch();
    if (batch.empty()) return;
    const absl::Status status = EvaluateAll(batch);
    MutexLock lock(&mutex_);
    ++statistics_.calls;
    statistics_.positions += requests_.size();
    for (Waiting* waiting : batch) {
      waiting->status = status;
      waiting->done = true;
    }
    answered_.NotifyAll();
  }
}

std::vector<BatchingEvaluator::Waiting*> BatchingEvaluator::TakeBatch() {
  const auto full = static_cast<size_t>(options_.max_batch);
  std::vector<Waiting*> batch;
  MutexLock lock(&mutex_);
  while (queue_.empty() && !stopping_) work_.Wait(&mutex_);
  while (!queue_.empty() && queued_positions_ < full) {
    const auto left = queue_.front()->since + options_.deadline - std::chrono::steady_clock::now();
    if (left <= std::chrono::nanoseconds(0)) break;
    work_.WaitFor(&mutex_, left);
  }
  size_t positions = 0;
  while (!queue_.empty()) {
    const size_t more = queue_.front()->requests.size();
    if (!batch.empty() && positions + more > full) break;
    positions += more;
    batch.push_back(queue_.front());
    queue_.pop_front();
  }
  queued_positions_ -= positions;
  return batch;
}

absl::Status BatchingEvaluator::EvaluateAll(const std::vector<Waiting*>& batch) {
  requests_.clear();
  for (const Waiting* waiting : batch) {
    requests_.insert(requests_.end(), waiting->requests.begin(), waiting->requests.end());
  }
  results_.resize(requests_.size());
  absl::Status status = inner_->Evaluate(requests_, results_);
  if (!status.ok()) return status;
  auto result = results_.begin();
  for (Waiting* waiting : batch) {
    for (Evaluation& target : waiting->results) std::swap(target, *result++);
  }
  return absl::OkStatus();
}

}  // namespace crossriver
