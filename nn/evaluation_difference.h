// How far two evaluators are apart. Needs no LibTorch.
#ifndef CROSSRIVER_NN_EVALUATION_DIFFERENCE_H_
#define CROSSRIVER_NN_EVALUATION_DIFFERENCE_H_

#include <vector>

#include "absl/status/statusor.h"
#include "core/evaluator.h"
#include "nn/practice_games.h"

namespace crossriver {

struct EvaluationDifference {
  int positions = 0;
  double mean_divergence = 0;  // Kullback-Leibler, of the second policy from the first, in nats
  double max_policy = 0;       // largest difference of one move's probability
  double same_best = 0;        // share of positions with the same likeliest move
  double mean_value = 0;       // mean absolute difference of win - loss
  double max_wdl = 0;          // largest difference of a win, draw or loss probability
};

absl::StatusOr<EvaluationDifference> CompareEvaluators(Evaluator* first, Evaluator* second,
                                                       const std::vector<SamplePosition>& samples);

}  // namespace crossriver

#endif  // CROSSRIVER_NN_EVALUATION_DIFFERENCE_H_
