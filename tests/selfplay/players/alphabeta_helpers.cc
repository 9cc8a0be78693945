#include "tests/selfplay/players/alphabeta_helpers.h"

#include <algorithm>
#include <limits>
#include <sstream>

#include "core/check.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "mcts/random.h"
#include "tests/test_data.h"

namespace crossriver::testing {

PlayedGame::PlayedGame(const std::string& variant, const std::string& fen, const std::string& moves)
    : PlayedGame(*ParseFen(RulesOf(variant), fen)) {
  std::istringstream words(moves);
  for (std::string word; words >> word;) Play(Parse(word));
}

Move PlayedGame::Parse(const std::string& text) const {
  const absl::StatusOr<Move> move = ParseMove(position, text);
  CR_CHECK_OK(move.status());
  return *move;
}

void PlayedGame::Play(Move move) {
  const UndoRecord undo = position.Do(move);
  history.Push(position, undo);
}

Outcome PlayedGame::outcome() const {
  return Adjudicate(position, history, HasLegalMove(position));
}

std::vector<Move> SortedMoves(const Position& position) {
  std::vector<Move> moves;
  GenerateLegalMoves(position, &moves);
  std::sort(moves.begin(), moves.end());
  return moves;
}

PlayedGame RandomGame(const Rules& rules, uint64_t seed, int plies) {
  RandomStream random(seed);
  PlayedGame game(StartPosition(rules));
  for (int ply = 0; ply < plies; ++ply) {
    const std::vector<Move> moves = SortedMoves(game.position);
    PlayedGame next = game;
    next.Play(moves[random.Below(moves.size())]);
    if (next.outcome().is_over()) break;
    game = next;
  }
  return game;
}

AlphaBetaOptions ExactSearch(int depth, int quiescence_plies) {
  AlphaBetaOptions options;
  options.nodes = std::numeric_limits<int64_t>::max();
  options.max_depth = depth;
  options.quiescence_plies = quiescence_plies;
  options.selective = false;
  return options;
}

}  // namespace crossriver::testing
