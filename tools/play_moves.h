// Moves as people type and read them.
#ifndef CROSSRIVER_TOOLS_PLAY_MOVES_H_
#define CROSSRIVER_TOOLS_PLAY_MOVES_H_

#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/position.h"
#include "core/types.h"

namespace crossriver {

// One of the `legal` moves of a position as somebody typed it, small or capital letters alike:
//
//   b1c3, b1-c3, b1xc3      as everywhere; d9d10+ promotes
//   P@e5, P*e5              drops; in variants with USI text that as well: 7g7f, P*5e
//   c3, Nc3                 a destination, or a piece's letter and a destination, where only one
//                           legal move fits
//
// Errors say in plain words why not: an empty cell, the other side's piece, a royal piece that
// could then be captured, several moves that fit, or no such move, with the nearest spelling.
absl::StatusOr<Move> ReadTypedMove(const Position& position, std::span<const Move> legal,
                                   absl::string_view text);

// The legal moves, a line for each piece: "Horse b1: b1a3 b1c3"; pieces in hand last. With `filter`
// (not empty) only of the piece on that cell, or of pieces with that letter or name. Errors: a
// filter that no piece with a move fits.
absl::StatusOr<std::string> ListMoves(const Position& position, std::span<const Move> legal,
                                      absl::string_view filter);

// "b1c3 (Horse takes Pawn)", of a move that is legal in the position.
std::string DescribeMove(const Position& position, Move move);

// "Pawn", of the piece on a cell that is not empty.
const std::string& PieceName(const Position& position, Cell cell);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_PLAY_MOVES_H_
