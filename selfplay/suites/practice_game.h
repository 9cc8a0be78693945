// Games between weak players, as a source of positions.
#ifndef CROSSRIVER_SELFPLAY_SUITES_PRACTICE_GAME_H_
#define CROSSRIVER_SELFPLAY_SUITES_PRACTICE_GAME_H_

#include <vector>

#include "core/history.h"
#include "core/position.h"
#include "core/types.h"
#include "mcts/random.h"
#include "selfplay/players/piece_values.h"
#include "selfplay/starts.h"
#include "selfplay/suites/material_search.h"

namespace crossriver {

// One game of a number. Everything in it follows from seed and number. Not synchronised.
class PracticeGame {
 public:
  // Neither is owned.
  PracticeGame(const StartMaker* starts, const PieceValues* values, uint64_t seed, int number);

  const Position& position() const { return position_; }
  // The next move. False: the game is over, or long enough.
  bool Advance();

  RandomStream* random() { return &random_; }

 private:
  RandomStream random_;
  MaterialSearch search_;
  // How the moves are chosen: the share of random ones, and how deep the others look.
  double random_share_ = 1;
  int depth_ = 1;
  Position position_;
  History history_;
  std::vector<Move> legal_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_SUITES_PRACTICE_GAME_H_
