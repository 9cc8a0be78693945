// The few words that pass between the thread that reads commands and the one that searches.
#ifndef CROSSRIVER_TOOLS_ENGINE_CONTROL_H_
#define CROSSRIVER_TOOLS_ENGINE_CONTROL_H_

#include <atomic>
#include <chrono>

#include "absl/base/thread_annotations.h"
#include "core/mutex.h"

namespace crossriver {

// One search at a time: Begin, then from the searching thread Look … WaitForRelease, End. Stop and
// PonderHit by the reading thread at any time. All functions are thread-safe.
class EngineControl {
 public:
  using Clock = std::chrono::steady_clock;

  // A search begins, of which the time counts from `now`. An infinite one, and one of a move that
  // the opponent may never make, keeps its answer until it is stopped.
  void Begin(bool infinite, bool pondering, Clock::time_point now);
  // Without a search they change nothing; PonderHit is false where nobody ponders. Time then counts
  // from `now`.
  void Stop();
  bool PonderHit(Clock::time_point now);

  bool searching() const;
  bool busy() const;  // with a search that has not been stopped

  // What the searching thread has to know. Clears interrupted(), until something changes.
  struct State {
    bool stopped = false;
    bool pondering = false;
    Clock::time_point clock_start;
  };
  State Look();
  bool interrupted() const { return interrupted_.load(std::memory_order_relaxed); }
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  // Until the answer may be given.
  void WaitForRelease();
  void End();

 private:
  mutable Mutex mutex_;
  CondVar changed_;
  bool searching_ ABSL_GUARDED_BY(mutex_) = false;
  bool infinite_ ABSL_GUARDED_BY(mutex_) = false;
  bool pondering_ ABSL_GUARDED_BY(mutex_) = false;
  Clock::time_point clock_start_ ABSL_GUARDED_BY(mutex_);
  // Read often, without the lock.
  std::atomic<bool> stopped_ = false;
  std::atomic<bool> interrupted_ = false;
};

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_ENGINE_CONTROL_H_
