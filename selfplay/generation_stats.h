// What the games of a generation look like, and what is wrong with them.
#ifndef CROSSRIVER_SELFPLAY_GENERATION_STATS_H_
#define CROSSRIVER_SELFPLAY_GENERATION_STATS_H_

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "selfplay/record.h"

namespace crossriver {

// Sums over games. Not synchronised.
class GenerationStats {
 public:
  // Calibration compares in so many bands of the predicted score.
  static constexpr int kBands = 10;

  void Add(const GameRecord& record);

  int64_t games() const { return games_; }
  int64_t rows() const { return rows_; }

  double MeanPlies() const { return Share(plies_, games_); }
  double DrawShare() const { return Share(draws_, games_); }
  double TruncatedShare() const { return Share(truncated_, games_); }
  double ResignedShare() const { return Share(resigned_, games_); }
  // Of games that ended by themselves: wins of the first player and half the draws.
  double FirstScore() const;
  // Of games that were played out though a side would have resigned: in how many it did not lose.
  double FalseResignShare() const { return Share(false_resigns_, played_out_); }
  int64_t played_out() const { return played_out_; }
  // Games whose start and moves are those of another one of this generation.
  double DuplicateShare() const { return Share(duplicates_, games_); }
  // Of the policy targets, in nats.
  double PolicyEntropy() const { return Share(entropy_, rows_); }
  double Surprise() const { return Share(surprise_, rows_); }
  // Mean distance between the network's own expected score and the results, over the bands,
  // weighted by their positions (expected calibration error). 0 = perfect.
  double CalibrationError() const;

  // Names and values for the run's metrics.
  std::vector<std::pair<std::string, double>> Metrics() const;

 private:
  struct Band {
    double predicted = 0;
    double scored = 0;
    int64_t positions = 0;
  };

  static double Share(double part, int64_t whole) {
    return whole > 0 ? part / static_cast<double>(whole) : 0;
  }
  static double Share(int64_t part, int64_t whole) {
    return Share(static_cast<double>(part), whole);
  }
  void AddMove(const GameRecord& record, const RecordedMove& move, bool first_moves);
  void AddResult(const GameRecord& record);

  int64_t games_ = 0;
  int64_t plies_ = 0;
  int64_t rows_ = 0;
  int64_t first_wins_ = 0;
  int64_t second_wins_ = 0;
  int64_t draws_ = 0;
  int64_t truncated_ = 0;
  int64_t resigned_ = 0;
  int64_t played_out_ = 0;
  int64_t false_resigns_ = 0;
  int64_t duplicates_ = 0;
  double entropy_ = 0;
  double surprise_ = 0;
  std::array<Band, kBands> bands_;
  absl::flat_hash_set<std::string> seen_;
};

// What a person should look at, one sentence each with what it may mean: duplicate games, a policy
// without choice, draws over 80 %, a value that is off, one side that wins nearly always, wrong
// resignations. Nothing is said of too few games to judge.
std::vector<std::string> Alarms(const GenerationStats& stats);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_GENERATION_STATS_H_
