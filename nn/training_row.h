// What training learns from: a position with what search and game made of it.
#ifndef CROSSRIVER_NN_TRAINING_ROW_H_
#define CROSSRIVER_NN_TRAINING_ROW_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "core/evaluator.h"
#include "core/position.h"
#include "nn/features.h"

namespace crossriver {

struct TrainingRow {
  explicit TrainingRow(const Position& of) : position(of) {}

  Position position;
  FeatureContext context;
  std::vector<Move> moves;    // all legal ones, in any order
  std::vector<float> policy;  // the target, one probability a move; sums to 1
  float policy_weight = 1;    // 0 = the search was too small for a policy target

  std::optional<Wdl> outcome;  // the game's, for the side to move; none where it was cut short
  std::optional<Wdl> search;   // the search's opinion; one of both must be there
  float weight = 1;            // of the row in the loss

  std::optional<float> plies_left;  // to the end of the game; none where it was cut short
  std::optional<Move> reply;        // the opponent's move in the next position

  uint64_t game_id = 0;  // to name it when something is wrong
};

}  // namespace crossriver

#endif  // CROSSRIVER_NN_TRAINING_ROW_H_
