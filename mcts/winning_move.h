// Moves that win at once, which are seen before an evaluator is asked.
#ifndef CROSSRIVER_MCTS_WINNING_MOVE_H_
#define CROSSRIVER_MCTS_WINNING_MOVE_H_

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/position.h"
#include "core/types.h"

namespace crossriver {

// The index of the first of `moves`, the legal ones, after which the opponent has none and loses
// for it; no history can change that. The position is played on and left as it was.
std::optional<size_t> FindWinningMove(Position* position, std::span<const Move> moves);

// Logarithms of priors for `count` moves that leave little to the others than the winning one.
std::vector<float> LogPriorsOfWin(size_t count, size_t winning);

}  // namespace crossriver

#endif  // CROSSRIVER_MCTS_WINNING_MOVE_H_
