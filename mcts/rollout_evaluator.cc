#include "mcts/rollout_evaluator.h"

#include <cmath>
#include <vector>

#include "core/adjudicator.h"
#include "core/movegen.h"
#include "mcts/backup.h"
#include "mcts/random.h"

namespace crossriver {
namespace {

// The result of one random game, for the side to move at its start.
Wdl PlayOut(const EvaluationRequest& request, int max_plies, RandomStream* random) {
  Position position = *request.position;
  History history = *request.history;
  std::vector<Move> moves(request.moves.begin(), request.moves.end());
  for (int ply = 0;; ++ply) {
    const Outcome outcome = Adjudicate(position, history, !moves.empty());
    if (outcome.is_over()) {
      const Wdl wdl = ExactWdl(WorthOf(outcome.result));
      return ply % 2 == 0 ? wdl : Turned(wdl);
    }
    if (ply == max_plies) return ExactWdl(Worth::kDraw);
    const UndoRecord undo = position.Do(moves[random->Below(moves.size())]);
    history.Push(position, undo);
    GenerateLegalMoves(position, &moves);
  }
}

}  // namespace

absl::Status RolloutEvaluator::Evaluate(std::span<const EvaluationRequest> requests,
                                        std::span<Evaluation> results) {
  for (size_t i = 0; i < requests.size(); ++i) {
    const size_t moves = requests[i].moves.size();
    results[i].log_priors.assign(moves, -std::log(static_cast<float>(moves)));
    RandomStream random(options_.seed ^ requests[i].position->key());
    Wdl sum;
    for (int game = 0; game < options_.games; ++game) {
      const Wdl wdl = PlayOut(requests[i], options_.max_plies, &random);
      sum = {sum.win + wdl.win, sum.draw + wdl.draw, sum.loss + wdl.loss};
    }
    const auto games = static_cast<float>(options_.games);
    results[i].wdl = {sum.win / games, sum.draw / games, sum.loss / games};
  }
  return absl::OkStatus();
}

uint64_t RolloutEvaluator::id() const {
  RandomStream mixer(options_.seed + static_cast<uint64_t>(options_.games) * 1000003 +
                     static_cast<uint64_t>(options_.max_plies) * 7919);
  return mixer.Next();
}

}  // namespace crossriver
