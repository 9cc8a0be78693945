// A baseline engine for every variant: alpha-beta search over values worked out from the rules.
#ifndef CROSSRIVER_SELFPLAY_PLAYERS_ALPHABETA_H_
#define CROSSRIVER_SELFPLAY_PLAYERS_ALPHABETA_H_

#include <memory>

#include "core/history.h"
#include "core/position.h"
#include "core/rules.h"
#include "selfplay/players/alphabeta_options.h"
#include "selfplay/players/piece_values.h"

namespace crossriver {

class AlphaBetaSearch;

// Iterative deepening of a principal variation search (Marsland and Campbell 1982) with a
// transposition table, null moves (Donninger 1993) that are verified where little material is left,
// late move reductions, check extensions, and a quiescence search of captures, promotions and check
// evasions. Repetition, perpetual check and the no-progress rule are judged by core's adjudicator
// along each path; scores that rest on a repetition never get into the table.
//
// All arithmetic is of integers, and nothing hangs on time: the same calls since NewGame have the
// same results on every machine. One thread at a time; many objects side by side.
class AlphaBeta {
 public:
  AlphaBeta(const std::shared_ptr<const Rules>& rules, const AlphaBetaOptions& options);
  // With values that have been worked out before, from the same rules.
  AlphaBeta(std::shared_ptr<const Rules> rules, std::shared_ptr<const PieceValues> values,
            const AlphaBetaOptions& options);
  ~AlphaBeta();
  AlphaBeta(AlphaBeta&&) noexcept;
  AlphaBeta& operator=(AlphaBeta&&) noexcept;

  // Forgets everything: what follows is independent of what was before.
  void NewGame();
  // `position`, of the same rules, is the last of `history`.
  AlphaBetaResult Search(const Position& position, const History& history);

 private:
  std::shared_ptr<const Rules> rules_;
  std::shared_ptr<const PieceValues> values_;
  std::unique_ptr<AlphaBetaSearch> search_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_PLAYERS_ALPHABETA_H_
