#include "core/table_builder.h"

#include "absl/strings/str_cat.h"

namespace crossriver {
namespace {

class TableBuilder {
 public:
  TableBuilder(const Topology& topology, const RayTables& rays, Side side, KindTables* tables)
      : topology_(topology), rays_(rays), side_(side), tables_(*tables) {}

  void Build(const PieceDefinition& piece);
  absl::Status CheckDisplacements() const;

 private:
  // One leap of an atom, and how it is obstructed.
  struct Leap {
    SquareSet path;
    Cell destination;
    const Atom* atom;
  };

  bool StartsFrom(const Atom& atom, Cell from) const {
    const Cell own = side_ == Side::kFirst ? from : topology_.MirrorRank(from);
    return atom.from.Contains(own);
  }
  void AddLeaps(const PieceDefinition& piece, Cell from);
  void AddLeap(Cell from, const Leap& leap);
  void AddPathLeap(Cell from, const Leap& leap);
  void AddRays(const PieceDefinition& piece, Cell from, AtomKind kind);
  void CollectAttacks(Cell target);
  void CollectRayAttacks(Cell from, Cell target, CellAttacks* attacks) const;
  void AddPathAttack(Cell from, SquareSet path, CellAttacks* attacks);

  const Topology& topology_;
  const RayTables& rays_;
  const Side side_;
  KindTables& tables_;
};

void TableBuilder::AddPathLeap(Cell from, const Leap& leap) {
  Span& span = tables_.moves[static_cast<size_t>(from)].path_leaps;
  for (size_t i = span.begin; i < tables_.path_leaps.size(); ++i) {
    PathLeap& known = tables_.path_leaps[i];
    if (known.path == leap.path && known.mode == leap.atom->mode) {
      known.targets.Add(leap.destination);
      return;
    }
  }
  tables_.path_leaps.push_back({leap.path, SquareSet::Of(leap.destination), leap.atom->mode});
  ++span.count;
}

void TableBuilder::AddLeap(Cell from, const Leap& leap) {
  CellMoves& moves = tables_.moves[static_cast<size_t>(from)];
  if (leap.atom->through == Through::kEnemy) {
    tables_.displacements.push_back(
        {static_cast<uint8_t>(leap.path.First()), static_cast<uint8_t>(leap.destination)});
    ++moves.displacements.count;
  } else if (leap.atom->through == Through::kEmpty && !leap.path.empty()) {
    AddPathLeap(from, leap);
  } else {
    SquareSet& set = leap.atom->mode == MoveMode::kBoth       ? moves.leap
                     : leap.atom->mode == MoveMode::kMoveOnly ? moves.quiet_leap
                                                              : moves.capture_leap;
    set.Add(leap.destination);
  }
}

void TableBuilder::AddLeaps(const PieceDefinition& piece, Cell from) {
  CellMoves& moves = tables_.moves[static_cast<size_t>(from)];
  moves.path_leaps.begin = static_cast<uint16_t>(tables_.path_leaps.size());
  moves.displacements.begin = static_cast<uint16_t>(tables_.displacements.size());
  const Vec3 at = topology_.At(from);
  for (const Atom& atom : piece.atoms) {
    if (atom.kind != AtomKind::kLeap || !StartsFrom(atom, from)) continue;
    for (const Vec3& vector : atom.vectors) {
      const Vec3 to = at + ForSide(vector, side_);
      if (!topology_.Contains(to)) continue;
      Leap leap = {SquareSet(), topology_.CellAt(to), &atom};
      if (!tables_.zone.Contains(leap.destination)) continue;
      for (const Vec3& step : LeapPath(ForSide(vector, side_))) {
        leap.path.Add(topology_.CellAt(at + step));
      }
      AddLeap(from, leap);
    }
  }
  moves.quiet_leap &= ~moves.leap;
  moves.capture_leap &= ~moves.leap;
}

void TableBuilder::AddRays(const PieceDefinition& piece, Cell from, AtomKind kind) {
  CellMoves& moves = tables_.moves[static_cast<size_t>(from)];
  Span& span = kind == AtomKind::kSlide ? moves.slides : moves.hops;
  span.begin = static_cast<uint16_t>(tables_.rays.size());
  for (const Atom& atom : piece.atoms) {
    if (atom.kind != kind || !StartsFrom(atom, from)) continue;
    for (const Vec3& vector : atom.vectors) {
      const int direction = rays_.DirectionIndex(ForSide(vector, side_));
      if (rays_.ray(direction, from).empty()) continue;
      tables_.rays.push_back({static_cast<uint8_t>(direction), atom.mode});
      ++span.count;
    }
  }
}

void TableBuilder::CollectRayAttacks(Cell from, Cell target, CellAttacks* attacks) const {
  if (!tables_.zone.Contains(target)) return;
  const CellMoves& moves = tables_.MovesFrom(from);
  const auto reaches = [&](const RayMove& ray) {
    return ray.mode != MoveMode::kMoveOnly && rays_.ray(ray.direction, from).Contains(target);
  };
  for (const RayMove& ray : tables_.SlidesOf(moves)) {
    if (reaches(ray)) attacks->slide_from.Add(from);
  }
  for (const RayMove& ray : tables_.HopsOf(moves)) {
    // A hop needs a cell for the piece it hops over.
    if (reaches(ray) && !rays_.between(from, target).empty()) attacks->hop_from.Add(from);
  }
}

void TableBuilder::AddPathAttack(Cell from, SquareSet path, CellAttacks* attacks) {
  for (size_t i = attacks->path_attacks.begin; i < tables_.path_attacks.size(); ++i) {
    if (tables_.path_attacks[i].path != path) continue;
    tables_.path_attacks[i].from.Add(from);
    return;
  }
  tables_.path_attacks.push_back({path, SquareSet::Of(from)});
  ++attacks->path_attacks.count;
}

void TableBuilder::CollectAttacks(Cell target) {
  CellAttacks& attacks = tables_.attacks[static_cast<size_t>(target)];
  attacks.path_attacks.begin = static_cast<uint16_t>(tables_.path_attacks.size());
  attacks.displace_attacks.begin = static_cast<uint16_t>(tables_.displace_attacks.size());
  for (Cell from : tables_.zone) {
    const CellMoves& moves = tables_.MovesFrom(from);
    if ((moves.leap | moves.capture_leap).Contains(target)) attacks.leap_from.Add(from);
    CollectRayAttacks(from, target, &attacks);
    for (const PathLeap& leap : tables_.PathLeapsOf(moves)) {
      if (leap.mode == MoveMode::kMoveOnly || !leap.targets.Contains(target)) continue;
      AddPathAttack(from, leap.path, &attacks);
      attacks.any_from.Add(from);
    }
    for (const Displacement& d : tables_.DisplacementsOf(moves)) {
      if (d.destination != target && d.halfway != target) continue;
      const uint8_t blocker = d.destination == target ? d.halfway : d.destination;
      tables_.displace_attacks.push_back({static_cast<uint8_t>(from), blocker});
      ++attacks.displace_attacks.count;
      attacks.any_from.Add(from);
    }
  }
  attacks.any_from |= attacks.leap_from | attacks.slide_from | attacks.hop_from;
}

void TableBuilder::Build(const PieceDefinition& piece) {
  const auto cells = static_cast<size_t>(topology_.num_cells());
  tables_.zone = side_ == Side::kFirst ? piece.zone : topology_.MirrorRank(piece.zone);
  tables_.moves.resize(cells);
  tables_.attacks.resize(cells);
  for (Cell from : tables_.zone) {
    AddLeaps(piece, from);
    AddRays(piece, from, AtomKind::kSlide);
    AddRays(piece, from, AtomKind::kHop);
  }
  for (Cell target = 0; target < topology_.num_cells(); ++target) CollectAttacks(target);
}

absl::Status TableBuilder::CheckDisplacements() const {
  for (Cell from = 0; from < topology_.num_cells(); ++from) {
    const CellMoves& moves = tables_.MovesFrom(from);
    if (moves.displacements.count == 0) continue;
    SquareSet reached = PlainReachableCells(rays_, tables_, from);
    for (const Displacement& d : tables_.DisplacementsOf(moves)) {
      if (reached.Contains(d.destination)) {
        return absl::InvalidArgumentError(absl::StrCat("two ways from ", topology_.Name(from),
                                                       " to ", topology_.Name(d.destination),
                                                       ", of which one displaces; expected one"));
      }
      reached.Add(d.destination);
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status BuildMoveTables(const Topology& topology, const RayTables& rays,
                             const PieceDefinition& piece, Side side, KindTables* tables) {
  TableBuilder builder(topology, rays, side, tables);
  builder.Build(piece);
  return builder.CheckDisplacements();
}

SquareSet ReachableCells(const RayTables& rays, const KindTables& tables, Cell from) {
  SquareSet cells = PlainReachableCells(rays, tables, from);
  for (const Displacement& d : tables.DisplacementsOf(tables.MovesFrom(from))) {
    cells.Add(d.destination);
  }
  return cells;
}

SquareSet PlainReachableCells(const RayTables& rays, const KindTables& tables, Cell from) {
  const CellMoves& moves = tables.MovesFrom(from);
  SquareSet cells = moves.leap | moves.quiet_leap | moves.capture_leap;
  for (const PathLeap& leap : tables.PathLeapsOf(moves)) cells |= leap.targets;
  for (const auto ray_moves : {tables.SlidesOf(moves), tables.HopsOf(moves)}) {
    for (const RayMove& move : ray_moves) cells |= rays.ray(move.direction, from) & tables.zone;
  }
  return cells;
}

SquareSet MobileCells(const RayTables& rays, const KindTables& tables) {
  SquareSet mobile;
  for (Cell from : tables.zone) {
    const CellMoves& moves = tables.MovesFrom(from);
    bool moves_somewhere =
        !(moves.leap | moves.quiet_leap).empty() || moves.displacements.count > 0;
    for (const PathLeap& leap : tables.PathLeapsOf(moves)) {
      moves_somewhere |= leap.mode != MoveMode::kCaptureOnly;
    }
    for (const RayMove& move : tables.SlidesOf(moves)) {
      moves_somewhere |= move.mode != MoveMode::kCaptureOnly &&
                         rays.ray(move.direction, from).Intersects(tables.zone);
    }
    if (moves_somewhere) mobile.Add(from);
  }
  return mobile;
}

}  // namespace crossriver
