// How an alpha-beta search searches, and what it finds.
#ifndef CROSSRIVER_SELFPLAY_PLAYERS_ALPHABETA_OPTIONS_H_
#define CROSSRIVER_SELFPLAY_PLAYERS_ALPHABETA_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/types.h"

namespace crossriver {

// A path from the root never gets longer than this, in plies.
inline constexpr int kMaxSearchPly = 96;

inline constexpr int kMaxSearchDepth = 64;

// A win in n plies scores kMateScore - n, a loss in n plies -kMateScore + n.
inline constexpr int kMateScore = 32'000;
inline constexpr int kLeastMateScore = kMateScore - kMaxSearchPly - 1;

struct AlphaBetaOptions {
  // Positions searched, at least 1. A search stops at this number exactly, unless it knows all
  // there is to know before. A position counts each time that the search is called on it, at the
  // root, in the tree or in the quiescence search.
  int64_t nodes = 10'000;
  int max_depth = kMaxSearchDepth;  // of full-width search, in plies, from 1 on; no more than that
  // Of the transposition table, at most; a search of few nodes gets less. 0 = no table.
  size_t table_bytes = size_t{8} << 20;
  // Everything that may change the score that a plain search of the same depth has: null moves,
  // reductions, pruning, extensions, repetitions judged before the game is over. Without it, a
  // depth that is finished has the score of plain minimax.
  bool selective = true;
  // Captures are followed for so many plies beyond the full-width search.
  int quiescence_plies = 24;
};

struct AlphaBetaResult {
  Move move;      // null where the game is over
  int score = 0;  // the mover's view, in hundredths of a small piece
  // Plies to the end of the game where it is a proven win (> 0) or loss (< 0, and at least one) of
  // the mover; else 0. There may be a shorter one.
  int mate_plies = 0;
  int depth = 0;  // finished; 0 where the nodes did not suffice for a depth of 1
  int64_t nodes = 0;
  std::vector<Move> pv;  // the line expected, `move` first; it may break off early
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_PLAYERS_ALPHABETA_OPTIONS_H_
