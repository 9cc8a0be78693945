#include "selfplay/worker_pool.h"

#include <chrono>
#include <utility>

#include "core/check.h"

namespace crossriver {
namespace {

// How long a worker without games waits before it asks for one again.
constexpr std::chrono::milliseconds kIdle{2};

}  // namespace

WorkerPool::WorkerPool(const VariantGroup& variants, const SelfPlayOptions& options,
                       const SelfPlaySeams& seams, int workers) {
  CR_CHECK(workers > 0);
  for (int i = 0; i < workers; ++i) {
    workers_.push_back(std::make_unique<Worker>(variants, options, seams));
  }
  for (const std::unique_ptr<Worker>& worker : workers_) {
    threads_.emplace_back([this, &worker] { Run(worker.get()); });
  }
}

WorkerPool::~WorkerPool() { Stop().IgnoreError(); }

void WorkerPool::Resume() {
  MutexLock lock(&mutex_);
  if (order_ == Order::kStop) return;
  order_ = Order::kPlay;
  status_ = absl::OkStatus();
  ordered_.NotifyAll();
}

absl::Status WorkerPool::Pause() {
  MutexLock lock(&mutex_);
  if (order_ == Order::kPlay) order_ = Order::kRest;
  while (stepping_ > 0) rested_.Wait(&mutex_);
  return status_;
}

absl::Status WorkerPool::Stop() {
  {
    MutexLock lock(&mutex_);
    order_ = Order::kStop;
    ordered_.NotifyAll();
  }
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  return status();
}

absl::Status WorkerPool::status() const {
  MutexLock lock(&mutex_);
  return status_;
}

SelfPlayCounts WorkerPool::counts() const {
  std::vector<const SelfPlayCounters*> counters;
  for (const std::unique_ptr<Worker>& worker : workers_) counters.push_back(&worker->counters());
  return Sum(counters);
}

void WorkerPool::Run(Worker* worker) {
  while (Join()) Leave(worker->Step());
}

bool WorkerPool::Join() {
  MutexLock lock(&mutex_);
  while (order_ == Order::kRest) ordered_.Wait(&mutex_);
  if (order_ == Order::kStop) return false;
  ++stepping_;
  return true;
}

void WorkerPool::Leave(const absl::StatusOr<bool>& step) {
  MutexLock lock(&mutex_);
  --stepping_;
  if (!step.ok()) {
    if (status_.ok()) status_ = step.status();
    if (order_ == Order::kPlay) order_ = Order::kRest;
  }
  if (stepping_ == 0) rested_.NotifyAll();
  if (step.ok() && !*step && order_ == Order::kPlay) ordered_.WaitFor(&mutex_, kIdle);
}

}  // namespace crossriver
