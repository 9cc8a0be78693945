#include "tools/game_input.h"

#include "absl/strings/str_split.h"
#include "core/notation.h"

namespace crossriver {
namespace {

absl::StatusOr<Position> ParseBoard(const Rules& rules, Notation notation,
                                    absl::string_view board) {
  if (board.empty()) return StartPosition(rules);
  return notation == Notation::kFen ? ParseFen(rules, board) : ParseSfen(rules, board);
}

}  // namespace

absl::StatusOr<GameInput> ParseGame(const Rules& rules, Notation notation, absl::string_view board,
                                    absl::string_view moves) {
  const absl::StatusOr<Position> start = ParseBoard(rules, notation, board);
  if (!start.ok()) return start.status();
  GameInput game(*start);
  for (const absl::string_view text :
       absl::StrSplit(moves, absl::ByAnyChar(" \t"), absl::SkipEmpty())) {
    const absl::StatusOr<Move> move = notation == Notation::kFen
                                          ? ParseMove(game.position, text)
                                          : ParseUsiMove(game.position, text);
    if (!move.ok()) return move.status();
    game.moves.push_back(*move);
    const UndoRecord undo = game.position.Do(*move);
    game.history.Push(game.position, undo);
  }
  return game;
}

std::string FormatMove(const Rules& rules, Notation notation, Move move) {
  return notation == Notation::kFen ? FormatMove(rules, move) : FormatUsiMove(rules, move);
}

}  // namespace crossriver
