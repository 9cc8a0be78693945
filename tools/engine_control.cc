#include "tools/engine_control.h"

#include "core/check.h"

namespace crossriver {

void EngineControl::Begin(bool infinite, bool pondering, Clock::time_point now) {
  MutexLock lock(&mutex_);
  CR_CHECK(!searching_);
  searching_ = true;
  infinite_ = infinite;
  pondering_ = pondering;
  clock_start_ = now;
  stopped_ = interrupted_ = false;
}

void EngineControl::Stop() {
  MutexLock lock(&mutex_);
  if (!searching_) return;
  stopped_ = interrupted_ = true;
  changed_.NotifyAll();
}

bool EngineControl::PonderHit(Clock::time_point now) {
  MutexLock lock(&mutex_);
  if (!searching_ || !pondering_) return false;
  pondering_ = false;
  clock_start_ = now;
  interrupted_ = true;
  changed_.NotifyAll();
  return true;
}

bool EngineControl::searching() const {
  MutexLock lock(&mutex_);
  return searching_;
}

bool EngineControl::busy() const {
  MutexLock lock(&mutex_);
  return searching_ && !stopped_;
}

EngineControl::State EngineControl::Look() {
  MutexLock lock(&mutex_);
  interrupted_ = stopped_.load();
  return {stopped_, pondering_, clock_start_};
}

void EngineControl::WaitForRelease() {
  MutexLock lock(&mutex_);
  while (!stopped_ && (infinite_ || pondering_)) changed_.Wait(&mutex_);
}

void EngineControl::End() {
  MutexLock lock(&mutex_);
  searching_ = false;
}

}  // namespace crossriver
