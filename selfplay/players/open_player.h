// From a specification to a player.
#ifndef CROSSRIVER_SELFPLAY_PLAYERS_OPEN_PLAYER_H_
#define CROSSRIVER_SELFPLAY_PLAYERS_OPEN_PLAYER_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "core/rules.h"
#include "selfplay/players/chosen_evaluator.h"
#include "selfplay/players/player.h"
#include "selfplay/players/player_spec.h"

namespace crossriver {

// What players are made for and with.
struct PlayerContext {
  std::shared_ptr<const Rules> rules;
  int threads = 1;  // that will call a player's evaluator at once
  // Opens a network's file for so many threads; null in a program without networks.
  std::function<absl::StatusOr<ChosenEvaluator>(const std::string& file, int threads)> open_network;
  // Told what the user should know although it is no error; may be null.
  std::function<void(const std::string& message)> notify;
};

// Finds files, loads networks and starts programs, so that what is wrong is known before a match
// begins. A player's name is the specification, but that a run's newest checkpoint is named by its
// number. The player shares `context.rules`. Errors name the specification.
absl::StatusOr<std::unique_ptr<Player>> OpenPlayer(const PlayerSpec& spec,
                                                   const PlayerContext& context);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_PLAYERS_OPEN_PLAYER_H_
