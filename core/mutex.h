// A mutex that both clang's thread-safety analysis and the thread sanitizer understand. (The
// distribution's Abseil is not instrumented: the sanitizer does not see absl::Mutex.)
#ifndef CROSSRIVER_CORE_MUTEX_H_
#define CROSSRIVER_CORE_MUTEX_H_

#include <mutex>

#include "absl/base/thread_annotations.h"

namespace crossriver {

class ABSL_LOCKABLE Mutex {
 public:
  void Lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() { mutex_.lock(); }
  void Unlock() ABSL_UNLOCK_FUNCTION() { mutex_.unlock(); }

 private:
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

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_MUTEX_H_
