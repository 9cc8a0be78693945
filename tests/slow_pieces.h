// How the pieces of the slow rules move: the part of tests/slow_rules.h that reads atoms.
#ifndef CROSSRIVER_TESTS_SLOW_PIECES_H_
#define CROSSRIVER_TESTS_SLOW_PIECES_H_

#include <optional>
#include <vector>

#include "core/topology.h"
#include "core/variant.h"
#include "tests/slow_rules.h"

namespace crossriver::testing {

// Where a piece may go, and the cell on the way whose piece it captures too.
struct Target {
  Vec3 to;
  std::optional<Vec3> displaced;
};

const PieceDefinition& DefinitionOf(const SlowBoard& board, int piece);
const SlowPiece& PieceAt(const SlowBoard& board, Vec3 at);

// Zones are stated for the first player; the second player's are mirrored in rank.
bool InZone(const SlowBoard& board, SquareSet zone, Side side, Vec3 at);

// Every cell the piece on `from` may go to, whatever becomes of its royal piece.
std::vector<Target> TargetsOf(const SlowBoard& board, Vec3 from);

// Whether a piece that stands alone on the board has a move.
bool CanEverMove(const SlowBoard& board, int piece, Side side, Vec3 at);

}  // namespace crossriver::testing

#endif  // CROSSRIVER_TESTS_SLOW_PIECES_H_
