// Forced wins by proof-number search.
#ifndef CROSSRIVER_MCTS_MATE_SOLVER_H_
#define CROSSRIVER_MCTS_MATE_SOLVER_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "core/history.h"
#include "core/position.h"
#include "core/types.h"
#include "mcts/mate_table.h"

namespace crossriver {

struct MateOptions {
  int max_plies = 31;             // of the longest win looked for
  int64_t max_nodes = 1'000'000;  // positions expanded
  size_t table_bytes = size_t{16} << 20;
  bool checks_only = false;  // the attacker gives check with every move, as in tsume shogi
};

struct MateResult {
  enum class Answer : uint8_t {
    kMate,
    kNoMate,   // not within max_plies
    kUnknown,  // max_nodes or a stop came first
  };
  Answer answer = Answer::kUnknown;
  int plies = 0;           // of kMate, else 0: against the best defence, and no less will do
  std::vector<Move> line;  // of kMate: attack and a longest defence; may break off early
  // Of kNoMate: up to where there is none for certain, also with kUnknown.
  int searched_plies = 0;
  int64_t nodes = 0;
};

// Looks for wins of the side to move, in 1, 3, 5, … plies: for each depth df-pn (Nagai 2002), the
// depth-first form of proof-number search, over pairs of position and plies left. Those never
// repeat on a path, so the answer does not hang on the order of the search, as it can where
// positions alone are the states (the graph history interaction problem).
//
// A win is a position in which the rules let the defender lose for want of a move: checkmate, or
// stalemate where that loses. Repetition and perpetual check, which the game's history counts
// toward, and the no-progress rule end a line without a win, also where they would win: such an end
// depends on the path, so it is never stored in the table, nor what rests on it.
//
// Not synchronised.
class MateSolver {
 public:
  explicit MateSolver(const MateOptions& options)
      : options_(options), table_(options.table_bytes) {}

  // `position` is the last of `history`. `stopped` is asked at each position, until it is true.
  MateResult Solve(
      const Position& position, const History& history,
      absl::FunctionRef<bool()> stopped = [] { return false; });

 private:
  const MateOptions options_;
  MateTable table_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_MCTS_MATE_SOLVER_H_
