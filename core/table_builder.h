// Compiles the atoms of one piece into the tables of one kind and side.
#ifndef CROSSRIVER_CORE_TABLE_BUILDER_H_
#define CROSSRIVER_CORE_TABLE_BUILDER_H_

#include <vector>

#include "absl/status/status.h"
#include "core/move_tables.h"
#include "core/topology.h"
#include "core/types.h"
#include "core/variant.h"

namespace crossriver {

// Fills moves, attacks and zone of `tables` (not promotions and drops). Error: a cell from which
// two ways lead to one destination and one of them displaces, which move text could not tell apart.
absl::Status BuildMoveTables(const Topology& topology, const RayTables& rays,
                             const PieceDefinition& piece, Side side, KindTables* tables);

// The cells from which the kind has a move on an empty board.
SquareSet MobileCells(const RayTables& rays, const KindTables& tables);

// Every cell the kind could move to from `from`, whatever stands on the board; without and with its
// displacing moves.
SquareSet PlainReachableCells(const RayTables& rays, const KindTables& tables, Cell from);
SquareSet ReachableCells(const RayTables& rays, const KindTables& tables, Cell from);

// `vector` as `side` plays it.
inline Vec3 ForSide(Vec3 vector, Side side) {
  return side == Side::kFirst ? vector : Vec3{vector.level, vector.file, -vector.rank};
}

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_TABLE_BUILDER_H_
