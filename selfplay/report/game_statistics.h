// Sums over games, and what they say with intervals.
#ifndef CROSSRIVER_SELFPLAY_REPORT_GAME_STATISTICS_H_
#define CROSSRIVER_SELFPLAY_REPORT_GAME_STATISTICS_H_

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "selfplay/match_score.h"
#include "selfplay/rating.h"
#include "selfplay/report/game_facts.h"

namespace crossriver {

// Whole numbers by their count, sum and squares: exact, so that the order of adding is nothing to
// the result.
class Moments {
 public:
  void Add(int64_t value);
  Moments& operator+=(const Moments& other);

  int64_t count() const { return count_; }
  int64_t sum() const { return sum_; }
  double mean() const;       // 0 of none
  double deviation() const;  // of the sample; 0 of fewer than two
  // The mean with its 95 % interval, 1.96 standard errors to either side.
  Estimate MeanEstimate() const;

 private:
  int64_t count_ = 0;
  int64_t sum_ = 0;
  int64_t squares_ = 0;
};

// `part` of `whole` independent trials as a share, with its WilsonInterval.
Estimate ShareEstimate(int64_t part, int64_t whole);
// Points a game of the first player; its interval is ScoreInterval's.
Estimate FirstScoreEstimate(const ResultCounts& first);

// Of the games that a stage of training played.
struct StageStatistics {
  int64_t first_generation = 0;
  int64_t last_generation = 0;
  ResultCounts first;  // results of the first player
  Moments plies;

  StageStatistics& operator+=(const StageStatistics& other);
};

// Not synchronised: each thread has its own, and they are added up.
class GameStatistics {
 public:
  // Later plies have no statistics of choices.
  static constexpr size_t kMaxChoicePlies = 2000;

  // How a game ended: known without its moves.
  void AddEnd(Result first, GameEnd end, int plies, int64_t generation);
  // What a game's moves say. Games that are not replayed have an end only.
  void AddPlay(const GameFacts& facts);
  // Both.
  void Add(const GameFacts& facts, int64_t generation);
  GameStatistics& operator+=(const GameStatistics& other);

  int64_t games() const { return plies_.count(); }
  int64_t replayed() const { return captures_.count(); }
  // Results of the first player; games that were cut short have none.
  const ResultCounts& first() const { return first_; }
  // Games that ended so with this result.
  int64_t Ended(GameEnd end, Result result) const {
    return ends_[static_cast<size_t>(end)][static_cast<size_t>(result)];
  }
  int64_t Ended(GameEnd end) const;

  const Moments& plies() const { return plies_; }
  const std::map<int, int64_t>& lengths() const { return lengths_; }  // games by plies
  // The length that this share of the games does not exceed; 0 without games.
  int LengthQuantile(double share) const;

  // By ply: the legal moves of the replayed games that came so far.
  const std::vector<Moments>& choices() const { return choices_; }
  Moments AllChoices() const;

  // A replayed game, both sides together; see GameFacts.
  const Moments& captures() const { return captures_; }
  const Moments& displacer_captures() const { return displacer_captures_; }
  const Moments& double_captures() const { return double_captures_; }
  const Moments& drops() const { return drops_; }
  const Moments& promotions() const { return promotions_; }
  const Moments& checks() const { return checks_; }
  const std::vector<PieceDeeds>& deeds() const {
    return deeds_;
  }  // by kind; empty if none is replayed

  // The generations in at most `most` stages of about as many generations each, oldest first.
  std::vector<StageStatistics> Stages(int most) const;

 private:
  ResultCounts first_;
  std::array<std::array<int64_t, 4>, kNumGameEnds> ends_ = {};  // by end and Result
  Moments plies_;
  std::map<int, int64_t> lengths_;
  std::vector<Moments> choices_;
  Moments captures_;
  Moments displacer_captures_;
  Moments double_captures_;
  Moments drops_;
  Moments promotions_;
  Moments checks_;
  std::vector<PieceDeeds> deeds_;
  std::map<int64_t, StageStatistics> generations_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_REPORT_GAME_STATISTICS_H_
