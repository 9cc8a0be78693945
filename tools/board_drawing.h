// Boards drawn in text, levels side by side.
#ifndef CROSSRIVER_TOOLS_BOARD_DRAWING_H_
#define CROSSRIVER_TOOLS_BOARD_DRAWING_H_

#include <functional>
#include <string>
#include <vector>

#include "core/position.h"
#include "core/square_set.h"
#include "core/topology.h"
#include "core/types.h"

namespace crossriver {

// The lines of a drawing: ranks from the highest, file letters above. `mark` gives the text of a
// cell, of at most `width` visible characters; `colour` (may be empty) an ANSI code for it or "".
// Flipped, all is turned round as the second player sits.
std::vector<std::string> DrawCells(const Topology& topology, int width,
                                   const std::function<std::string(Cell)>& mark,
                                   const std::function<std::string(Cell)>& colour,
                                   bool flipped = false);

struct BoardStyle {
  bool coloured = false;
  bool flipped = false;
  SquareSet marked;  // cells with '>' before what stands on them
};

// The board alone, a line a rank.
std::string DrawBoard(const Position& position, const BoardStyle& style);

// The board, hands, side to move and check of a position; ends with its FEN.
std::string DrawPosition(const Position& position, bool coloured);

// Blocks of lines side by side, as many as fit `columns` characters.
std::string SideBySide(const std::vector<std::vector<std::string>>& blocks, size_t columns);

// "Point x2, Wing" or "nothing".
std::string HandText(const Position& position, Side side);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_BOARD_DRAWING_H_
