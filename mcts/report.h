// From a tree to a SearchResult.
#ifndef CROSSRIVER_MCTS_REPORT_H_
#define CROSSRIVER_MCTS_REPORT_H_

#include "mcts/mate_solver.h"
#include "mcts/options.h"
#include "mcts/result.h"
#include "mcts/root.h"
#include "mcts/tree.h"

namespace crossriver {

// Fills moves, best, values and proof from the root, which must be open and prepared, with no walk
// under way.
void ReportRoot(Tree* tree, const Root& root, const SearchOptions& options, SearchResult* result);

// A root of which a forced win is known that the tree may not have found. The result is otherwise
// complete; the move that wins comes first, with the line.
void ReportMate(const MateResult& mate, SearchResult* result);

// The value less `deviations` standard errors. Of a visit the variance is taken to be that of a
// game that ends with the probabilities `wdl`, which is the most it can be for such a mean.
float LowerBound(const Wdl& wdl, int64_t visits, float draw_score, float deviations);

}  // namespace crossriver

#endif  // CROSSRIVER_MCTS_REPORT_H_
