#include "core/symmetry.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/notation.h"
#include "core/table_builder.h"

namespace crossriver {
namespace {

// What a kind may do from a cell in a form that can be mapped and compared: one entry for each way
// to move, its sets in a fixed order of meaning.
using Way = std::tuple<int, SquareSet, SquareSet>;

std::vector<Way> WaysFrom(const Rules& rules, const KindTables& tables, Cell from,
                          const Symmetry* image) {
  std::vector<Way> ways;
  const auto add = [&](int type, SquareSet a, SquareSet b) {
    if (image != nullptr) a = image->Map(a);
    if (image != nullptr) b = image->Map(b);
    ways.emplace_back(type, a, b);
  };
  const CellMoves& moves = tables.MovesFrom(from);
  add(0, moves.leap, moves.quiet_leap);
  add(1, moves.capture_leap, SquareSet());
  for (const PathLeap& leap : tables.PathLeapsOf(moves)) {
    add(2 + static_cast<int>(leap.mode), leap.path, leap.targets);
  }
  for (const auto& [type, ray_moves] :
       {std::pair(10, tables.SlidesOf(moves)), std::pair(20, tables.HopsOf(moves))}) {
    for (const RayMove& ray : ray_moves) {
      const SquareSet cells = rules.rays().ray(ray.direction, from);
      add(type + static_cast<int>(ray.mode), cells, cells & tables.zone);
    }
  }
  for (const Displacement& d : tables.DisplacementsOf(moves)) {
    add(30, SquareSet::Of(d.halfway), SquareSet::Of(d.destination));
  }
  if (tables.promotes) {
    add(40, tables.PromotionsFrom(from).optional, tables.PromotionsFrom(from).forced);
  }
  std::sort(ways.begin(), ways.end());
  return ways;
}

// By destination: what a kind promotes to and what a drop becomes there.
bool KeepsKinds(const std::vector<Kind>& by_cell, const Symmetry& symmetry) {
  for (size_t cell = 0; cell < by_cell.size(); ++cell) {
    const auto image = static_cast<size_t>(symmetry.Map(static_cast<Cell>(cell)));
    if (by_cell[cell] != by_cell[image]) return false;
  }
  return true;
}

bool KeepsRules(const Rules& rules, const Symmetry& symmetry) {
  for (Kind kind = 0; kind < rules.num_kinds(); ++kind) {
    for (const Side side : kSides) {
      const KindTables& tables = rules.tables(kind, side);
      if (symmetry.Map(tables.zone) != tables.zone) return false;
      if (symmetry.Map(tables.drop_cells) != tables.drop_cells) return false;
      if (!KeepsKinds(tables.promoted, symmetry)) return false;
      if (!KeepsKinds(tables.dropped, symmetry)) return false;
      for (Cell from = 0; from < rules.num_cells(); ++from) {
        if (WaysFrom(rules, tables, from, &symmetry) !=
            WaysFrom(rules, tables, symmetry.Map(from), nullptr)) {
          return false;
        }
      }
    }
  }
  return std::all_of(
      rules.definition().zones.begin(), rules.definition().zones.end(),
      [&symmetry](const auto& zone) { return symmetry.Map(zone.second) == zone.second; });
}

// Spreads `reach` by one round of moves, promotions, captures and drops; false where nothing is
// new.
bool Spread(const Rules& rules, std::vector<SquareSet>* reach) {
  const std::vector<SquareSet> before = *reach;
  for (Kind kind = 0; kind < rules.num_kinds(); ++kind) {
    for (const Side side : kSides) {
      const Piece piece = MakePiece(kind, side);
      const KindTables& tables = rules.tables(kind, side);
      for (Cell from : (*reach)[piece]) {
        SquareSet to = ReachableCells(rules.rays(), tables, from);
        if (tables.promotes) {
          const PromotionCells& promotions = tables.PromotionsFrom(from);
          for (Cell cell : to&(promotions.optional | promotions.forced)) {
            const Kind promoted = tables.PromotedOn(cell);
            (*reach)[MakePiece(promoted, side)].Add(cell);
          }
          to = to - promotions.forced;
        }
        (*reach)[piece] |= to;
      }
      const Kind hand_form = rules.kind(kind).hand_form;
      if ((*reach)[piece].empty() || hand_form == kNoKind) continue;
      const KindTables& dropped = rules.tables(hand_form, Other(side));
      for (Cell cell : dropped.drop_cells) {
        (*reach)[MakePiece(dropped.DroppedOn(cell), Other(side))].Add(cell);
      }
    }
  }
  return *reach != before;
}

}  // namespace

Symmetry::Symmetry(const Topology& topology, bool transpose, bool flip_level, bool flip_file) {
  for (const auto& [on, word] :
       {std::pair(transpose, "transpose"), {flip_level, "flip level"}, {flip_file, "flip file"}}) {
    if (on) absl::StrAppend(&name_, name_.empty() ? "" : ", ", word);
  }
  if (name_.empty()) name_ = "identity";
  for (Cell cell = 0; cell < topology.num_cells(); ++cell) {
    Vec3 at = topology.At(cell);
    if (transpose) std::swap(at.level, at.file);
    if (flip_level) at.level = topology.levels() - 1 - at.level;
    if (flip_file) at.file = topology.files() - 1 - at.file;
    map_[static_cast<size_t>(cell)] = static_cast<uint8_t>(topology.CellAt(at));
  }
}

SquareSet Symmetry::Map(SquareSet set) const {
  SquareSet image;
  for (Cell cell : set) image.Add(Map(cell));
  return image;
}

Move Symmetry::Map(Move move) const {
  if (move.is_drop()) return Move::Drop(move.drop_kind(), Map(move.to()));
  return Move::Board(Map(move.from()), Map(move.to()), move.promotes());
}

Position Symmetry::Map(const Position& position) const {
  Position image(&position.rules());
  for (Cell cell : position.occupied()) image.Put(position.piece_at(cell), Map(cell));
  for (const Side side : kSides) {
    for (const Kind kind : position.rules().hand_kinds()) {
      image.SetHand(side, kind, position.hand(side, kind));
    }
  }
  image.SetSideToMove(position.side_to_move());
  image.SetCounts(position.no_progress(), position.move_number());
  return image;
}

std::vector<SquareSet> ReachableFromStart(const Rules& rules) {
  std::vector<SquareSet> reach(static_cast<size_t>(2 * rules.num_kinds()));
  const Position start = StartPosition(rules);
  for (Cell cell : start.occupied()) reach[start.piece_at(cell)].Add(cell);
  for (const Side side : kSides) {
    for (const Kind kind : rules.hand_kinds()) {
      if (start.hand(side, kind) == 0) continue;
      const KindTables& tables = rules.tables(kind, side);
      for (Cell cell : tables.drop_cells) {
        reach[MakePiece(tables.DroppedOn(cell), side)].Add(cell);
      }
    }
  }
  while (Spread(rules, &reach)) {
  }
  return reach;
}

SymmetryGroups FindSymmetries(const Rules& rules) {
  const Topology& topology = rules.topology();
  const std::vector<SquareSet> reach = ReachableFromStart(rules);
  const Position start = StartPosition(rules);
  SymmetryGroups groups;
  for (const bool transpose : {false, true}) {
    if (transpose && (topology.levels() != topology.files() || topology.files() == 1)) continue;
    for (const bool flip_level : {false, true}) {
      if (flip_level && topology.levels() == 1) continue;
      for (const bool flip_file : {false, true}) {
        if (flip_file && topology.files() == 1) continue;
        const Symmetry symmetry(topology, transpose, flip_level, flip_file);
        if (!KeepsRules(rules, symmetry)) continue;
        groups.rules.push_back(symmetry);
        const bool keeps_reach =
            std::all_of(reach.begin(), reach.end(),
                        [&symmetry](SquareSet cells) { return symmetry.Map(cells) == cells; });
        if (keeps_reach) groups.reach.push_back(symmetry);
        if (symmetry.Map(start) == start) groups.start.push_back(symmetry);
      }
    }
  }
  return groups;
}

}  // namespace crossriver
