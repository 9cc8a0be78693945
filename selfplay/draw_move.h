// Moves drawn at random, the better the likelier.
#ifndef CROSSRIVER_SELFPLAY_DRAW_MOVE_H_
#define CROSSRIVER_SELFPLAY_DRAW_MOVE_H_

#include <cstddef>
#include <span>

#include "core/types.h"
#include "mcts/random.h"
#include "mcts/result.h"

namespace crossriver {

// An index with a probability in proportion to its weight to the power of 1 / temperature. At
// temperatures near 0 that of the largest weight, the first of equals. No weight may be negative,
// and one must be positive.
size_t DrawByWeight(std::span<const float> weights, double temperature, RandomStream* random);

// The move to play after a search: drawn by its policy target, lost moves excluded. The best one
// where the root is proven and at temperatures near 0. The game must not be over.
Move DrawMove(const SearchResult& result, double temperature, RandomStream* random);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_DRAW_MOVE_H_
