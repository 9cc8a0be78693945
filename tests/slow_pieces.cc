#include "tests/slow_pieces.h"

namespace crossriver::testing {
namespace {

// Whether a piece of `side` may end a move on the cell, as far as the piece that stands there goes.
bool MayLand(const SlowBoard& board, Side side, Vec3 at, MoveMode mode) {
  const SlowPiece& there = PieceAt(board, at);
  if (there.empty()) return mode != MoveMode::kCaptureOnly;
  return there.side != side && mode != MoveMode::kMoveOnly;
}

int TowardsZero(int n) { return n > 0 ? n - 1 : n < 0 ? n + 1 : 0; }

// The cells a leap passes: seen from its end, it comes back one unit along every axis on which it
// is still away from its start.
std::vector<Vec3> CellsPassed(Vec3 from, Vec3 vector) {
  std::vector<Vec3> passed;
  for (;;) {
    vector = {TowardsZero(vector.level), TowardsZero(vector.file), TowardsZero(vector.rank)};
    if (vector == Vec3{}) return passed;
    passed.push_back(from + vector);
  }
}

void AddLeap(const SlowBoard& board, Side side, Vec3 from, Vec3 vector, const Atom& atom,
             std::vector<Target>* targets) {
  Target target = {from + vector, std::nullopt};
  if (!board.variant->topology.Contains(target.to)) return;
  if (!MayLand(board, side, target.to, atom.mode)) return;
  if (atom.through != Through::kAny) {
    for (const Vec3 passed : CellsPassed(from, vector)) {
      const SlowPiece& there = PieceAt(board, passed);
      if (there.empty()) continue;
      if (atom.through == Through::kEmpty || there.side == side) return;
      target.displaced = passed;
    }
  }
  targets->push_back(target);
}

// A slide passes no piece before it lands (`hurdles` = 0), a hop exactly one.
void AddRide(const SlowBoard& board, Side side, Vec3 from, Vec3 vector, MoveMode mode, int hurdles,
             std::vector<Target>* targets) {
  int passed = 0;
  for (Vec3 at = from + vector; board.variant->topology.Contains(at); at = at + vector) {
    if (passed == hurdles && MayLand(board, side, at, mode)) targets->push_back({at, std::nullopt});
    if (!PieceAt(board, at).empty() && ++passed > hurdles) return;
  }
}

}  // namespace

const PieceDefinition& DefinitionOf(const SlowBoard& board, int piece) {
  return board.variant->pieces[static_cast<size_t>(piece)];
}

const SlowPiece& PieceAt(const SlowBoard& board, Vec3 at) {
  return board.at(board.variant->topology.CellAt(at));
}

bool InZone(const SlowBoard& board, SquareSet zone, Side side, Vec3 at) {
  const Topology& topology = board.variant->topology;
  if (side == Side::kSecond) at.rank = topology.ranks() - 1 - at.rank;
  return zone.Contains(topology.CellAt(at));
}

std::vector<Target> TargetsOf(const SlowBoard& board, Vec3 from) {
  const SlowPiece& piece = PieceAt(board, from);
  const PieceDefinition& definition = DefinitionOf(board, piece.definition);
  std::vector<Target> targets;
  for (const Atom& atom : definition.atoms) {
    if (!InZone(board, atom.from, piece.side, from)) continue;
    for (Vec3 vector : atom.vectors) {
      if (piece.side == Side::kSecond) vector.rank = -vector.rank;
      switch (atom.kind) {
        case AtomKind::kLeap:
          AddLeap(board, piece.side, from, vector, atom, &targets);
          break;
        case AtomKind::kSlide:
          AddRide(board, piece.side, from, vector, atom.mode, 0, &targets);
          break;
        case AtomKind::kHop:
          AddRide(board, piece.side, from, vector, atom.mode, 1, &targets);
          break;
      }
    }
  }
  std::erase_if(targets, [&](const Target& target) {
    return !InZone(board, definition.zone, piece.side, target.to);
  });
  return targets;
}

bool CanEverMove(const SlowBoard& board, int piece, Side side, Vec3 at) {
  SlowBoard alone(board.variant);
  alone.at(board.variant->topology.CellAt(at)) = {piece, side, false};
  return !TargetsOf(alone, at).empty();
}

}  // namespace crossriver::testing
