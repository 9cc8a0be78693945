// Games that need no network: data for benchmarks, tests and comparisons of networks.
#ifndef CROSSRIVER_NN_PRACTICE_GAMES_H_
#define CROSSRIVER_NN_PRACTICE_GAMES_H_

#include <cstdint>
#include <vector>

#include "core/evaluator.h"
#include "core/history.h"
#include "core/position.h"
#include "nn/training_row.h"

namespace crossriver {

// A position of a game that goes on.
struct SamplePosition {
  Position position;
  History history;
  std::vector<Move> moves;  // all legal ones

  EvaluationRequest request() const { return {&position, &history, moves}; }
};

// `count` positions of random games, a few plies apart. The same for the same seed.
std::vector<SamplePosition> RandomPositions(const Rules& rules, int count, uint64_t seed);

struct PracticeOptions {
  int rows = 10000;
  uint64_t seed = 1;
  int random_plies = 6;  // at the start of each game
  int max_plies = 200;
};

// Rows of games between two equal players that look two plies ahead at material alone: a policy
// that depends on what attacks what, and results that depend on material. The policy target is the
// softmax of the players' scores, which they draw their moves from. Whole games, cut after
// `options.rows` rows; the same for the same options.
std::vector<TrainingRow> PracticeRows(const Rules& rules, const PracticeOptions& options);

}  // namespace crossriver

#endif  // CROSSRIVER_NN_PRACTICE_GAMES_H_
