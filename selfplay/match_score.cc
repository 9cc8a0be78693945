#include "selfplay/match_score.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "core/check.h"
#include "selfplay/normal.h"
#include "selfplay/score_likelihood.h"

namespace crossriver {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kEloPerDecade = 400;  // of odds

// Halvings of an interval of length 1 until its ends can't be told apart.
constexpr int kHalvings = 60;

size_t HalfPoints(Result result) {
  CR_CHECK(result != Result::kNone);
  if (result == Result::kDraw) return 1;
  return result == Result::kWin ? 2 : 0;
}

// Where the loss of likelihood reaches `limit`, between `inside`, where it is less, and `outside`.
double Bound(const ScoreLikelihood& likelihood, double inside, double outside, double limit) {
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (inside + outside) / 2;
    (likelihood.Loss(middle) <= limit ? inside : outside) = middle;
  }
  return (inside + outside) / 2;
}

}  // namespace

void ResultCounts::Add(Result result) {
  CR_CHECK(result != Result::kNone);
  if (result == Result::kWin) ++wins;
  if (result == Result::kDraw) ++draws;
  if (result == Result::kLoss) ++losses;
}

double ResultCounts::score() const {
  return games() == 0 ? 0.5
                      : static_cast<double>(half_points()) / (2 * static_cast<double>(games()));
}

ResultCounts& ResultCounts::operator+=(const ResultCounts& other) {
  wins += other.wins;
  draws += other.draws;
  losses += other.losses;
  return *this;
}

void MatchScore::AddPair(Result a_first, Result b_first) {
  by_side[0].Add(a_first);
  by_side[1].Add(b_first);
  ++pairs[HalfPoints(a_first) + HalfPoints(b_first)];
}

void MatchScore::AddGame(Result result, bool a_first) {
  by_side[a_first ? 0 : 1].Add(result);
  singles.Add(result);
}

MatchScore& MatchScore::operator+=(const MatchScore& other) {
  for (size_t side = 0; side < by_side.size(); ++side) by_side[side] += other.by_side[side];
  for (size_t k = 0; k < pairs.size(); ++k) pairs[k] += other.pairs[k];
  singles += other.singles;
  return *this;
}

ResultCounts MatchScore::total() const {
  ResultCounts sum = by_side[0];
  return sum += by_side[1];
}

int64_t MatchScore::num_pairs() const {
  return std::accumulate(pairs.begin(), pairs.end(), int64_t{0});
}

double MatchScore::points() const { return static_cast<double>(total().half_points()) / 2; }

double MatchScore::score() const { return total().score(); }

Interval ScoreInterval(const MatchScore& score) {
  if (score.games() == 0) return {0, 1};
  const ScoreLikelihood likelihood(score);
  const auto trials = static_cast<double>(score.num_pairs() + score.singles.games());
  const double z2 = kDeviationsOf95 * kDeviationsOf95;
  const double limit = z2 / 2 * (1 + (z2 + 1) / (2 * trials));
  const double mean = score.score();
  return {mean > 0 ? Bound(likelihood, mean, 0, limit) : 0,
          mean < 1 ? Bound(likelihood, mean, 1, limit) : 1};
}

double ScoreOfElo(double elo) { return 1 / (1 + std::pow(10, -elo / kEloPerDecade)); }

double EloOfScore(double score) {
  if (score <= 0) return -kInfinity;
  if (score >= 1) return kInfinity;
  return kEloPerDecade * std::log10(score / (1 - score));
}

Elo EloOf(const MatchScore& score) {
  const Interval interval = ScoreInterval(score);
  return {EloOfScore(score.score()), EloOfScore(interval.low), EloOfScore(interval.high)};
}

double LikelihoodOfSuperiority(const MatchScore& score) {
  double sum = 0;  // in half points
  double squares = 0;
  const ScoreLikelihood likelihood(score);
  for (const ScoreCell& cell : likelihood.cells()) {
    const double above = cell.half_points - cell.games;
    sum += cell.count * above;
    squares += cell.count * above * above;
  }
  return squares == 0 ? 0.5 : NormalCdf(sum / std::sqrt(squares));
}

}  // namespace crossriver
