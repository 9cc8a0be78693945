// Players named on a command line.
#ifndef CROSSRIVER_TOOLS_PLAYER_ARGUMENT_H_
#define CROSSRIVER_TOOLS_PLAYER_ARGUMENT_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/rules.h"
#include "selfplay/players/player.h"

namespace crossriver {

struct PlayerArguments {
  std::vector<std::string> specs;  // see selfplay/players/player_spec.h
  int threads = 1;                 // that will ask a player's evaluator at once
  std::string device = "auto";     // of networks
};

// Opens them in this order; equal specifications are one player, which is in the list several
// times. Networks are opened first, because without LibTorch that means to go on as another
// program. What the user should know goes to standard error. Errors name the specification.
absl::StatusOr<std::vector<std::shared_ptr<Player>>> OpenPlayers(
    const PlayerArguments& arguments, const std::shared_ptr<const Rules>& rules);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_PLAYER_ARGUMENT_H_
