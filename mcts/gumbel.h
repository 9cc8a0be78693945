// Gumbel AlphaZero at the root: sequential halving and the improved policy (Danihelka et al. 2022,
// "Policy improvement by planning with Gumbel"). Functions of plain numbers; the search feeds them.
#ifndef CROSSRIVER_MCTS_GUMBEL_H_
#define CROSSRIVER_MCTS_GUMBEL_H_

#include <cstdint>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "mcts/options.h"

namespace crossriver {

// What a policy is made from; the spans have one element a move.
struct PolicyInputs {
  std::span<const float> log_priors;
  std::span<const float> values;    // Q from 0 to 1; used where there are visits
  std::span<const int64_t> visits;  // all that went into the values
  float raw_value = 0;              // the evaluator's score of the position, from 0 to 1
  int64_t max_visits = 0;           // max_b N(b) of sigma
};

// The values with every unvisited move's set to the mixed value (equation 33 of the paper):
// (v + N / (sum of visited priors) * sum over visited of prior * Q) / (1 + N).
std::vector<float> CompletedValues(const PolicyInputs& inputs);

// sigma of a value.
float Sigma(const GumbelOptions& options, int64_t max_visits, float value);

// softmax(logits + sigma(completed Q)): the policy target.
std::vector<float> ImprovedPolicy(const GumbelOptions& options, const PolicyInputs& inputs);

// Spreads a number of visits over moves: log2(m) rounds of equal visits to each of m, m/2, m/4, …
// moves, of which the best half stays each time. What a round's equal shares leave over goes to the
// last two.
class SequentialHalving {
 public:
  SequentialHalving() = default;
  // `scores` are Gumbel noise plus logit, one a move; `visits` > 0 are to be spread over at most
  // `sampled` moves.
  SequentialHalving(std::span<const float> scores, int sampled, int64_t visits);

  // The state of a move in this search alone.
  struct Count {
    int64_t visits = 0;     // with answer
    int64_t in_flight = 0;  // without
    bool lost = false;      // proven to lose
  };
  static constexpr int kWait = -1;

  // The move to visit next, or kWait where a round's answers are not all in. `score` gives noise +
  // logit + sigma(Q) of a move with what is known now. Moves that are lost are passed over; others
  // take their place where all are lost.
  int Next(absl::FunctionRef<Count(int)> count, absl::FunctionRef<float(int)> score);

  // The move to play: the best score among the most visited of those left.
  int Choose(absl::FunctionRef<Count(int)> count, absl::FunctionRef<float(int)> score) const;

  // In falling order of score when they were sampled or halved.
  const std::vector<int>& considered() const { return considered_; }

 private:
  void StartRound();
  void Halve(absl::FunctionRef<float(int)> score);
  // Where all considered moves are lost: the best others. False where there are none.
  bool Replace(absl::FunctionRef<Count(int)> count);

  std::vector<float> scores_;
  std::vector<int> considered_;
  int64_t visits_ = 0;
  int rounds_ = 0;
  int64_t goal_ = 0;  // visits of each considered move at the end of the round
};

}  // namespace crossriver

#endif  // CROSSRIVER_MCTS_GUMBEL_H_
