#include "selfplay/pairing.h"

#include <Eigen/Core>
#include <algorithm>
#include <cstdlib>
#include <limits>

#include "absl/strings/str_cat.h"
#include "selfplay/rating_model.h"

namespace crossriver {
namespace {

// The pairs that may play, and what will be known when those chosen so far have played.
class Schedule {
 public:
  Schedule(const Ratings& ratings, std::span<const Pairing> allowed)
      : allowed_(allowed), group_(static_cast<size_t>(ratings.players())) {
    const std::vector<double>& parameters = ratings.solution().parameters;
    const auto size = static_cast<Eigen::Index>(parameters.size());
    covariance_ =
        Eigen::Map<const Eigen::MatrixXd>(ratings.solution().covariance.data(), size, size);
    for (size_t g = 0; g < ratings.groups().size(); ++g) {
      for (const int player : ratings.groups()[g]) group_[static_cast<size_t>(player)] = g;
    }
    const double advantage = parameters[parameters.size() - 2];
    const double log_draw = parameters[parameters.size() - 1];
    for (const Pairing& pairing : allowed) {
      // Nothing is known of the lead of players that are not connected: they are taken for equals.
      const double lead = Connected(pairing) ? ratings.DecisiveLead(pairing.i, pairing.j) : 0;
      information_.push_back(ChancesOf(lead + advantage, log_draw).Information() +
                             ChancesOf(lead - advantage, log_draw).Information());
    }
  }

  // Of the pairs that connect groups the nearest in order; if there are none, the largest gain. The
  // first of equals.
  size_t Best() const {
    size_t best = 0;
    size_t connecting = allowed_.size();
    int nearest = std::numeric_limits<int>::max();
    double largest = -1;
    for (size_t k = 0; k < allowed_.size(); ++k) {
      if (!Connected(allowed_[k])) {
        const int distance = std::abs(allowed_[k].i - allowed_[k].j);
        if (distance < nearest) {
          nearest = distance;
          connecting = k;
        }
      } else if (const double gain = Gain(k); gain > largest) {
        largest = gain;
        best = k;
      }
    }
    return connecting < allowed_.size() ? connecting : best;
  }

  // Takes the pair of games as played.
  void Play(size_t k) {
    const auto& [i, j] = allowed_[k];
    const double gain = Gain(k);
    const Eigen::VectorXd with_lead = covariance_.col(i) - covariance_.col(j);
    // Sherman and Morrison 1950: the inverse of the curvature, to which the games add their
    // information in the direction of the lead.
    covariance_.noalias() -= (information_[k] / (1 + gain)) * with_lead * with_lead.transpose();
    const size_t into = group_[static_cast<size_t>(i)];
    const size_t from = group_[static_cast<size_t>(j)];
    std::ranges::replace(group_, from, into);
  }

 private:
  bool Connected(const Pairing& pairing) const {
    return group_[static_cast<size_t>(pairing.i)] == group_[static_cast<size_t>(pairing.j)];
  }
  // g V
  double Gain(size_t k) const {
    const auto& [i, j] = allowed_[k];
    return information_[k] * (covariance_(i, i) + covariance_(j, j) - 2 * covariance_(i, j));
  }

  const std::span<const Pairing> allowed_;
  std::vector<double> information_;  // g of each of `allowed_`
  std::vector<size_t> group_;        // of each player
  Eigen::MatrixXd covariance_;
};

}  // namespace

absl::StatusOr<std::vector<size_t>> NextPairings(const Ratings& ratings,
                                                 std::span<const Pairing> allowed, int count) {
  for (size_t k = 0; k < allowed.size(); ++k) {
    const auto& [i, j] = allowed[k];
    if (i >= 0 && i < ratings.players() && j >= 0 && j < ratings.players() && i != j) continue;
    return absl::InvalidArgumentError(absl::StrCat("allowed[", k,
                                                   "]: expected two different players of 0 to ",
                                                   ratings.players() - 1, ", got ", i, " and ", j));
  }
  std::vector<size_t> chosen;
  if (allowed.empty()) return chosen;
  Schedule schedule(ratings, allowed);
  for (int n = 0; n < count; ++n) {
    chosen.push_back(schedule.Best());
    schedule.Play(chosen.back());
  }
  return chosen;
}

}  // namespace crossriver
