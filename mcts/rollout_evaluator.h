// Values by random games.
#ifndef CROSSRIVER_MCTS_ROLLOUT_EVALUATOR_H_
#define CROSSRIVER_MCTS_ROLLOUT_EVALUATOR_H_

#include <cstdint>

#include "absl/status/status.h"
#include "core/evaluator.h"

namespace crossriver {

struct RolloutOptions {
  int games = 1;        // a position; at least 1
  int max_plies = 200;  // of a game, which then counts as a draw; at least 1
  uint64_t seed = 1;
};

// Uniform priors, and as value the results of games of random moves from the position. The games
// follow from the seed and the position's key, so that a position has one value whenever and by
// whichever thread it is asked for. Repetitions count from the game's start on. Thread-safe.
class RolloutEvaluator : public Evaluator {
 public:
  explicit RolloutEvaluator(const RolloutOptions& options) : options_(options) {}

  absl::Status Evaluate(std::span<const EvaluationRequest> requests,
                        std::span<Evaluation> results) override;
  uint64_t id() const override;

 private:
  const RolloutOptions options_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_MCTS_ROLLOUT_EVALUATOR_H_
