// Two evaluators against each other.
#ifndef CROSSRIVER_SELFPLAY_EVALUATOR_MATCH_H_
#define CROSSRIVER_SELFPLAY_EVALUATOR_MATCH_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "core/evaluator.h"
#include "core/rules.h"
#include "mcts/options.h"
#include "selfplay/match_score.h"
#include "selfplay/sprt.h"

namespace crossriver {

struct EvaluatorMatchOptions {
  int games = 100;     // an odd one is left out: each opening is played twice, with sides swapped
  int visits = 32;     // a move
  int at_a_time = 64;  // games of a thread side by side: twice the size of the evaluators' batches
  int threads = 1;     // with more than one, evaluators must be thread-safe
  int opening_plies = 6;  // random, from the variant's own array; fewer where no game is that long
  int max_plies = 300;    // then the game is a draw
  RootPolicy root_policy = RootPolicy::kGumbel;  // without noise
  uint64_t seed = 1;
  std::optional<SprtOptions> sprt;  // ends the match early; valid
  std::function<bool()> interrupted;
  std::function<void(int64_t games)> progress;
};

// A match of two searches that differ in their evaluators alone, as the first ("A") sees it. With a
// sequential test, of the pairs up to its decision. Neither evaluator is owned. Errors: theirs;
// Cancelled when interrupted. The same evaluations and options give the same result, whatever
// `threads` is.
absl::StatusOr<MatchScore> PlayMatch(const std::shared_ptr<const Rules>& rules, Evaluator* a,
                                     Evaluator* b, const EvaluatorMatchOptions& options);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_EVALUATOR_MATCH_H_
