// Legal moves.
#ifndef CROSSRIVER_CORE_MOVEGEN_H_
#define CROSSRIVER_CORE_MOVEGEN_H_

#include <cstdint>
#include <vector>

#include "core/position.h"
#include "core/square_set.h"
#include "core/types.h"

namespace crossriver {

// All functions see positions in which the side to move cannot capture the royal piece.

// Replaces `moves` with the legal moves, in no particular but a fixed order. A variant with drops
// can have several hundred.
void GenerateLegalMoves(const Position& position, std::vector<Move>* moves);

// Their number, without making the list: a population count of the destination sets.
int64_t CountLegalMoves(const Position& position);

bool HasLegalMove(const Position& position);

// Whether `move`, of any origin, is one of them.
bool IsLegal(const Position& position, Move move);

// Where the piece of the side to move on `from` could go if its royal piece had nothing to fear: to
// tell why a move is not legal.
SquareSet UnguardedDestinations(const Position& position, Cell from);

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_MOVEGEN_H_
