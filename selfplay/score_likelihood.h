// How well an expected score fits the results of a match.
#ifndef CROSSRIVER_SELFPLAY_SCORE_LIKELIHOOD_H_
#define CROSSRIVER_SELFPLAY_SCORE_LIKELIHOOD_H_

#include <array>
#include <cstddef>
#include <span>

#include "selfplay/match_score.h"

namespace crossriver {

// A result that a trial can have: a pair of games, or a single one, with so many half points for A.
struct ScoreCell {
  double games = 0;        // of the trial
  double half_points = 0;  // 0 to 2 `games`
  double count = 0;        // of trials that ended so
};

// The multinomial likelihood of a match as a function of A's expected score s alone: everything
// else about the distribution of results (draws, how the games of a pair depend on each other)
// takes the values that fit best.
//
// A trial of g games that gives x points deviates by d = x - g s. The likelihood is largest over
// all distributions p with sum p_i d_i = 0, and what it loses against the largest of all is, in
// the dual form (Owen, Empirical Likelihood, 2001, ch. 2),
//
//   D(s) = max over t of sum n_i log(1 + t d_i)   where 1 + t d_i >= 0 for all i,
//
// a concave problem in one variable, with p_i = n_i / (n (1 + t d_i)). Results that did not occur
// take part through the constraint: where it binds, the likeliest distribution gives the most
// extreme of them some probability. So empty cells need no made-up counts. D is 0 at the score of
// the match and grows away from it; with many trials it is half the square of the distance in
// standard errors.
class ScoreLikelihood {
 public:
  static constexpr size_t kMaxCells = 5 + 3;  // results of a pair, of a single game

  explicit ScoreLikelihood(const MatchScore& score);

  // D(s), in nats; 0 <= s <= 1. Infinite at 0 and 1 where the results rule them out.
  double Loss(double s) const;

  // All results of the kinds of trials that there were, also those that did not occur.
  std::span<const ScoreCell> cells() const& { return std::span(cells_).first(size_); }
  std::span<const ScoreCell> cells() const&& = delete;  // it points into the object

 private:
  std::array<ScoreCell, kMaxCells> cells_;
  size_t size_ = 0;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_SCORE_LIKELIHOOD_H_
