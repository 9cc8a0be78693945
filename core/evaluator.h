// What a search asks of a network, or of anything that judges positions.
#ifndef CROSSRIVER_CORE_EVALUATOR_H_
#define CROSSRIVER_CORE_EVALUATOR_H_

#include <cstdint>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "core/history.h"
#include "core/position.h"
#include "core/types.h"

namespace crossriver {

// Probabilities of the side to move, which sum to 1.
struct Wdl {
  float win = 0;
  float draw = 0;
  float loss = 0;

  friend bool operator==(const Wdl&, const Wdl&) = default;
};

// A position of a game that is not over. All three must outlive the call they are passed to.
struct EvaluationRequest {
  const Position* position = nullptr;
  const History* history = nullptr;  // `position` is its last
  std::span<const Move> moves;       // all legal moves, in any order
};

struct Evaluation {
  std::vector<float> log_priors;  // natural logarithms, one a move of the request; exp sums to 1
  Wdl wdl;                        // as the side to move sees it
};

// Searches hold no evaluator: a driver gathers the positions of one or many searches and asks for
// all of them in one call. Results that the rules decide (mate, repetition, …) are never asked for.
class Evaluator {
 public:
  virtual ~Evaluator() = default;

  // Fills results[i] for requests[i]; both have the same length. One call at a time unless the
  // implementation says otherwise. On an error no result is to be used.
  virtual absl::Status Evaluate(std::span<const EvaluationRequest> requests,
                                std::span<Evaluation> results) = 0;

  // Equal for evaluators that give equal results: a network's schema and weights. Part of the key
  // under which results are cached.
  virtual uint64_t id() const = 0;
};

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_EVALUATOR_H_
