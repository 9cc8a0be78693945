// What a search has found.
#ifndef CROSSRIVER_MCTS_RESULT_H_
#define CROSSRIVER_MCTS_RESULT_H_

#include <cstdint>
#include <vector>

#include "core/adjudicator.h"
#include "core/evaluator.h"
#include "core/types.h"

namespace crossriver {

// A result that holds whatever either side plays, for the side to move.
struct Proof {
  Result result = Result::kNone;  // kNone: not proven
  // Plies to the end where both play as the search found best; -1 = not known. A win may be
  // possible in less.
  int distance = -1;
  // Whether it rests on a repetition or perpetual check, and so holds only after this game's moves.
  bool depends_on_path = false;
};

enum class StopReason : uint8_t {
  kNone,      // has not ended
  kGameOver,  // the root is the end of the game
  kProven,
  kVisits,
  kNodes,
  kTime,
  kKlGain,
  kClearBest,
  kStopped,  // by Search::Stop
};

// One legal move of the root. Values and proof are as the side to move at the root sees them.
struct MoveResult {
  Move move;
  int64_t visits = 0;      // all that its value rests on
  int64_t new_visits = 0;  // of this search
  float prior = 0;         // the evaluator's
  float target = 0;        // the policy target's share; sums to 1 over all moves
  float score = 0;         // from 0 to 1: wins plus draws at SearchOptions::draw_score
  float lower_bound = 0;   // confidence bound of `score`; 0 without visits
  Wdl wdl;                 // of moves without visits the root's; all 0 where none is known
  Proof proof;
  std::vector<Move> pv;  // begins with `move`; the most visited, or proven, line
};

struct SearchResult {
  // Where the game is over already; then there are no moves.
  Outcome outcome;
  // The move to play; null where there is none.
  Move best;
  // All legal moves, best first: the move to play, then by what is proven and by visits.
  std::vector<MoveResult> moves;
  Wdl wdl;      // mean over the root's visits, or what is proven
  Wdl raw_wdl;  // the evaluator's, of the root alone; all 0 where it was not asked
  Proof proof;
  int64_t visits = 0;       // of this search
  int64_t evaluations = 0;  // of this search
  int64_t tree_visits = 0;  // that the root's mean rests on
  size_t tree_bytes = 0;    // in use
  StopReason stopped = StopReason::kNone;
};

}  // namespace crossriver

#endif  // CROSSRIVER_MCTS_RESULT_H_
