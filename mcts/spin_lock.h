// A lock of one byte, for the nodes of a tree.
#ifndef CROSSRIVER_MCTS_SPIN_LOCK_H_
#define CROSSRIVER_MCTS_SPIN_LOCK_H_

#include <atomic>
#include <thread>

namespace crossriver {

// Held for some tens of nanoseconds at a time, by threads that never wait while they hold one
// except for the lock of the node's parent.
class ABSL_LOCKABLE SpinLock {
 public:
  void Lock() {
    int spins = 0;
    while (locked_.exchange(true, std::memory_order_acquire)) {
      while (locked_.load(std::memory_order_relaxed)) {
        // Much longer than a lock is held: its holder has lost its processor.
        if (++spins % 4096 == 0) std::this_thread::yield();
      }
    }
  }
  void Unlock() { locked_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> locked_ = false;
};

}  // namespace crossriver

#endif  // CROSSRIVER_MCTS_SPIN_LOCK_H_
