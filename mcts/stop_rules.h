// When a search has seen enough.
#ifndef CROSSRIVER_MCTS_STOP_RULES_H_
#define CROSSRIVER_MCTS_STOP_RULES_H_

#include <chrono>
#include <cstdint>
#include <vector>

#include "absl/time/time.h"
#include "core/mutex.h"
#include "mcts/options.h"
#include "mcts/result.h"
#include "mcts/tree.h"

namespace crossriver {

// The rules of SearchLimits that look at the clock or at the root's visits. Check may be called by
// several threads.
class StopRules {
 public:
  // `base_visits`: of the root before this search.
  void Begin(const SearchLimits& limits, const SearchOptions& options, int64_t base_visits);
  const SearchLimits& limits() const { return limits_; }

  // kNone, or why to stop. The root's lock must not be held.
  StopReason Check(Tree* tree) { return looks_ ? Look(tree) : StopReason::kNone; }

 private:
  StopReason Look(Tree* tree);
  StopReason LookAtRoot(Tree* tree) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool IsClear(int64_t visits) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::Duration Spent() const {
    return absl::FromChrono(std::chrono::steady_clock::now() - begin_);
  }
  double KlGain() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  SearchLimits limits_;
  bool concurrent_ = false;
  bool looks_ = false;          // some rule here is set
  bool looks_at_root_ = false;  // KL gain or clear best
  std::chrono::steady_clock::time_point begin_;
  int64_t base_visits_ = 0;

  Mutex mutex_;
  int64_t next_look_ ABSL_GUARDED_BY(mutex_) = 0;        // when there are so many visits
  std::vector<int64_t> visits_ ABSL_GUARDED_BY(mutex_);  // by edge, at this look
  std::vector<int64_t> before_ ABSL_GUARDED_BY(mutex_);  // and at the one before
};

}  // namespace crossriver

#endif  // CROSSRIVER_MCTS_STOP_RULES_H_
