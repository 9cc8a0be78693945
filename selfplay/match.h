// Two evaluators against each other.
#ifndef CROSSRIVER_SELFPLAY_MATCH_H_
#define CROSSRIVER_SELFPLAY_MATCH_H_

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "absl/status/statusor.h"
#include "core/evaluator.h"
#include "core/rules.h"
#include "mcts/options.h"

namespace crossriver {

struct MatchOptions {
  int games = 100;        // an odd one is left out: each start is played twice, with sides changed
  int visits = 32;        // a move
  int at_a_time = 64;     // games side by side: the size of the evaluators' batches
  int opening_plies = 6;  // random, from the variant's own array; fewer where no game is that long
  int max_plies = 300;    // then the game is a draw
  RootPolicy root_policy = RootPolicy::kGumbel;  // without noise
  uint64_t seed = 1;
  std::function<bool()> interrupted;
  std::function<void(int64_t games)> progress;
};

// As the first evaluator ("A") sees it.
struct MatchResult {
  int64_t wins = 0;
  int64_t draws = 0;
  int64_t losses = 0;
  // A's points when it had the first move of the array, and when it had not.
  std::array<double, 2> points_by_side = {};

  int64_t games() const { return wins + draws + losses; }
  double score() const;  // 0 to 1; draws count half
  // Wilson's interval of the score at 95 %, each game one trial. Draws vary less than the
  // trials that the formula assumes, so it is a little too wide.
  double low() const { return Bound(-1); }
  double high() const { return Bound(1); }

 private:
  double Bound(int side) const;
};

// Neither evaluator is owned; each is called by this thread alone. Errors: theirs; Cancelled when
// interrupted. The same evaluations and options give the same result.
absl::StatusOr<MatchResult> PlayMatch(std::shared_ptr<const Rules> rules, Evaluator* a,
                                      Evaluator* b, const MatchOptions& options);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_MATCH_H_
