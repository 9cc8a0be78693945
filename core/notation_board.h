// What FEN and SFEN share: the board field, hands, and what makes a position acceptable.
#ifndef CROSSRIVER_CORE_NOTATION_BOARD_H_
#define CROSSRIVER_CORE_NOTATION_BOARD_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "core/position.h"

namespace crossriver::notation {

inline constexpr int kMaxMoveNumber = 1000000;

bool IsDigit(char c);

// "FEN field 'board': message".
absl::Status FieldError(absl::string_view field, absl::string_view message);

// Fills the empty board of `position`.
absl::Status ParseBoard(absl::string_view text, Position* position);
std::string FormatBoard(const Position& position);

// Adds `count` pieces with this letter to the hand of the side its case tells.
absl::Status AddToHand(char letter, int count, Position* position);

// A number written in digits only.
absl::Status ParseNumber(absl::string_view field, absl::string_view text, int min, int max,
                         int* value);

// One royal piece a side, none to be taken, no more pieces than a hand can hold.
absl::Status CheckPosition(const Position& position);

// The letter of a kind as the side's, without marks: 'p'.
char CasedLetter(const Rules& rules, Kind kind, Side side);

}  // namespace crossriver::notation

#endif  // CROSSRIVER_CORE_NOTATION_BOARD_H_
