// Positions and moves as text: extended FEN with UCI-style moves, and SFEN with USI moves.
//
// Extended FEN has the fields board[hand], side to move, no-progress plies, move number:
//
//   rnefkfenr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNEFKFENR w 0 1
//
// Ranks from the highest, files by letter; "+P" is promoted, "*P" pending; the hand, alphabetical
// and uppercase first, stands in brackets in variants with drops ("[]" when empty; "[-]" is read
// too). Six-field FEN with "- -" after the side is read and not written.
#ifndef CROSSRIVER_CORE_NOTATION_H_
#define CROSSRIVER_CORE_NOTATION_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/position.h"
#include "core/rules.h"
#include "core/types.h"

namespace crossriver {

// `rules` must outlive the position. Errors name the field ("FEN field 'board': …"): wrong board
// size, unknown letters, pieces outside their zone, not one royal piece a side, a hand the variant
// does not have, numbers out of range, a side to move that could take the royal piece.
absl::StatusOr<Position> ParseFen(const Rules& rules, absl::string_view text);
std::string FormatFen(const Position& position);

// The start position, which compiling a variant has checked.
Position StartPosition(const Rules& rules);

// "b1c3", "d9d10+", "P@e5". Parsing accepts legal moves of the position only.
absl::StatusOr<Move> ParseMove(const Position& position, absl::string_view text);
std::string FormatMove(const Rules& rules, Move move);

// Shogi's notations, for variants that define sfen_hand_order: "lnsgkgsnl/… b 2P 1" and "7g7f+",
// "P*5e". SFEN has no no-progress count; it is 0 when read. Files count from the right, rank
// letters from the far side; 'b' is the first player.
absl::StatusOr<Position> ParseSfen(const Rules& rules, absl::string_view text);
absl::StatusOr<std::string> FormatSfen(const Position& position);
absl::StatusOr<Move> ParseUsiMove(const Position& position, absl::string_view text);
std::string FormatUsiMove(const Rules& rules, Move move);

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_NOTATION_H_
