#include "mcts/winning_move.h"

#include <cmath>

#include "core/adjudicator.h"
#include "core/attacks.h"
#include "core/movegen.h"

namespace crossriver {
namespace {

// Of what the winning move has; above the smallest half-precision number, so that no logarithm of a
// stored prior is infinite.
constexpr float kRest = -6.0F;

}  // namespace

std::optional<size_t> FindWinningMove(Position* position, std::span<const Move> moves) {
  for (size_t i = 0; i < moves.size(); ++i) {
    const UndoRecord undo = position->Do(moves[i]);
    const bool wins = !HasLegalMove(*position) &&
                      AdjudicateNoMove(*position, InCheck(*position)).result == Result::kLoss;
    position->Undo(moves[i], undo);
    if (wins) return i;
  }
  return std::nullopt;
}

std::vector<float> LogPriorsOfWin(size_t count, size_t winning) {
  const float best = -std::log(1.0F + static_cast<float>(count - 1) * std::exp(kRest));
  std::vector<float> log_priors(count, best + kRest);
  log_priors[winning] = best;
  return log_priors;
}

}  // namespace crossriver
