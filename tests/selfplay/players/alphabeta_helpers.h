// What the tests of the alpha-beta engine share.
#ifndef CROSSRIVER_TESTS_SELFPLAY_PLAYERS_ALPHABETA_HELPERS_H_
#define CROSSRIVER_TESTS_SELFPLAY_PLAYERS_ALPHABETA_HELPERS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/adjudicator.h"
#include "core/history.h"
#include "core/position.h"
#include "core/rules.h"
#include "selfplay/players/alphabeta_options.h"

namespace crossriver::testing {

// A game in play.
struct PlayedGame {
  explicit PlayedGame(const Position& start) : position(start), history(start) {}
  // Moves as words; aborts on an illegal one.
  PlayedGame(const std::string& variant, const std::string& fen, const std::string& moves = "");

  Move Parse(const std::string& text) const;
  void Play(Move move);
  Outcome outcome() const;

  Position position;
  History history;
};

// The legal moves, in an order that does not depend on how they are generated.
std::vector<Move> SortedMoves(const Position& position);

// The start position after so many uniformly random moves, fewer where the game is over before: the
// last position is one in which it goes on. The same on every machine.
PlayedGame RandomGame(const Rules& rules, uint64_t seed, int plies);

// Options with which the score of a depth is that of plain minimax, and no limit of nodes.
AlphaBetaOptions ExactSearch(int depth, int quiescence_plies);

}  // namespace crossriver::testing

#endif  // CROSSRIVER_TESTS_SELFPLAY_PLAYERS_ALPHABETA_HELPERS_H_
