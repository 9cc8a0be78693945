// Many searches, one call of the evaluator: cross-game batching.
#ifndef CROSSRIVER_MCTS_BATCH_DRIVER_H_
#define CROSSRIVER_MCTS_BATCH_DRIVER_H_

#include <span>
#include <vector>

#include "absl/status/status.h"
#include "core/evaluator.h"
#include "mcts/search.h"

namespace crossriver {

// Runs searches side by side, each with one leaf out at a time, as one worker of self-play does
// with its games: batches as large as there are searches, and no virtual loss. Not synchronised;
// one thread.
class BatchDriver {
 public:
  // Not owned.
  explicit BatchDriver(Evaluator* evaluator) : evaluator_(evaluator) {}

  // A search takes part from the next Step on, until it is replaced, in one place at a time. It has
  // no leaf out between steps, and always the same one within. Returns the place.
  size_t Add(Search* search);
  // Another search in a place, or none (null).
  void Replace(size_t place, Search* search);

  // Asks every search for a leaf, evaluates all of them in one call, and delivers. After an error
  // all leaves are back and nothing was learnt. Returns the number of leaves; 0: all are done.
  absl::StatusOr<int> Step();

  // Steps until all searches are done.
  absl::Status Run();

  // Whether the last Step found the search in a place done.
  bool done(size_t place) const { return slots_[place].done; }

 private:
  struct Slot {
    Search* search = nullptr;
    Leaf* leaf = nullptr;
    bool done = false;
  };

  Evaluator* evaluator_;
  std::vector<Slot> slots_;
  // Of the present step.
  std::vector<Slot*> asking_;
  std::vector<EvaluationRequest> requests_;
  std::vector<Evaluation> results_;
};

// The whole of a search with one leaf out at a time.
absl::StatusOr<SearchResult> RunSearch(Search* search, const SearchLimits& limits,
                                       Evaluator* evaluator);

}  // namespace crossriver

#endif  // CROSSRIVER_MCTS_BATCH_DRIVER_H_
