#include "mcts/uniform_evaluator.h"

#include <cmath>

namespace crossriver {

absl::Status UniformEvaluator::Evaluate(std::span<const EvaluationRequest> requests,
                                        std::span<Evaluation> results) {
  for (size_t i = 0; i < requests.size(); ++i) {
    const size_t moves = requests[i].moves.size();
    results[i].log_priors.assign(moves, -std::log(static_cast<float>(moves)));
    results[i].wdl = {0.25F, 0.5F, 0.25F};
  }
  return absl::OkStatus();
}

}  // namespace crossriver
