// The weakest player there is.
#ifndef CROSSRIVER_SELFPLAY_PLAYERS_RANDOM_PLAYER_H_
#define CROSSRIVER_SELFPLAY_PLAYERS_RANDOM_PLAYER_H_

#include <memory>
#include <string>
#include <utility>

#include "selfplay/players/player.h"

namespace crossriver {

// Any legal move, each as likely. The moves follow from the seed of the game.
class RandomPlayer : public Player {
 public:
  explicit RandomPlayer(std::string name) : name_(std::move(name)) {}

  const std::string& name() const override { return name_; }
  std::unique_ptr<Seat> NewSeat() override;

 private:
  const std::string name_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_PLAYERS_RANDOM_PLAYER_H_
