#include "selfplay/report/game_statistics.h"

#include <algorithm>
#include <cmath>

#include "selfplay/normal.h"
#include "selfplay/share_interval.h"

namespace crossriver {
namespace {

// Adds the elements of one vector to those of another, which grows as needed.
template <typename Sum>
void AddEach(const std::vector<Sum>& terms, std::vector<Sum>* sums) {
  if (sums->size() < terms.size()) sums->resize(terms.size());
  for (size_t i = 0; i < terms.size(); ++i) (*sums)[i] += terms[i];
}

}  // namespace

void Moments::Add(int64_t value) {
  ++count_;
  sum_ += value;
  squares_ += value * value;
}

Moments& Moments::operator+=(const Moments& other) {
  count_ += other.count_;
  sum_ += other.sum_;
  squares_ += other.squares_;
  return *this;
}

double Moments::mean() const {
  return count_ > 0 ? static_cast<double>(sum_) / static_cast<double>(count_) : 0;
}

double Moments::deviation() const {
  if (count_ < 2) return 0;
  const auto n = static_cast<double>(count_);
  const double rest = static_cast<double>(squares_) - mean() * static_cast<double>(sum_);
  return std::sqrt(std::max(rest, 0.0) / (n - 1));
}

Estimate Moments::MeanEstimate() const {
  if (count_ == 0) return {};
  const double reach = kDeviationsOf95 * deviation() / std::sqrt(static_cast<double>(count_));
  return {mean(), mean() - reach, mean() + reach};
}

Estimate ShareEstimate(int64_t part, int64_t whole) {
  const auto trials = static_cast<double>(whole);
  const auto successes = static_cast<double>(part);
  const ShareInterval interval = WilsonInterval(successes, trials);
  return {whole > 0 ? successes / trials : 0, interval.low, interval.high};
}

Estimate FirstScoreEstimate(const ResultCounts& first) {
  MatchScore score;
  score.by_side[0] = first;
  score.singles = first;
  const Interval interval = ScoreInterval(score);
  return {score.score(), interval.low, interval.high};
}

StageStatistics& StageStatistics::operator+=(const StageStatistics& other) {
  first_generation = std::min(first_generation, other.first_generation);
  last_generation = std::max(last_generation, other.last_generation);
  first += other.first;
  plies += other.plies;
  return *this;
}

void GameStatistics::Add(const GameFacts& facts, int64_t generation) {
  AddEnd(facts.result, facts.end, facts.plies, generation);
  AddPlay(facts);
}

void GameStatistics::AddEnd(Result first, GameEnd end, int plies, int64_t generation) {
  StageStatistics& stage =
      generations_.try_emplace(generation, StageStatistics{generation, generation, {}, {}})
          .first->second;
  if (first != Result::kNone) {
    first_.Add(first);
    stage.first.Add(first);
  }
  stage.plies.Add(plies);
  ++ends_[static_cast<size_t>(end)][static_cast<size_t>(first)];
  plies_.Add(plies);
  ++lengths_[plies];
}

void GameStatistics::AddPlay(const GameFacts& facts) {
  const size_t plies = std::min(facts.choices.size(), kMaxChoicePlies);
  if (choices_.size() < plies) choices_.resize(plies);
  for (size_t ply = 0; ply < plies; ++ply) choices_[ply].Add(facts.choices[ply]);
  captures_.Add(facts.captures);
  displacer_captures_.Add(facts.displacer_captures);
  double_captures_.Add(facts.double_captures);
  drops_.Add(facts.drops);
  promotions_.Add(facts.promotions);
  checks_.Add(facts.checks);
  AddEach(facts.deeds, &deeds_);
}

GameStatistics& GameStatistics::operator+=(const GameStatistics& other) {
  first_ += other.first_;
  for (size_t end = 0; end < ends_.size(); ++end) {
    for (size_t result = 0; result < ends_[end].size(); ++result) {
      ends_[end][result] += other.ends_[end][result];
    }
  }
  plies_ += other.plies_;
  for (const auto& [plies, games] : other.lengths_) lengths_[plies] += games;
  AddEach(other.choices_, &choices_);
  captures_ += other.captures_;
  displacer_captures_ += other.displacer_captures_;
  double_captures_ += other.double_captures_;
  drops_ += other.drops_;
  promotions_ += other.promotions_;
  checks_ += other.checks_;
  AddEach(other.deeds_, &deeds_);
  for (const auto& [generation, stage] : other.generations_) {
    const auto [place, added] = generations_.try_emplace(generation, stage);
    if (!added) place->second += stage;
  }
  return *this;
}

int64_t GameStatistics::Ended(GameEnd end) const {
  int64_t games = 0;
  for (const int64_t count : ends_[static_cast<size_t>(end)]) games += count;
  return games;
}

int GameStatistics::LengthQuantile(double share) const {
  const double wanted = share * static_cast<double>(games());
  int64_t passed = 0;
  for (const auto& [plies, games] : lengths_) {
    passed += games;
    if (static_cast<double>(passed) >= wanted) return plies;
  }
  return 0;
}

Moments GameStatistics::AllChoices() const {
  Moments all;
  for (const Moments& at_ply : choices_) all += at_ply;
  return all;
}

std::vector<StageStatistics> GameStatistics::Stages(int most) const {
  std::vector<StageStatistics> stages;
  const size_t count = std::min(generations_.size(), static_cast<size_t>(std::max(most, 1)));
  size_t index = 0;
  for (const auto& [generation, statistics] : generations_) {
    const size_t stage = index++ * count / generations_.size();
    if (stage == stages.size()) {
      stages.push_back(statistics);
    } else {
      stages.back() += statistics;
    }
  }
  return stages;
}

}  // namespace crossriver
