// The alpha-beta engine as a player.
#ifndef CROSSRIVER_SELFPLAY_PLAYERS_ALPHABETA_PLAYER_H_
#define CROSSRIVER_SELFPLAY_PLAYERS_ALPHABETA_PLAYER_H_

#include <memory>
#include <string>

#include "core/evaluator.h"
#include "core/rules.h"
#include "selfplay/players/alphabeta_options.h"
#include "selfplay/players/piece_values.h"
#include "selfplay/players/player.h"

namespace crossriver {

// A score in hundredths of a small piece as probabilities, by a logistic function: with
// L(x) = 1 / (1 + e^(-x / 200)), a win has L(score - 100), a loss L(-score - 100), a draw the rest.
// Of a proven end (`mate_plies`, see AlphaBetaResult) it is certain.
Wdl ScoreToWdl(int score, int mate_plies);

// Each seat is an engine of its own, which begins anew with each game. It chooses without chance:
// the same game has the same moves, whatever the seed.
class AlphaBetaPlayer : public Player {
 public:
  // `name` is the specification it was made from.
  AlphaBetaPlayer(std::string name, std::shared_ptr<const Rules> rules,
                  const AlphaBetaOptions& options);

  const std::string& name() const override { return name_; }
  std::unique_ptr<Seat> NewSeat() override;

 private:
  const std::string name_;
  const std::shared_ptr<const Rules> rules_;
  const std::shared_ptr<const PieceValues> values_;
  const AlphaBetaOptions options_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_PLAYERS_ALPHABETA_PLAYER_H_
