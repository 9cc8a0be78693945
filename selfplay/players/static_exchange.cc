#include "selfplay/players/static_exchange.h"

#include <algorithm>
#include <array>

namespace crossriver {
namespace {

// More than all other pieces together: no exchange gives up a royal piece.
constexpr int kRoyalGain = 30'000;
// Longer sequences of captures are cut off.
constexpr size_t kMaxCaptures = 32;

// An attacker of the kind among `pieces`, or kNoCell.
Cell AttackerOf(const RayTables& rays, const KindTables& tables, Cell target, SquareSet pieces,
                SquareSet occupied, SquareSet own) {
  const CellAttacks& attacks = tables.AttacksOn(target);
  pieces &= attacks.any_from;
  if (pieces.empty()) return kNoCell;
  if (pieces.Intersects(attacks.leap_from)) return (pieces & attacks.leap_from).First();
  for (Cell from : pieces& attacks.slide_from) {
    if (!rays.between(from, target).Intersects(occupied)) return from;
  }
  for (Cell from : pieces& attacks.hop_from) {
    if ((rays.between(from, target) & occupied).size() == 1) return from;
  }
  for (const PathAttack& a : tables.PathAttacksOf(attacks)) {
    if (pieces.Intersects(a.from) && !occupied.Intersects(a.path)) return (pieces & a.from).First();
  }
  for (const DisplaceAttack& a : tables.DisplaceAttacksOf(attacks)) {
    if (pieces.Contains(a.from) && !own.Contains(a.blocker)) return a.from;
  }
  return kNoCell;
}

int GainOf(const PieceValues& values, Kind kind) {
  return values.rules().kind(kind).royal ? kRoyalGain : values.capture_gain(kind);
}

}  // namespace

Cell CheapestAttacker(const PieceValues& values, const Position& position, Side side, Cell target,
                      SquareSet occupied, SquareSet pieces) {
  const Rules& rules = position.rules();
  const uint64_t present = position.kinds_present(side);
  for (const Kind kind : values.by_value()) {
    if ((present >> kind & 1) == 0) continue;
    const Cell from = AttackerOf(rules.rays(), rules.tables(kind, side), target,
                                 position.pieces(kind, side) & pieces, occupied, pieces);
    if (from != kNoCell) return from;
  }
  return kNoCell;
}

int MoveGain(const PieceValues& values, const Position& position, Move move) {
  if (move.is_drop()) return 0;
  int gain = 0;
  const Piece captured = position.piece_at(move.to());
  if (captured != kNoPiece) gain += GainOf(values, KindOf(captured));
  const Cell halfway = position.DisplacedCell(move);
  if (halfway != kNoCell) gain += GainOf(values, KindOf(position.piece_at(halfway)));
  if (move.promotes()) {
    const Piece piece = position.piece_at(move.from());
    const KindTables& tables = position.rules().tables(KindOf(piece), SideOf(piece));
    gain += values.value(tables.PromotedOn(move.to())) - values.value(KindOf(piece));
  }
  return gain;
}

int StaticExchange(const PieceValues& values, const Position& position, Move move) {
  Side side = position.side_to_move();
  const Cell target = move.to();
  SquareSet occupied = position.occupied();
  Kind standing = move.is_drop() ? move.drop_kind() : KindOf(position.piece_at(move.from()));
  if (!move.is_drop()) occupied.Remove(move.from());
  if (move.promotes()) standing = position.rules().tables(standing, side).PromotedOn(target);
  const Cell halfway = position.DisplacedCell(move);
  if (halfway != kNoCell) occupied.Remove(halfway);
  occupied.Add(target);

  // What each capture gains before the reply to it; the first is the move itself.
  std::array<int, kMaxCaptures> gains;
  gains[0] = MoveGain(values, position, move);
  size_t count = 1;
  while (count < kMaxCaptures) {
    side = Other(side);
    SquareSet pieces = position.pieces(side) & occupied;
    pieces.Remove(target);
    const Cell from = CheapestAttacker(values, position, side, target, occupied, pieces);
    if (from == kNoCell) break;
    gains[count++] = GainOf(values, standing);
    standing = KindOf(position.piece_at(from));
    occupied.Remove(from);
  }
  // From the last one back, each capture is made only where it pays; the move itself is a must.
  int reply = 0;
  for (size_t i = count - 1; i > 0; --i) reply = std::max(0, gains[i] - reply);
  return gains[0] - reply;
}

}  // namespace crossriver
