#include "selfplay/players/position_score.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace crossriver {
namespace {

constexpr int kToMove = 10;

constexpr int kPressurePiece = 100;  // value per unit of weight
constexpr int kPressureSlope = 8;
constexpr int kPressureScale = 32;
constexpr int kMaxPressure = 64;

constexpr int kExposureARank = 12;

// A side is chased when it has at most this share of the army of the array, and the other side this
// much more.
constexpr int kChasedShare = 4;
constexpr int kChaseLead = 250;
constexpr int kChaseStep = 15;      // for each step that the chased royal piece lacks
constexpr int kChaseCloser = 3;     // for each cell that a piece is nearer
constexpr int kMostRoyalSteps = 8;  // more count as so many

int Pressure(const PieceValues& values, const Position& position, Side side) {
  const Cell royal = position.royal(Other(side));
  int weight = 0;
  for (uint64_t kinds = position.kinds_present(side); kinds != 0; kinds &= kinds - 1) {
    const Kind kind = std::countr_zero(kinds);
    const SquareSet pressing =
        position.pieces(kind, side) & values.pressing_cells(MakePiece(kind, side), royal);
    weight += pressing.size() * values.value(kind);
  }
  if (!position.hand_empty(side)) {
    for (const Kind kind : values.rules().hand_kinds()) {
      weight += position.hand(side, kind) * values.hand_value(kind) / 2;
    }
  }
  const int units = std::min(weight / kPressurePiece, kMaxPressure);
  return units * (units + kPressureSlope) / kPressureScale;
}

// Ranks that the royal piece of `side` has gone forward, in the measure of the other army.
int Exposure(const PieceValues& values, const Position& position, Side side, int enemy_material) {
  const Topology& topology = values.rules().topology();
  const int rank = topology.Rank(position.royal(side));
  const int gone = side == Side::kFirst ? rank : topology.ranks() - 1 - rank;
  return gone * kExposureARank * std::min(enemy_material, values.army()) /
         std::max(1, values.army());
}

int Distance(const Topology& topology, Cell a, Cell b) {
  const Vec3 from = topology.At(a);
  const Vec3 to = topology.At(b);
  return std::max({std::abs(from.level - to.level), std::abs(from.file - to.file),
                   std::abs(from.rank - to.rank)});
}

// What `hunter` has for driving the other side's royal piece to its mate.
int Chase(const PieceValues& values, const Position& position, Side hunter) {
  const Topology& topology = values.rules().topology();
  const Side chased = Other(hunter);
  const Cell royal = position.royal(chased);
  const int steps = std::min(values.royal_freedom(chased, royal), kMostRoyalSteps);
  int bonus = (kMostRoyalSteps - steps) * kChaseStep;
  const int farthest = std::max({topology.ranks(), topology.files(), topology.levels()});
  for (Cell cell : position.pieces(hunter)) {
    bonus += (farthest - Distance(topology, cell, royal)) * kChaseCloser;
  }
  return bonus;
}

int ChaseBonus(const PieceValues& values, const Position& position, const PositionTotals& totals,
               Side side) {
  const int lead = totals.Of(side).material - totals.Of(Other(side)).material;
  if (lead < kChaseLead || totals.Of(Other(side)).material * kChasedShare > values.army()) return 0;
  return Chase(values, position, side);
}

}  // namespace

PositionTotals CountTotals(const PieceValues& values, const Position& position) {
  PositionTotals totals;
  for (const Side side : kSides) {
    ArmyTotals& army = totals.Of(side);
    for (Cell cell : position.pieces(side)) {
      const Piece piece = position.piece_at(cell);
      army.placed += values.at(piece, cell);
      army.material += values.value(KindOf(piece));
    }
    for (const Kind kind : position.rules().hand_kinds()) {
      army.placed += position.hand(side, kind) * values.hand_value(kind);
      army.material += position.hand(side, kind) * values.hand_value(kind);
    }
  }
  return totals;
}

void UpdateTotals(const PieceValues& values, const Position& after, Move move,
                  const UndoRecord& undo, PositionTotals* totals) {
  const Side mover = Other(after.side_to_move());
  ArmyTotals& own = totals->Of(mover);
  ArmyTotals& enemy = totals->Of(Other(mover));
  const Piece placed = after.piece_at(move.to());
  own.placed += values.at(placed, move.to());
  own.material += values.value(KindOf(placed));
  if (move.is_drop()) {
    own.placed -= values.hand_value(move.drop_kind());
    own.material -= values.hand_value(move.drop_kind());
    return;
  }
  own.placed -= values.at(undo.moved, move.from());
  own.material -= values.value(KindOf(undo.moved));
  const auto take = [&](Piece piece, Cell cell) {
    if (piece == kNoPiece) return;
    const Kind kind = KindOf(piece);
    enemy.placed -= values.at(piece, cell);
    enemy.material -= values.value(kind);
    const int gained = values.capture_gain(kind) - values.value(kind);
    own.placed += gained;
    own.material += gained;
  };
  take(undo.captured, move.to());
  take(undo.displaced, undo.halfway);
}

int ScorePosition(const PieceValues& values, const Position& position,
                  const PositionTotals& totals) {
  int score = 0;  // of the side to move
  for (const Side side : kSides) {
    const int good = totals.Of(side).placed + Pressure(values, position, side) -
                     Exposure(values, position, side, totals.Of(Other(side)).material) +
                     ChaseBonus(values, position, totals, side);
    score += side == position.side_to_move() ? good : -good;
  }
  const int limit = values.rules().game().no_progress_plies;
  if (limit > 0) {
    const int left = std::max(0, limit - position.no_progress());
    if (left < kFadingPlies) score = score * left / kFadingPlies;
  }
  return std::clamp(score + kToMove, -kMaxPositionScore, kMaxPositionScore);
}

}  // namespace crossriver
