// A mutex that both clang's thread-safety analysis and the thread sanitizer understand. (The
// distribution's Abseil is not instrumented: the sanitizer does not see absl::Mutex.)
#ifndef CROSSRIVER_CORE_MUTEX_H_
#define CROSSRIVER_CORE_MUTEX_H_

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "absl/base/thread_annotations.h"

namespace crossriver {

class ABSL_LOCKABLE Mutex {
 public:
  void Lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() { mutex_.lock(); }
  void Unlock() ABSL_UNLOCK_FUNCTION() { mutex_.unlock(); }

 private:
  friend class CondVar;
  std::mutex mutex_;
};

// Holds the mutex while it lives.
class ABSL_SCOPED_LOCKABLE MutexLock {
 public:
  explicit MutexLock(Mutex* mutex) ABSL_EXCLUSIVE_LOCK_FUNCTION(mutex) : mutex_(mutex) {
    mutex_->Lock();
  }
  ~MutexLock() ABSL_UNLOCK_FUNCTION() { mutex_->Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex* mutex_;
};

// A condition of something that a mutex guards. Waits may return early: test the condition in a
// loop.
class CondVar {
 public:
  // Returns at a notification or when the time is over, with the mutex held as before.
  void WaitFor(Mutex* mutex, std::chrono::milliseconds time) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    std::unique_lock<std::mutex> lock(mutex->mutex_, std::adopt_lock);
    condition_.wait_for(lock, time);
    lock.release();
  }
  void NotifyAll() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_MUTEX_H_
