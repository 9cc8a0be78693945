#include "tests/slow_mates.h"

#include <vector>

#include "core/adjudicator.h"
#include "core/movegen.h"

namespace crossriver::testing {

bool MatesByAllLines(Position* position, History* history, int plies, bool attacking,
                     bool checks_only) {
  std::vector<Move> moves;
  GenerateLegalMoves(*position, &moves);
  const Outcome outcome = Adjudicate(*position, *history, !moves.empty());
  if (outcome.is_over()) {
    return moves.empty() && outcome.result == (attacking ? Result::kWin : Result::kLoss);
  }
  if (plies == 0) return false;
  for (const Move move : moves) {
    const UndoRecord undo = position->Do(move);
    history->Push(*position, undo);
    const bool allowed = !attacking || !checks_only || history->in_check();
    const bool mates =
        allowed && MatesByAllLines(position, history, plies - 1, !attacking, checks_only);
    history->Pop();
    position->Undo(move, undo);
    if (mates == attacking && allowed) return attacking;
  }
  return !attacking;
}

}  // namespace crossriver::testing
