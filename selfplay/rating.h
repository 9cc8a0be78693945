// Ratings of many players from the games between them.
#ifndef CROSSRIVER_SELFPLAY_RATING_H_
#define CROSSRIVER_SELFPLAY_RATING_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace crossriver {

// Games between two players in which `first` had the first move, counted as `first` sees them.
// The same two may come any number of times.
struct PairResults {
  int first = 0;
  int second = 0;
  int64_t wins = 0;
  int64_t draws = 0;
  int64_t losses = 0;
};

struct RatingOptions {
  int anchor = 0;  // the player whose rating is 0
  // Of the prior, in Elo: how far apart players who meet are expected to be, as a standard
  // deviation. It keeps ratings finite where a player has won or lost everything, and pulls others
  // together a little, the less the more games there are.
  double deviation = 1000;
  int max_steps = 100;  // of Newton's method; fewer than 20 are needed
};

// With its 95 % interval.
struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
};

// The most probable ratings (maximum a posteriori), with a normal approximation of what is known of
// them: their covariance is the inverse of the curvature of the log-posterior there. Immutable.
//
// The model is Davidson's (RatingModel). Its natural scale is that of decisive games, where a lead
// of 400 means ten wins for a loss. Draws make an expected score less extreme than that: near
// equality by the factor 1 - q, q the share of draws between equals. Ratings and advantage are
// multiplied by it, so that they are logistic Elo, as in EloOf: exactly so without draws and where
// q = 1/2, otherwise to first order around equality. Intervals allow for the uncertainty of q.
//
// Games are taken for independent. The two of a pair with a lopsided opening balance each other,
// and intervals are somewhat wider than they need be.
class Ratings {
 public:
  // What the solver knows. `parameters` are RatingModel's, `covariance` theirs, row by row.
  struct Solution {
    std::vector<double> parameters;
    std::vector<double> covariance;
    std::vector<std::vector<int>> groups;
    int anchor = 0;
    absl::Status convergence;
  };
  explicit Ratings(Solution solution);

  int players() const { return static_cast<int>(solution_.parameters.size()) - 2; }

  // Relative to the anchor, whose own is 0 without any width.
  Estimate Rating(int player) const { return Difference(player, solution_.anchor); }
  // How far i is ahead of j.
  Estimate Difference(int i, int j) const;
  // The probability that i is stronger than j; 0.5 for a player and itself.
  double LikelihoodOfSuperiority(int i, int j) const;
  // Elo that the first move is worth.
  Estimate Advantage() const;
  // The share of draws between equals, 0 to 1.
  Estimate DrawShare() const;

  // OK, or Aborted where the solver has given up; the ratings are those of its last step then.
  const absl::Status& convergence() const { return solution_.convergence; }
  // OK, or FailedPrecondition naming the players that no chain of games connects with the anchor.
  // Nothing but the prior says how they compare with it, and their intervals show that.
  // Inside of a group ratings are as good as ever.
  absl::Status Connection() const;
  // The players connected by games, the anchor's group first.
  const std::vector<std::vector<int>>& groups() const { return solution_.groups; }

  // On the scale of decisive games, in nats: the solver's own. `lead` and its variance are those of
  // i over j without the advantage.
  const Solution& solution() const { return solution_; }
  double DecisiveLead(int i, int j) const;
  double DecisiveVariance(int i, int j) const;

 private:
  double Covariance(size_t i, size_t j) const;
  // Of a lead on the scale of decisive games: made logistic Elo, with its interval. `variance` is
  // the lead's, `with_draw` its covariance with log_draw.
  Estimate InElo(double lead, double variance, double with_draw) const;
  size_t advantage() const { return solution_.parameters.size() - 2; }
  size_t log_draw() const { return solution_.parameters.size() - 1; }

  Solution solution_;
  double draw_share_;
};

// Newton's method with a line search. Players are 0 to `players` - 1; some may have no games.
// Errors: InvalidArgument for players out of range, games of a player against itself, negative
// counts and impossible options. The cost grows with the cube of the number of players:
// milliseconds for 30.
absl::StatusOr<Ratings> Rate(int players, std::span<const PairResults> results,
                             const RatingOptions& options);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_RATING_H_
