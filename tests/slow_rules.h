// The rules a second time: slow, obvious, and independent of the compiled tables.
//
// Moves come from VariantDefinition and coordinates alone, on a plain array of pieces. Legality is
// found by playing each move on a copy of the board and looking at what the enemy could capture.
// The property tests compare the rules core with it.
#ifndef CROSSRIVER_TESTS_SLOW_RULES_H_
#define CROSSRIVER_TESTS_SLOW_RULES_H_

#include <array>
#include <compare>
#include <string>
#include <vector>

#include "core/position.h"
#include "core/types.h"
#include "core/variant.h"

namespace crossriver::testing {

// What stands on a cell. A pending promotion is a mark on the piece, not a kind of its own.
struct SlowPiece {
  int definition = -1;  // index of VariantDefinition::pieces; -1 = the cell is empty
  Side side = Side::kFirst;
  bool pending = false;

  bool empty() const { return definition < 0; }
  friend bool operator==(const SlowPiece&, const SlowPiece&) = default;
};

struct SlowMove {
  Cell from = kNoCell;  // none for a drop
  int dropped = -1;     // the definition of the dropped piece
  Cell to = kNoCell;
  Cell displaced = kNoCell;  // the halfway cell whose piece is captured too
  int promoted = -1;         // the definition the piece becomes

  bool is_drop() const { return from == kNoCell; }
  friend auto operator<=>(const SlowMove&, const SlowMove&) = default;
};

// The variant of the position must outlive the board.
struct SlowBoard {
  explicit SlowBoard(const VariantDefinition* definition);
  explicit SlowBoard(const Position& position);

  const SlowPiece& at(Cell cell) const { return cells[static_cast<size_t>(cell)]; }
  SlowPiece& at(Cell cell) { return cells[static_cast<size_t>(cell)]; }
  int& hand(Side side, int piece) {
    return hands[static_cast<size_t>(side)][static_cast<size_t>(piece)];
  }

  const VariantDefinition* variant;
  std::vector<SlowPiece> cells;
  std::array<std::vector<int>, kNumSides> hands;  // by definition
  Side mover = Side::kFirst;

  friend bool operator==(const SlowBoard&, const SlowBoard&) = default;
};

// The legal moves, sorted, each once.
std::vector<SlowMove> SlowMoves(const SlowBoard& board);
// The board after a move.
SlowBoard SlowPlay(const SlowBoard& board, const SlowMove& move);
std::string SlowText(const SlowBoard& board, const SlowMove& move);

// Sorted move texts of all legal moves, as LegalMoveTexts gives them.
std::vector<std::string> SlowLegalMoves(const Position& position);
bool SlowInCheck(const Position& position);

}  // namespace crossriver::testing

#endif  // CROSSRIVER_TESTS_SLOW_RULES_H_
