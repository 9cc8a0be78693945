// Self-play on several threads.
#ifndef CROSSRIVER_SELFPLAY_WORKER_POOL_H_
#define CROSSRIVER_SELFPLAY_WORKER_POOL_H_

#include <memory>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "core/mutex.h"
#include "core/variant_group.h"
#include "selfplay/counters.h"
#include "selfplay/selfplay_options.h"
#include "selfplay/worker.h"

namespace crossriver {

// Workers, a thread each. They rest and end between two steps, so after one call of the evaluator
// at the latest. An error of one lets all rest; games in play are kept, and Resume tries again.
//
// Thread-safe but for Stop and the destructor, which one thread calls. Evaluators are made by the
// workers' threads, and destroyed by the one that destroys the pool.
class WorkerPool {
 public:
  // `workers` > 0; `options` must be valid and the seams outlive the pool. At rest until Resume.
  WorkerPool(const VariantGroup& variants, const SelfPlayOptions& options,
             const SelfPlaySeams& seams, int workers);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Lets the workers play on. Forgets an error.
  void Resume();
  // Returns when all workers are at rest: the first error since Resume, or OK.
  absl::Status Pause();
  // Ends the threads; games in play are lost. Returns as Pause does. No Resume after it.
  absl::Status Stop();

  // The first error since Resume, or OK.
  absl::Status status() const;
  SelfPlayCounts counts() const;

 private:
  enum class Order { kRest, kPlay, kStop };

  void Run(Worker* worker);
  // Waits for the order to play, and takes part. False: the order is to stop.
  bool Join();
  void Leave(const absl::StatusOr<bool>& step);

  std::vector<std::unique_ptr<Worker>> workers_;
  mutable Mutex mutex_;
  CondVar ordered_;
  CondVar rested_;
  Order order_ ABSL_GUARDED_BY(mutex_) = Order::kRest;
  int stepping_ ABSL_GUARDED_BY(mutex_) = 0;  // workers within a step
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::thread> threads_;  // last: they use the rest
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_WORKER_POOL_H_
