#include "core/attacks.h"

#include <bit>

namespace crossriver {
namespace {

bool SlidesOrHopsOnto(const RayTables& rays, const CellAttacks& attacks, Cell royal,
                      SquareSet pieces, SquareSet occupied) {
  for (Cell enemy : pieces& attacks.slide_from) {
    if (!rays.between(enemy, royal).Intersects(occupied)) return true;
  }
  for (Cell enemy : pieces& attacks.hop_from) {
    if ((rays.between(enemy, royal) & occupied).size() == 1) return true;
  }
  return false;
}

bool StepsThroughOnto(const CellAttacks& attacks, const KindTables& tables, SquareSet pieces,
                      SquareSet occupied, SquareSet enemies) {
  for (const PathAttack& a : tables.PathAttacksOf(attacks)) {
    if (pieces.Intersects(a.from) && !occupied.Intersects(a.path)) return true;
  }
  for (const DisplaceAttack& a : tables.DisplaceAttacksOf(attacks)) {
    if (pieces.Contains(a.from) && !enemies.Contains(a.blocker)) return true;
  }
  return false;
}

}  // namespace

bool IsAttacked(const Position& position, Side side, Cell royal, SquareSet occupied,
                SquareSet enemies) {
  const Rules& rules = position.rules();
  const Side enemy = Other(side);
  for (uint64_t kinds = position.kinds_present(enemy); kinds != 0; kinds &= kinds - 1) {
    const Kind kind = std::countr_zero(kinds);
    const KindTables& tables = rules.tables(kind, enemy);
    const CellAttacks& attacks = tables.AttacksOn(royal);
    const SquareSet pieces = position.pieces(kind, enemy) & enemies & attacks.any_from;
    if (pieces.empty()) continue;
    if (pieces.Intersects(attacks.leap_from) ||
        SlidesOrHopsOnto(rules.rays(), attacks, royal, pieces, occupied) ||
        StepsThroughOnto(attacks, tables, pieces, occupied, enemies)) {
      return true;
    }
  }
  return false;
}

bool AreFacing(const Position& position, Side side, Cell royal, SquareSet occupied) {
  const Rules& rules = position.rules();
  if (!rules.game().facing_ban) return false;
  const Cell other = position.royal(Other(side));
  return royal % rules.topology().columns() == other % rules.topology().columns() &&
         !rules.rays().between(other, royal).Intersects(occupied);
}

bool InCheck(const Position& position) {
  const Side side = position.side_to_move();
  return IsAttacked(position, side, position.royal(side), position.occupied(),
                    position.pieces(Other(side)));
}

RoyalSafety::RoyalSafety(const Position& position)
    : occupied_(position.occupied()),
      own_(position.pieces(position.side_to_move())),
      common_(~SquareSet()),
      base_(~SquareSet()) {
  const Rules& rules = position.rules();
  const Side side = position.side_to_move();
  const Side enemy = Other(side);
  const Cell royal = position.royal(side);
  for (uint64_t kinds = position.kinds_present(enemy); kinds != 0; kinds &= kinds - 1) {
    const Kind kind = std::countr_zero(kinds);
    const KindTables& tables = rules.tables(kind, enemy);
    const CellAttacks& attacks = tables.AttacksOn(royal);
    const SquareSet pieces = position.pieces(kind, enemy) & attacks.any_from;
    if (!pieces.empty()) AddEnemyKind(position, attacks, tables, pieces);
  }
  const Cell other = position.royal(enemy);
  if (rules.game().facing_ban &&
      royal % rules.topology().columns() == other % rules.topology().columns()) {
    AddPath(rules.rays().between(other, royal), other, 0, /*is_check=*/false);
  }
}

void RoyalSafety::AddEnemyKind(const Position& position, const CellAttacks& attacks,
                               const KindTables& tables, SquareSet pieces) {
  const RayTables& rays = position.rules().rays();
  const Cell royal = position.royal(position.side_to_move());
  for (Cell enemy : pieces& attacks.leap_from) AddPath(SquareSet(), enemy, 0, true);
  for (Cell enemy : pieces& attacks.slide_from) AddPath(rays.between(enemy, royal), enemy, 0, true);
  for (Cell enemy : pieces& attacks.hop_from) AddPath(rays.between(enemy, royal), enemy, 1, true);
  if (attacks.path_attacks.count > 0) AddPathAttacks(attacks, tables, pieces);
  if (attacks.displace_attacks.count > 0) AddDisplacers(attacks, tables, pieces);
}

void RoyalSafety::AddPathAttacks(const CellAttacks& attacks, const KindTables& tables,
                                 SquareSet pieces) {
  for (const PathAttack& a : tables.PathAttacksOf(attacks)) {
    for (Cell enemy : pieces& a.from) AddPath(a.path, enemy, 0, true);
  }
}

void RoyalSafety::AddDisplacers(const CellAttacks& attacks, const KindTables& tables,
                                SquareSet pieces) {
  const SquareSet enemies = occupied_ - own_;
  for (const DisplaceAttack& a : tables.DisplaceAttacksOf(attacks)) {
    if (!pieces.Contains(a.from)) continue;
    if (enemies.Contains(a.blocker)) {
      // Its own piece is in its way, and must not be captured.
      common_.Remove(a.blocker);
      base_.Remove(a.blocker);
    } else {
      AddPath(SquareSet(), a.from, 0, true);
    }
  }
}

void RoyalSafety::AddPath(SquareSet path, Cell enemy, int needed, bool is_check) {
  const int excess = (path & occupied_).size() - needed;
  if (excess > 1 || excess < -1) return;
  const SquareSet interposing = (path - occupied_) | SquareSet::Of(enemy);
  const SquareSet everything = ~SquareSet();
  Constraint constraint = {path, everything, everything};
  if (excess == 0) {  // an attack now
    in_check_ |= is_check;
    constraint.outside = interposing;
    constraint.inside = ~path;
  } else if (excess == 1) {  // an attack when one of the pieces in the path leaves it
    constraint.inside = interposing;
  } else {  // a hopper without a piece to hop over
    constraint.outside = ~path;
  }
  common_ &= constraint.outside;
  if (path.Intersects(own_)) {
    special_ |= path & own_;
    constraints_.push_back(constraint);
  } else {
    base_ &= constraint.outside;
  }
}

SquareSet RoyalSafety::AllowedInPath(Cell from) const {
  SquareSet allowed = base_;
  for (const Constraint& c : constraints_) {
    allowed &= c.path.Contains(from) ? c.inside : c.outside;
  }
  return allowed;
}

}  // namespace crossriver
