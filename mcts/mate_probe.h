// A look for a forced win of the root before its tree is searched.
#ifndef CROSSRIVER_MCTS_MATE_PROBE_H_
#define CROSSRIVER_MCTS_MATE_PROBE_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "mcts/mate_solver.h"
#include "mcts/search.h"

namespace crossriver {

// Not synchronised.
class MateProbe {
 public:
  // Positions expanded at most, > 0.
  explicit MateProbe(int64_t max_nodes);

  // Between Search::Begin and the first NextLeaf. True: there is a win, found after the moves of
  // this very game; the search has ended and its result says so. Takes a quarter of the search's
  // time at most, gives up when the search is stopped, and asks `interrupted` often.
  bool Run(
      Search* search, absl::FunctionRef<bool()> interrupted = [] { return false; });

 private:
  MateSolver solver_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_MCTS_MATE_PROBE_H_
