#include "selfplay/rating_model.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <numeric>
#include <utility>

namespace crossriver {
namespace {

// The logarithms of the chances. That of the likeliest result is exact to its last digits, also
// where it is nearly 0: a thousand million such results shall not add up to noise.
struct LogChances {
  double win;
  double draw;
  double loss;
};

LogChances LogChancesOf(double lead, double log_draw) {
  const double decisive = std::abs(lead) / 2;
  // All relative to the largest weight, which becomes 1.
  const double largest = std::max(decisive, log_draw);
  const double other = std::exp(std::min(decisive, log_draw) - largest);
  const double rest = std::log1p(other + std::exp(-decisive - largest));
  return {(lead / 2 - largest) - rest, (log_draw - largest) - rest, (-lead / 2 - largest) - rest};
}

}  // namespace

GameChances ChancesOf(double lead, double log_draw) {
  const LogChances log = LogChancesOf(lead, log_draw);
  return {std::exp(log.win), std::exp(log.draw), std::exp(log.loss)};
}

RatingModel::RatingModel(int players, std::span<const PairResults> results, double deviation)
    : players_(players), precision_(1 / (deviation * kNatsPerElo * deviation * kNatsPerElo)) {
  for (const PairResults& r : results) {
    if (r.wins == 0 && r.draws == 0 && r.losses == 0) continue;
    games_.push_back({r.first, r.second, static_cast<double>(r.wins), static_cast<double>(r.draws),
                      static_cast<double>(r.losses)});
  }
  FindMeetings();
  FindGroups();
}

void RatingModel::FindMeetings() {
  std::map<std::pair<int, int>, double> met;
  std::vector<double> played(static_cast<size_t>(players_), 0);
  for (const Games& games : games_) {
    met[std::minmax(games.first, games.second)] += games.count();
    played[static_cast<size_t>(games.first)] += games.count();
    played[static_cast<size_t>(games.second)] += games.count();
  }
  for (const auto& [pair, count] : met) {
    const auto& [i, j] = pair;
    const double weight =
        (count / played[static_cast<size_t>(i)] + count / played[static_cast<size_t>(j)]) / 2;
    meetings_.push_back({i, j, weight * precision_});
  }
}

void RatingModel::FindGroups() {
  std::vector<int> root(static_cast<size_t>(players_));
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&root](int player) {
    while (root[static_cast<size_t>(player)] != player) player = root[static_cast<size_t>(player)];
    return player;
  };
  for (const Meeting& meeting : meetings_) {
    const auto [low, high] = std::minmax({find(meeting.i), find(meeting.j)});
    root[static_cast<size_t>(high)] = low;
  }
  // The root of a group is its first player.
  std::vector<std::vector<int>> members(static_cast<size_t>(players_));
  for (int i = 0; i < players_; ++i) members[static_cast<size_t>(find(i))].push_back(i);
  for (std::vector<int>& group : members) {
    if (!group.empty()) groups_.push_back(std::move(group));
  }
}

double RatingModel::Lead(const Eigen::VectorXd& x, const Games& games) const {
  return x[games.first] - x[games.second] + x[advantage()];
}

double RatingModel::LogPosterior(const Eigen::VectorXd& x) const {
  double sum = 0;
  for (const Games& games : games_) {
    const LogChances log = LogChancesOf(Lead(x, games), x[log_draw()]);
    sum += games.wins * log.win + games.draws * log.draw + games.losses * log.loss;
  }
  for (const Meeting& meeting : meetings_) {
    const double lead = x[meeting.i] - x[meeting.j];
    sum -= meeting.precision * lead * lead / 2;
  }
  for (const std::vector<int>& group : groups_) {
    double mean = 0;
    for (const int i : group) mean += x[i] / static_cast<double>(group.size());
    sum -= precision_ * mean * mean / 2;
  }
  sum -= precision_ * x[advantage()] * x[advantage()] / 2;
  // Wins and losses share 1 - q.
  const LogChances equal = LogChancesOf(0, x[log_draw()]);
  return sum + (equal.draw + equal.win + std::numbers::ln2) / 2;
}

void RatingModel::Derivatives(const Eigen::VectorXd& x, Eigen::VectorXd* gradient,
                              Eigen::MatrixXd* curvature) const {
  gradient->setZero(size());
  curvature->setZero(size(), size());
  for (const Games& games : games_) {
    const GameChances chances = ChancesOf(Lead(x, games), x[log_draw()]);
    // A game is two statistics, (win - loss) / 2 and draw: their difference from what is expected,
    // and their covariance.
    const double margin = (chances.win - chances.loss) / 2;
    const double by_lead = (games.wins - games.losses) / 2 - games.count() * margin;
    const double lead_lead = games.count() * chances.Information();
    const double lead_draw = -games.count() * margin * chances.draw;
    // The lead as a sum over x.
    const std::pair<Eigen::Index, double> terms[] = {
        {games.first, 1}, {games.second, -1}, {advantage(), 1}};
    for (const auto& [i, sign] : terms) {
      (*gradient)[i] += sign * by_lead;
      (*curvature)(i, log_draw()) += sign * lead_draw;
      (*curvature)(log_draw(), i) += sign * lead_draw;
      for (const auto& [j, other] : terms) (*curvature)(i, j) += sign * other * lead_lead;
    }
    (*gradient)[log_draw()] += games.draws - games.count() * chances.draw;
    (*curvature)(log_draw(), log_draw()) += games.count() * chances.draw * (1 - chances.draw);
  }
  AddPriorDerivatives(x, gradient, curvature);
}

void RatingModel::AddPriorDerivatives(const Eigen::VectorXd& x, Eigen::VectorXd* gradient,
                                      Eigen::MatrixXd* curvature) const {
  for (const auto& [i, j, precision] : meetings_) {
    const double slope = precision * (x[i] - x[j]);
    (*gradient)[i] -= slope;
    (*gradient)[j] += slope;
    (*curvature)(i, i) += precision;
    (*curvature)(j, j) += precision;
    (*curvature)(i, j) -= precision;
    (*curvature)(j, i) -= precision;
  }
  for (const std::vector<int>& group : groups_) {
    const auto members = static_cast<double>(group.size());
    const double precision = precision_ / (members * members);
    double sum = 0;
    for (const int i : group) sum += x[i];
    for (const int i : group) {
      (*gradient)[i] -= precision * sum;
      for (const int j : group) (*curvature)(i, j) += precision;
    }
  }
  (*gradient)[advantage()] -= precision_ * x[advantage()];
  (*curvature)(advantage(), advantage()) += precision_;
  const double draw = ChancesOf(0, x[log_draw()]).draw;
  (*gradient)[log_draw()] += 0.5 - draw;
  (*curvature)(log_draw(), log_draw()) += draw * (1 - draw);
}

}  // namespace crossriver
