// One turn of one seat, from Begin to the choice.
#ifndef CROSSRIVER_SELFPLAY_PLAYERS_TAKE_TURN_H_
#define CROSSRIVER_SELFPLAY_PLAYERS_TAKE_TURN_H_

#include <functional>

#include "absl/status/statusor.h"
#include "core/evaluator.h"
#include "selfplay/players/player.h"

namespace crossriver {

// Evaluates what the seat asks for, one position a call, until it has chosen. `evaluator` is the
// player's, null where its seats never ask. Errors: the seat's; the evaluator's; Internal where the
// move is not legal; Cancelled when `interrupted` (not empty), which is asked before each
// evaluation. After an error no turn is under way.
absl::StatusOr<Choice> TakeTurn(Seat* seat, Evaluator* evaluator, const Turn& turn,
                                const std::function<bool()>& interrupted);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_PLAYERS_TAKE_TURN_H_
