#include "core/movegen.h"

#include <algorithm>
#include <bit>

#include "core/attacks.h"

namespace crossriver {
namespace {

// A generator of all legal moves, grouped: Visit calls
//
//   sink.Board(from, destinations, promotions) and sink.Drops(kind, destinations)
//
// with destination sets that are not empty and not the same twice; `promotions` is null for a kind
// that does not promote. Either returns false to stop.
template <typename Sink>
class LegalVisitor {
 public:
  LegalVisitor(const Position& position, Sink* sink)
      : position_(position),
        rules_(position.rules()),
        side_(position.side_to_move()),
        occupied_(position.occupied()),
        own_(position.pieces(side_)),
        enemies_(position.pieces(Other(side_))),
        safety_(position),
        sink_(*sink) {}

  // False where the sink stopped.
  bool Visit() {
    for (uint64_t kinds = position_.kinds_present(side_); kinds != 0; kinds &= kinds - 1) {
      const Kind kind = std::countr_zero(kinds);
      const bool royal = kind == rules_.royal_kind();
      const KindTables& tables = rules_.tables(kind, side_);
      for (Cell from : position_.pieces(kind, side_)) {
        const SquareSet to = royal ? RoyalDestinations(tables, from)
                                   : Destinations(tables, from, safety_.Allowed(from));
        if (to.empty()) continue;
        const PromotionCells* promotions = tables.promotes ? &tables.PromotionsFrom(from) : nullptr;
        if (!sink_.Board(from, to, promotions)) return false;
      }
    }
    return position_.hand_empty(side_) || VisitDrops();
  }

  // Of the piece on `from`, whatever becomes of the royal piece.
  SquareSet Unguarded(Cell from) const {
    const KindTables& tables = rules_.tables(KindOf(position_.piece_at(from)), side_);
    SquareSet to = PlainDestinations(tables, from);
    for (const Displacement& d : tables.DisplacementsOf(tables.MovesFrom(from))) {
      if (enemies_.Contains(d.halfway) && !own_.Contains(d.destination)) to.Add(d.destination);
    }
    return to;
  }

 private:
  bool VisitDrops() {
    const SquareSet open = safety_.common() - occupied_;
    if (open.empty()) return true;
    for (const Kind kind : rules_.hand_kinds()) {
      if (position_.hand(side_, kind) == 0) continue;
      SquareSet to = open & rules_.tables(kind, side_).drop_cells;
      const KindInfo& info = rules_.kind(kind);
      if (info.max_per_file > 0) to &= FilesWithRoom(kind, info);
      if (!info.drop_mate) to = WithoutDropMates(kind, to);
      if (!to.empty() && !sink_.Drops(kind, to)) return false;
    }
    return true;
  }

  SquareSet FilesWithRoom(Kind kind, const KindInfo& info) const {
    SquareSet standing = position_.pieces(kind, side_);
    if (info.pending != kNoKind) standing |= position_.pieces(info.pending, side_);
    SquareSet room = rules_.topology().all();
    for (const SquareSet& column : rules_.columns()) {
      if ((column & standing).size() >= info.max_per_file) room &= ~column;
    }
    return room;
  }

  // Takes away drops that leave the opponent in check and without a move.
  SquareSet WithoutDropMates(Kind kind, SquareSet to) const {
    const Cell royal = position_.royal(Other(side_));
    SquareSet checking;
    if (rules_.has_hoppers()) {
      checking = to;  // any drop may give a hopper the piece it needs
    } else {
      for (Cell cell : to) {
        const Kind dropped = rules_.tables(kind, side_).DroppedOn(cell);
        const CellAttacks& attacks = rules_.tables(dropped, side_).AttacksOn(royal);
        if (attacks.any_from.Contains(cell)) checking.Add(cell);
      }
    }
    for (Cell cell : checking) {
      Position after = position_;
      after.Do(Move::Drop(kind, cell));
      if (InCheck(after) && !HasLegalMove(after)) to.Remove(cell);
    }
    return to;
  }

  // The destinations of the piece on `from` by slides and hops.
  SquareSet RayDestinations(const KindTables& tables, const CellMoves& moves, Cell from) const {
    SquareSet to;
    for (const RayMove& ray : tables.SlidesOf(moves)) {
      to |= Filter(rules_.rays().SlideAttacks(ray.direction, from, occupied_), ray.mode);
    }
    for (const RayMove& ray : tables.HopsOf(moves)) {
      to |= Filter(rules_.rays().HopAttacks(ray.direction, from, occupied_), ray.mode);
    }
    return to & tables.zone;
  }

  SquareSet Filter(SquareSet to, MoveMode mode) const {
    if (mode == MoveMode::kMoveOnly) return to - occupied_;
    if (mode == MoveMode::kCaptureOnly) return to & occupied_;
    return to;
  }

  // Pseudo-legal destinations, displacing moves left out.
  SquareSet PlainDestinations(const KindTables& tables, Cell from) const {
    const CellMoves& moves = tables.MovesFrom(from);
    SquareSet to = moves.leap | (moves.quiet_leap - occupied_) | (moves.capture_leap & occupied_);
    for (const PathLeap& leap : tables.PathLeapsOf(moves)) {
      if (!leap.path.Intersects(occupied_)) to |= Filter(leap.targets, leap.mode);
    }
    if (moves.slides.count + moves.hops.count > 0) to |= RayDestinations(tables, moves, from);
    for (const Displacement& d : tables.DisplacementsOf(moves)) {
      if (!occupied_.Contains(d.halfway)) to.Add(d.destination);
    }
    return to - own_;
  }

  SquareSet Destinations(const KindTables& tables, Cell from, SquareSet allowed) const {
    SquareSet to = PlainDestinations(tables, from) & allowed;
    const Cell royal = position_.royal(side_);
    for (const Displacement& d : tables.DisplacementsOf(tables.MovesFrom(from))) {
      if (!enemies_.Contains(d.halfway) || own_.Contains(d.destination)) continue;
      if (IsSafeAfter(from, d.destination, SquareSet::Of(d.halfway), royal)) to.Add(d.destination);
    }
    return to;
  }

  SquareSet RoyalDestinations(const KindTables& tables, Cell from) const {
    SquareSet safe;
    for (Cell to : PlainDestinations(tables, from)) {
      if (IsSafeAfter(from, to, SquareSet(), to)) safe.Add(to);
    }
    for (const Displacement& d : tables.DisplacementsOf(tables.MovesFrom(from))) {
      if (!enemies_.Contains(d.halfway) || own_.Contains(d.destination)) continue;
      const SquareSet halfway = SquareSet::Of(d.halfway);
      if (IsSafeAfter(from, d.destination, halfway, d.destination)) safe.Add(d.destination);
    }
    return safe;
  }

  // Whether the royal piece, then on `royal`, is safe after a move that also removes `displaced`.
  bool IsSafeAfter(Cell from, Cell to, SquareSet displaced, Cell royal) const {
    const SquareSet target = SquareSet::Of(to);
    const SquareSet occupied = ((occupied_ ^ SquareSet::Of(from)) - displaced) | target;
    const SquareSet enemies = enemies_ - displaced - target;
    return !IsAttacked(position_, side_, royal, occupied, enemies) &&
           !AreFacing(position_, side_, royal, occupied);
  }

  const Position& position_;
  const Rules& rules_;
  const Side side_;
  const SquareSet occupied_;
  const SquareSet own_;
  const SquareSet enemies_;
  const RoyalSafety safety_;
  Sink& sink_;
};

struct ListSink {
  std::vector<Move>* moves;

  bool Board(Cell from, SquareSet to, const PromotionCells* promotions) {
    for (Cell cell : to) {
      const bool forced = promotions != nullptr && promotions->forced.Contains(cell);
      moves->push_back(Move::Board(from, cell, forced));
      if (promotions != nullptr && promotions->optional.Contains(cell)) {
        moves->push_back(Move::Board(from, cell, true));
      }
    }
    return true;
  }
  bool Drops(Kind kind, SquareSet to) {
    for (Cell cell : to) moves->push_back(Move::Drop(kind, cell));
    return true;
  }
};

struct CountSink {
  int64_t count = 0;

  bool Board(Cell, SquareSet to, const PromotionCells* promotions) {
    count += to.size();
    if (promotions != nullptr) count += (to & promotions->optional).size();
    return true;
  }
  bool Drops(Kind, SquareSet to) {
    count += to.size();
    return true;
  }
};

struct AnySink {
  bool Board(Cell, SquareSet, const PromotionCells*) { return false; }
  bool Drops(Kind, SquareSet) { return false; }
};

}  // namespace

void GenerateLegalMoves(const Position& position, std::vector<Move>* moves) {
  moves->clear();
  ListSink sink{moves};
  LegalVisitor<ListSink>(position, &sink).Visit();
}

int64_t CountLegalMoves(const Position& position) {
  CountSink sink;
  LegalVisitor<CountSink>(position, &sink).Visit();
  return sink.count;
}

bool HasLegalMove(const Position& position) {
  AnySink sink;
  return !LegalVisitor<AnySink>(position, &sink).Visit();
}

SquareSet UnguardedDestinations(const Position& position, Cell from) {
  AnySink sink;
  return LegalVisitor<AnySink>(position, &sink).Unguarded(from);
}

bool IsLegal(const Position& position, Move move) {
  std::vector<Move> moves;
  GenerateLegalMoves(position, &moves);
  return std::find(moves.begin(), moves.end(), move) != moves.end();
}

}  // namespace crossriver
