// A game as text: where it starts and what was played.
#ifndef CROSSRIVER_TOOLS_GAME_INPUT_H_
#define CROSSRIVER_TOOLS_GAME_INPUT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/history.h"
#include "core/position.h"
#include "core/rules.h"
#include "core/types.h"

namespace crossriver {

// The two pairs of notations of core/notation.h.
enum class Notation : uint8_t {
  kFen,   // FEN and UCI-style moves
  kSfen,  // SFEN and USI moves
};

struct GameInput {
  explicit GameInput(const Position& from) : start(from), position(from), history(from) {}

  Position start;
  std::vector<Move> moves;
  Position position;  // reached
  History history;    // of all positions from `start` on
};

// An empty `board` is the start position; `moves` are separated by blanks. The error names what
// can't be read, or the first move that is not legal. `rules` must outlive the game.
absl::StatusOr<GameInput> ParseGame(const Rules& rules, Notation notation, absl::string_view board,
                                    absl::string_view moves);

std::string FormatMove(const Rules& rules, Notation notation, Move move);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_GAME_INPUT_H_
