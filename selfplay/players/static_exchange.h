// What a capture wins or loses when both sides go on capturing on its cell.
#ifndef CROSSRIVER_SELFPLAY_PLAYERS_STATIC_EXCHANGE_H_
#define CROSSRIVER_SELFPLAY_PLAYERS_STATIC_EXCHANGE_H_

#include "core/position.h"
#include "core/square_set.h"
#include "core/types.h"
#include "selfplay/players/piece_values.h"

namespace crossriver {

// The cheapest piece of `side` among `pieces` that attacks `target` when the board holds
// `occupied`, or kNoCell. Whether its move would be legal is not asked.
Cell CheapestAttacker(const PieceValues& values, const Position& position, Side side, Cell target,
                      SquareSet occupied, SquareSet pieces);

// The pieces that `move` takes, halfway ones included, and what promotion adds.
int MoveGain(const PieceValues& values, const Position& position, Move move);

// The gain of `move`, a move of the position, after the best sequence of captures on its
// destination, each by the cheapest piece, where either side may stop. Pins and checks are not
// seen, nor what later captures displace. In the units of PieceValues.
int StaticExchange(const PieceValues& values, const Position& position, Move move);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_PLAYERS_STATIC_EXCHANGE_H_
