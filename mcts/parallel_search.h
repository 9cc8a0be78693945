// One search by several threads, in batches: for play and analysis.
#ifndef CROSSRIVER_MCTS_PARALLEL_SEARCH_H_
#define CROSSRIVER_MCTS_PARALLEL_SEARCH_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/evaluator.h"
#include "core/mutex.h"
#include "mcts/mate_probe.h"
#include "mcts/search.h"

namespace crossriver {

struct ParallelOptions {
  int threads = 1;  // more than one wants SearchOptions::concurrent
  int batch = 1;    // leaves of a thread in a call of the evaluator, at most
  // Whether the evaluator may be called by several threads at once; else they take turns.
  bool evaluator_is_thread_safe = false;
  // Positions of a probe for a forced win of the root before the search; 0 = none.
  int64_t mate_nodes = 0;
  // Asked before each batch by every thread; true stops the search. Empty: not asked.
  std::function<bool()> interrupted;
};

// Threads gather leaves of the one tree, evaluate them, and deliver. A stop is answered when the
// calls of the evaluator that are under way have come back. Run by one thread at a time.
class ParallelSearch {
 public:
  // Neither is owned. Uses threads times batch of the search's leaves, or as many as there may be:
  // one driver at a time.
  ParallelSearch(Search* search, Evaluator* evaluator, const ParallelOptions& options);

  // From Begin to Result. An error of the evaluator ends it.
  absl::StatusOr<SearchResult> Run(const SearchLimits& limits);

 private:
  // What one thread needs for a batch; kept from run to run, for its memory.
  struct Worker {
    std::vector<Leaf*> leaves;
    std::vector<EvaluationRequest> requests;
    std::vector<Evaluation> results;
  };

  bool Interrupted() const { return options_.interrupted && options_.interrupted(); }
  void Work(Worker* worker);
  absl::Status Evaluate(Worker* worker);
  void GiveBack(Worker* worker, const absl::Status& status);
  void WaitForAnswer(uint64_t seen);

  Search* search_;
  Evaluator* evaluator_;
  const ParallelOptions options_;
  std::optional<MateProbe> mate_probe_;
  std::vector<Worker> workers_;

  Mutex evaluator_mutex_;
  std::atomic<uint64_t> answers_ = 0;  // batches that came back
  std::atomic<int> waiting_ = 0;
  Mutex mutex_;
  CondVar answered_;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace crossriver

#endif  // CROSSRIVER_MCTS_PARALLEL_SEARCH_H_
