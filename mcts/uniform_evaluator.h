// An evaluator that knows nothing.
#ifndef CROSSRIVER_MCTS_UNIFORM_EVALUATOR_H_
#define CROSSRIVER_MCTS_UNIFORM_EVALUATOR_H_

#include "core/evaluator.h"

namespace crossriver {

// All moves are as likely, and every position has the same value. Costs next to nothing: for tests,
// for the speed of the search itself, and for play by proofs alone. Thread-safe.
class UniformEvaluator : public Evaluator {
 public:
  absl::Status Evaluate(std::span<const EvaluationRequest> requests,
                        std::span<Evaluation> results) override;
  uint64_t id() const override { return 0x756e69666f726d; }
};

}  // namespace crossriver

#endif  // CROSSRIVER_MCTS_UNIFORM_EVALUATOR_H_
