// Counting the leaves of the tree of legal moves, the standard test of a move generator.
#ifndef CROSSRIVER_CORE_PERFT_H_
#define CROSSRIVER_CORE_PERFT_H_

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "core/position.h"
#include "core/types.h"

namespace crossriver {

struct PerftOptions {
  int depth = 1;
  int threads = 1;
  // Counts the moves of the last ply by population count instead of playing them.
  bool bulk = true;
  // Plays moves on copies of the position instead of taking them back; for comparison.
  bool copy_make = false;
  // Called after each root move with the number done and their total, from one thread at a time.
  std::function<void(int done, int total)> progress;
};

// Leaves at the depth below each root move, in the generator's order. Repetition and no-progress do
// not end lines. At depth 0 there are no root moves and one leaf.
std::vector<std::pair<Move, uint64_t>> PerftDivide(const Position& position,
                                                   const PerftOptions& options);
uint64_t Perft(const Position& position, const PerftOptions& options);

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_PERFT_H_
