// What two players have scored against each other, and what that says of their strength.
#ifndef CROSSRIVER_SELFPLAY_MATCH_SCORE_H_
#define CROSSRIVER_SELFPLAY_MATCH_SCORE_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/adjudicator.h"

namespace crossriver {

// Games counted by their result.
struct ResultCounts {
  int64_t wins = 0;
  int64_t draws = 0;
  int64_t losses = 0;

  // kWin, kDraw or kLoss.
  void Add(Result result);
  ResultCounts& operator+=(const ResultCounts& other);
  int64_t games() const { return wins + draws + losses; }
  int64_t half_points() const { return 2 * wins + draws; }
  double score() const;  // points a game, 0 to 1; 0.5 without games
  bool operator==(const ResultCounts&) const = default;
};

// A match as player A sees it. The two games of a pair begin from one opening, with sides swapped.
// A lopsided opening makes them depend on each other, so statistics take a pair for one trial with
// five results, and only games outside of pairs for trials of their own.
//
// Filled by AddPair, AddGame and +=, which keep the members consistent. Not synchronised.
struct MatchScore {
  std::array<ResultCounts, 2> by_side;  // all games; [0]: A had the first move, [1]: B had it
  std::array<int64_t, 5> pairs = {};    // [k]: pairs that gave A k half points
  ResultCounts singles;                 // of `by_side`, the games that are in no pair

  // Results are A's. In the first of the pair A had the first move, in the second B had it.
  void AddPair(Result a_first, Result b_first);
  void AddGame(Result result, bool a_first);
  MatchScore& operator+=(const MatchScore& other);

  ResultCounts total() const;
  int64_t games() const { return total().games(); }
  int64_t num_pairs() const;
  double points() const;  // A's
  double score() const;   // points a game, 0 to 1; 0.5 without games
  bool operator==(const MatchScore&) const = default;
};

struct Interval {
  double low = 0;
  double high = 0;
};

// The 95 % interval of A's expected score, 0 to 1.
//
// It holds the scores s that the results do not speak against by more than chance does: those
// with D(s) <= c, where D(s) is the log-likelihood that the results lose when their expected score
// must be s (ScoreLikelihood), and
//
//   c = z²/2 (1 + (z² + 1) / 2n),   z = 1.96,   n trials: pairs and single games.
//
// The factor is the first term by which Student's t exceeds the normal distribution; without it
// the intervals of 10 or 20 trials hold the true score only 91 % of the time. With many pairs, n_k
// of them with k half points (and the same with three results for single games), the interval is
//
//   m ± z sqrt(V / n),   m = sum n_k k / 4n,   V = sum n_k (k/4 - m)² / n.
//
// With few pairs, or nearly all alike, it is wider and lopsided, because results that have not been
// seen yet remain possible: of n pairs with the same score 0 < m < 1 it is still
// [m e^(-c/n), 1 - (1 - m) e^(-c/n)], and after nothing but wins [e^(-c/n), 1]. So nothing has to
// be added to a variance of 0. Without games it is [0, 1].
Interval ScoreInterval(const MatchScore& score);

// The logistic scale: A's expected score for a lead of `elo`, 1 / (1 + 10^(-elo/400)), and back.
// Scores of 0 and 1 are infinitely far away.
double ScoreOfElo(double elo);
double EloOfScore(double score);

// A's lead in Elo with its 95 % interval.
struct Elo {
  double elo = 0;
  double low = 0;
  double high = 0;
};

// The score and its interval on the logistic scale. A score of 1 gives an infinite `elo` and `high`
// and a finite `low`, a score of 0 the opposite. Without games: 0, from -inf to inf.
Elo EloOf(const MatchScore& score);

// How likely it is that A is stronger than B, 0 to 1: with x the points above half of a pair or of
// a single game,
//
//   Phi(sum x / sqrt(sum x²)).
//
// For single games that is the usual Phi((wins - losses) / sqrt(wins + losses)). It is 0.5 where
// nothing is off balance.
double LikelihoodOfSuperiority(const MatchScore& score);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_MATCH_SCORE_H_
