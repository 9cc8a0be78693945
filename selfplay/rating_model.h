// The likelihood of ratings: what the solver in rating.cc maximises.
#ifndef CROSSRIVER_SELFPLAY_RATING_MODEL_H_
#define CROSSRIVER_SELFPLAY_RATING_MODEL_H_

#include <Eigen/Core>
#include <numbers>
#include <span>
#include <vector>

#include "selfplay/rating.h"

namespace crossriver {

// Nats of the log-odds of decisive games in one Elo.
inline constexpr double kNatsPerElo = std::numbers::ln10 / 400;

// The chances of the first player; they sum to 1.
struct GameChances {
  double win = 0;
  double draw = 0;
  double loss = 0;

  // The variance of (win - loss) / 2: what one game tells about the lead, in nats^-2.
  double Information() const { return (win + loss - (win - loss) * (win - loss)) / 4; }
};

// Davidson's model (On extending the Bradley-Terry model to accommodate ties, 1970). `lead` is that
// of the first player with the advantage of the first move (Davidson and Beaver 1977), in nats:
//
//   win : draw : loss = e^(lead/2) : e^log_draw : e^(-lead/2).
GameChances ChancesOf(double lead, double log_draw);

// The logarithm of the posterior density of
//
//   x = (r_0 ... r_(n-1), a, log_draw),
//
// ratings r of n players and the advantage a of the first move, in nats: between i, who moves
// first, and j, lead = r_i - r_j + a. It is concave in x, so it has one maximum: win, draw and loss
// are a multinomial logit with terms linear in x.
//
// The prior is weak and keeps everything finite, whatever the results. With a deviation D, made
// nats, its terms are
//
//   - sum w_ij (r_i - r_j)² / 2 D² over players i, j who have met, where w_ij is the mean of their
//     shares of each other's games: all of a player's weights come to about 1, however many
//     opponents there are;
//   - a² / 2 D²;
//   + log(q (1 - q)) / 2, q the share of draws between equals: Jeffreys' prior of q;
//   - (mean rating)² / 2 D² for each group of players connected by games: inside a group that
//     changes nothing, between groups it is all there is.
class RatingModel {
 public:
  // Players are in range and different, counts not negative. `deviation`: D, Elo of decisive games.
  RatingModel(int players, std::span<const PairResults> results, double deviation);

  int players() const { return players_; }
  Eigen::Index advantage() const { return players_; }     // its index in x
  Eigen::Index log_draw() const { return players_ + 1; }  // likewise
  Eigen::Index size() const { return players_ + 2; }

  // Each sorted, in the order of their first players. A player without games is a group.
  const std::vector<std::vector<int>>& groups() const { return groups_; }

  double LogPosterior(const Eigen::VectorXd& x) const;
  // Its gradient, and the Hessian with the sign turned, which is positive definite.
  void Derivatives(const Eigen::VectorXd& x, Eigen::VectorXd* gradient,
                   Eigen::MatrixXd* curvature) const;

 private:
  struct Games {
    int first;
    int second;
    double wins;
    double draws;
    double losses;

    double count() const { return wins + draws + losses; }
  };
  // Two players who have met.
  struct Meeting {
    int i;
    int j;
    double precision;  // w_ij / D²
  };

  void FindMeetings();
  void FindGroups();
  double Lead(const Eigen::VectorXd& x, const Games& games) const;
  void AddPriorDerivatives(const Eigen::VectorXd& x, Eigen::VectorXd* gradient,
                           Eigen::MatrixXd* curvature) const;

  const int players_;
  const double precision_;  // 1 / D²
  std::vector<Games> games_;
  std::vector<Meeting> meetings_;
  std::vector<std::vector<int>> groups_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_RATING_MODEL_H_
