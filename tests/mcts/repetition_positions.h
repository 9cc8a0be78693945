// Games that are about to end by repetition or perpetual check, of every variant family.
#ifndef CROSSRIVER_TESTS_MCTS_REPETITION_POSITIONS_H_
#define CROSSRIVER_TESTS_MCTS_REPETITION_POSITIONS_H_

#include <string>

namespace crossriver::testing {

struct RepetitionCase {
  const char* variant;
  // The first player is a Rook ahead. The cycle begins with the second player's move.
  const char* fen;
  const char* cycle[4];
  int occurrences;  // that end the game
};

inline constexpr RepetitionCase kRepetitions[] = {
    {"xiangqi", "3k5/9/9/9/9/9/9/9/R8/4K4 b 0 1", {"d10d9", "a2a1", "d9d10", "a1a2"}, 3},
    {"switchback", "4k4/9/9/9/9/9/9/9/R8/7K1 b 0 1", {"e10e9", "a2a1", "e9e10", "a1a2"}, 3},
    {"shoxiang-sh-standard",
     "4k4/9/9/9/9/9/9/9/9/9/R8/8K[] b 0 1",
     {"e12e11", "a2a1", "e11e12", "a1a2"},
     3},
    {"shoxiang-xq-weak",
     "3k5/9/9/9/9/9/9/9/9/9/R8/5K3[] b 0 1",
     {"d12d11", "a2a1", "d11d12", "a1a2"},
     3},
    {"shogi", "4k4/9/9/9/9/9/9/R8/8K[] b 0 1", {"e9e8", "a2a1", "e8e9", "a1a2"}, 4},
};

// The first player gives check with every move; going on to the last occurrence loses.
inline constexpr RepetitionCase kPerpetualChecks[] = {
    {"xiangqi", "3k5/R8/9/9/9/9/9/9/9/5K3 w 0 1", {"a9a10", "d10d9", "a10a9", "d9d10"}, 3},
    {"switchback", "4k4/9/9/p8/9/9/3R2P1P/9/9/7K1 w 0 1", {"d4e4", "e10d10", "e4d4", "d10e10"}, 3},
    {"shogi", "9/9/9/9/4k4/R8/9/9/8K[] w 0 1", {"a4a5", "e5e4", "a5a4", "e4e5"}, 4},
};

// The first moves of the cycle, over and over, as words.
inline std::string Cycles(const RepetitionCase& c, int plies) {
  std::string moves;
  for (int i = 0; i < plies; ++i) moves += std::string(c.cycle[i % 4]) + " ";
  return moves;
}

}  // namespace crossriver::testing

#endif  // CROSSRIVER_TESTS_MCTS_REPETITION_POSITIONS_H_
