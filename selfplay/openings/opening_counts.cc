#include "selfplay/openings/opening_counts.h"

#include "selfplay/share_interval.h"

namespace crossriver {
namespace {

double MeanOpinion(int64_t sum, int64_t count) {
  return static_cast<double>(sum) / static_cast<double>(count * kOpinionScale);
}

}  // namespace

void OpeningCounts::Add(const OpeningCounts& other) {
  games += other.games;
  first_wins += other.first_wins;
  draws += other.draws;
  second_wins += other.second_wins;
  opinions += other.opinions;
  value_sum += other.value_sum;
  searches += other.searches;
  search_value_sum += other.search_value_sum;
  visits_sum += other.visits_sum;
}

OpeningScore ScoreOf(const OpeningCounts& counts, Side side) {
  OpeningScore score;
  if (counts.decided() > 0) {
    const int64_t wins = side == Side::kFirst ? counts.first_wins : counts.second_wins;
    const double points = static_cast<double>(wins) + static_cast<double>(counts.draws) / 2;
    const auto games = static_cast<double>(counts.decided());
    const ShareInterval interval = WilsonInterval(points, games);
    score.score = points / games;
    score.low = interval.low;
    score.high = interval.high;
  }
  if (counts.opinions > 0) score.value = MeanOpinion(counts.value_sum, counts.opinions);
  if (counts.searches > 0) {
    score.search_value = MeanOpinion(counts.search_value_sum, counts.searches);
    score.visits = static_cast<double>(counts.visits_sum) / static_cast<double>(counts.searches);
  }
  return score;
}

}  // namespace crossriver
