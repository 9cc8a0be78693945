// The compiled moves of each piece kind, looked up by cell.
#ifndef CROSSRIVER_CORE_MOVE_TABLES_H_
#define CROSSRIVER_CORE_MOVE_TABLES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "core/square_set.h"
#include "core/types.h"
#include "core/variant.h"

namespace crossriver {

// A run of entries in one of the vectors of KindTables.
struct Span {
  uint16_t begin = 0;
  uint16_t count = 0;
};

// Leaps that need every cell of `path` empty.
struct PathLeap {
  SquareSet path;
  SquareSet targets;
  MoveMode mode = MoveMode::kBoth;
};

// A slide or a hop along a direction of Rules.
struct RayMove {
  uint8_t direction = 0;
  MoveMode mode = MoveMode::kBoth;
};

// A leap that also captures an enemy on the cell it passes, and fails on a piece of its own there.
struct Displacement {
  uint8_t halfway = 0;
  uint8_t destination = 0;
};

// What one kind of one side may do from one cell, its zone already applied to all but rays.
struct CellMoves {
  SquareSet leap;          // unobstructed leaps and steps that move and capture
  SquareSet quiet_leap;    // … that only move
  SquareSet capture_leap;  // … that only capture
  Span path_leaps;
  Span slides;
  Span hops;
  Span displacements;
};

// Leap captures of a cell from any of `from` while every cell of `path` is empty.
struct PathAttack {
  SquareSet path;
  SquareSet from;
};

// A displacer on `from` attacks the cell, as destination or as halfway cell, unless a piece of its
// own side stands on `blocker` (the halfway cell or the destination, respectively).
struct DisplaceAttack {
  uint8_t from = 0;
  uint8_t blocker = 0;
};

// From where one kind of one side captures what stands on one cell.
struct CellAttacks {
  SquareSet any_from;  // the union over all ways
  SquareSet leap_from;
  SquareSet slide_from;  // through an empty Rules::between
  SquareSet hop_from;    // over exactly one piece in Rules::between
  Span path_attacks;
  Span displace_attacks;
};

// How moves from one cell promote, by destination.
struct PromotionCells {
  SquareSet optional;  // with or without promotion
  SquareSet forced;    // only with
};

// All tables of one kind and side. Vectors of cells have one entry a cell.
struct KindTables {
  const CellMoves& MovesFrom(Cell cell) const { return moves[static_cast<size_t>(cell)]; }
  const CellAttacks& AttacksOn(Cell cell) const { return attacks[static_cast<size_t>(cell)]; }
  const PromotionCells& PromotionsFrom(Cell cell) const {
    return promotions[static_cast<size_t>(cell)];
  }
  Kind PromotedOn(Cell cell) const { return promoted[static_cast<size_t>(cell)]; }
  Kind DroppedOn(Cell cell) const { return dropped[static_cast<size_t>(cell)]; }

  // The entries of one cell.
  std::span<const PathLeap> PathLeapsOf(const CellMoves& of) const {
    return Entries(path_leaps, of.path_leaps);
  }
  std::span<const RayMove> SlidesOf(const CellMoves& of) const { return Entries(rays, of.slides); }
  std::span<const RayMove> HopsOf(const CellMoves& of) const { return Entries(rays, of.hops); }
  std::span<const Displacement> DisplacementsOf(const CellMoves& of) const {
    return Entries(displacements, of.displacements);
  }
  std::span<const PathAttack> PathAttacksOf(const CellAttacks& of) const {
    return Entries(path_attacks, of.path_attacks);
  }
  std::span<const DisplaceAttack> DisplaceAttacksOf(const CellAttacks& of) const {
    return Entries(displace_attacks, of.displace_attacks);
  }

  template <typename Entry>
  static std::span<const Entry> Entries(const std::vector<Entry>& all, Span span) {
    return {all.data() + span.begin, span.count};
  }

  std::vector<CellMoves> moves;
  std::vector<CellAttacks> attacks;

  std::vector<PathLeap> path_leaps;
  std::vector<RayMove> rays;  // slides and hops
  std::vector<Displacement> displacements;
  std::vector<PathAttack> path_attacks;
  std::vector<DisplaceAttack> displace_attacks;

  SquareSet zone;
  bool promotes = false;
  std::vector<PromotionCells> promotions;  // by the cell the move starts from
  std::vector<Kind> promoted;              // by destination: what it becomes

  SquareSet drop_cells;       // empty for a kind that is never in hand
  std::vector<Kind> dropped;  // by cell: the kind or its pending form
};

// The rays of a board. `between` is the set of cells strictly between two cells that lie on one ray
// (empty where none joins them).
class RayTables {
 public:
  static constexpr size_t kMaxDirections = 256;  // RayMove has 8 bits for one

  RayTables() = default;
  // `directions` must be primitive vectors; those given for the first player and their mirror
  // images.
  RayTables(const Topology& topology, std::vector<Vec3> directions);

  // The index of a direction given to the constructor.
  int DirectionIndex(Vec3 vector) const;
  SquareSet ray(int direction, Cell cell) const {
    return rays_[static_cast<size_t>(direction * num_cells_ + cell)];
  }
  // Whether the cells of the direction's rays follow each other in increasing order.
  bool increasing(int direction) const { return increasing_[static_cast<size_t>(direction)]; }
  SquareSet between(Cell a, Cell b) const {
    return between_[static_cast<size_t>(b * num_cells_ + a)];
  }

  // The nearest cell of a subset of a ray that is not empty.
  Cell Nearest(int direction, SquareSet on_ray) const {
    return increasing(direction) ? on_ray.First() : on_ray.Last();
  }
  // The cells a slider reaches, the first blocker included.
  SquareSet SlideAttacks(int direction, Cell cell, SquareSet occupied) const {
    const SquareSet open = ray(direction, cell);
    const SquareSet blockers = open & occupied;
    return blockers.empty() ? open : open ^ ray(direction, Nearest(direction, blockers));
  }
  // The cells beyond the first blocker, up to and with the second.
  SquareSet HopAttacks(int direction, Cell cell, SquareSet occupied) const {
    const SquareSet blockers = ray(direction, cell) & occupied;
    if (blockers.empty()) return {};
    return SlideAttacks(direction, Nearest(direction, blockers), occupied);
  }

 private:
  int num_cells_ = 0;
  std::vector<Vec3> directions_;
  std::vector<uint8_t> increasing_;
  std::vector<SquareSet> rays_;     // [direction][cell]
  std::vector<SquareSet> between_;  // [b][a]
};

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_MOVE_TABLES_H_
