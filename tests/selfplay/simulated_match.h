// Results of games between players of known strength, without games; and likelihoods by brute
// force.
#ifndef CROSSRIVER_TESTS_SELFPLAY_SIMULATED_MATCH_H_
#define CROSSRIVER_TESTS_SELFPLAY_SIMULATED_MATCH_H_

#include <array>
#include <cstdint>

#include "core/adjudicator.h"
#include "mcts/random.h"
#include "selfplay/match_score.h"

namespace crossriver::testing {

// Player A against player B. A game of lead x (nats) is won, drawn and lost as
// e^(x/2) : draws : e^(-x/2).
struct SimulatedMatch {
  double lead = 0;          // A's
  double draws = 1;         // 2/3 of the games between equals would be decisive
  double advantage = 0;     // of the first move
  double opening_bias = 0;  // standard deviation of what an opening is worth to the first player

  // One pair of games, added to `score`. Both begin from one opening.
  void PlayPair(RandomStream* random, MatchScore* score) const;
  // A's points a game, by numerical integration over the openings.
  double ExpectedScore() const;
};

// The result of one game for the player who is ahead by `lead`.
Result SimulatedResult(double lead, double draws, RandomStream* random);

// The largest log-likelihood of the counts of pairs among all distributions whose expected score (0
// to 1) is `score`: a search on a grid that grows finer around the best point.
double BruteForceLikelihood(const std::array<int64_t, 5>& pairs, double score);

}  // namespace crossriver::testing

#endif  // CROSSRIVER_TESTS_SELFPLAY_SIMULATED_MATCH_H_
