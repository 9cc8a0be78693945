#include "selfplay/players/piece_values.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "absl/strings/str_format.h"
#include "core/notation.h"
#include "core/position.h"

namespace crossriver {
namespace {

// Probabilities and mobility are in units of 1 / kOne.
constexpr int64_t kOne = 1 << 16;
constexpr int64_t kHalf = kOne / 2;
// Occupied cells thin out to this share of the array's.
constexpr int64_t kThinned = 3;
constexpr int64_t kThinnedOf = 5;
// Each round halves the weight of what is one move further on.
constexpr int kRounds = 24;
constexpr int64_t kMeanPiece = 250;
// Nothing is worth more, however poor the array is beside it.
constexpr int64_t kMostWorth = 3'000;
// The share of a cell's better or worse prospects that becomes a bonus.
constexpr int64_t kPlaceShare = 1;
constexpr int64_t kPlaceShareOf = 2;

constexpr size_t Index(size_t row, Cell cell) {
  return row * kMaxCells + static_cast<size_t>(cell);
}

int64_t Times(int64_t a, int64_t b) { return a * b / kOne; }

int64_t Power(int64_t base, int exponent) {
  int64_t result = kOne;
  for (int i = 0; i < exponent; ++i) result = Times(result, base);
  return result;
}

// One way of the first player's piece to another cell.
struct Way {
  Cell to = kNoCell;
  int64_t free = 0;      // the probability that it is there
  int64_t mobility = 0;  // what it adds
};

// The first player's prospects; the second's are the mirror image.
class Prospects {
 public:
  explicit Prospects(const Rules& rules);

  // Of [kind][cell].
  std::vector<int64_t> Solve() const;

 private:
  std::vector<Way> WaysFrom(Kind kind, Cell from) const;
  void AddRays(const KindTables& tables, Cell from, std::vector<Way>* ways) const;
  Way MakeWay(Cell to, int64_t free, MoveMode mode) const;
  int64_t Best(Kind kind, Cell from, std::span<const Way> ways,
               const std::vector<int64_t>& known) const;

  const Rules& rules_;
  int64_t occupied_;  // the probability that a cell is
  int64_t empty_;
};

Prospects::Prospects(const Rules& rules) : rules_(rules) {
  const int64_t pieces = StartPosition(rules).occupied().size();
  occupied_ = kOne * pieces * kThinned / (kThinnedOf * rules.num_cells());
  empty_ = kOne - occupied_;
}

Way Prospects::MakeWay(Cell to, int64_t free, MoveMode mode) const {
  switch (mode) {
    case MoveMode::kMoveOnly:
      return {to, Times(free, empty_), free / 2};
    case MoveMode::kCaptureOnly:
      return {to, Times(free, occupied_ / 2), free / 2};
    case MoveMode::kBoth:
      break;
  }
  return {to, free, free};
}

void Prospects::AddRays(const KindTables& tables, Cell from, std::vector<Way>* ways) const {
  const CellMoves& moves = tables.MovesFrom(from);
  const RayTables& rays = rules_.rays();
  for (const RayMove& slide : tables.SlidesOf(moves)) {
    for (Cell to : rays.ray(slide.direction, from) & tables.zone) {
      ways->push_back(MakeWay(to, Power(empty_, rays.between(from, to).size()), slide.mode));
    }
  }
  for (const RayMove& hop : tables.HopsOf(moves)) {
    for (Cell to : rays.ray(hop.direction, from) & tables.zone) {
      const int cells = rays.between(from, to).size();
      if (cells == 0) continue;
      const int64_t one = cells * Times(occupied_, Power(empty_, cells - 1));
      ways->push_back(MakeWay(to, one, hop.mode));
    }
  }
}

std::vector<Way> Prospects::WaysFrom(Kind kind, Cell from) const {
  const KindTables& tables = rules_.tables(kind, Side::kFirst);
  const CellMoves& moves = tables.MovesFrom(from);
  std::vector<Way> ways;
  for (Cell to : moves.leap) ways.push_back(MakeWay(to, kOne, MoveMode::kBoth));
  for (Cell to : moves.quiet_leap) ways.push_back(MakeWay(to, kOne, MoveMode::kMoveOnly));
  for (Cell to : moves.capture_leap) ways.push_back(MakeWay(to, kOne, MoveMode::kCaptureOnly));
  for (const PathLeap& leap : tables.PathLeapsOf(moves)) {
    const int64_t free = Power(empty_, leap.path.size());
    for (Cell to : leap.targets) ways.push_back(MakeWay(to, free, leap.mode));
  }
  for (const Displacement& d : tables.DisplacementsOf(moves)) {
    const int64_t free = kOne - occupied_ / 2;
    ways.push_back({d.destination, free, free + occupied_ / 4});
  }
  AddRays(tables, from, &ways);
  return ways;
}

// The best prospects that one move, or none, leads to.
int64_t Prospects::Best(Kind kind, Cell from, std::span<const Way> ways,
                        const std::vector<int64_t>& known) const {
  const KindTables& tables = rules_.tables(kind, Side::kFirst);
  const int64_t here = known[Index(static_cast<size_t>(kind), from)];
  int64_t gain = 0;
  for (const Way& way : ways) {
    int64_t there = 0;
    const PromotionCells* cells = tables.promotes ? &tables.PromotionsFrom(from) : nullptr;
    const bool forced = cells != nullptr && cells->forced.Contains(way.to);
    if (!forced) there = known[Index(static_cast<size_t>(kind), way.to)];
    if (forced || (cells != nullptr && cells->optional.Contains(way.to))) {
      const auto promoted = static_cast<size_t>(tables.PromotedOn(way.to));
      there = std::max(there, known[Index(promoted, way.to)]);
    }
    gain = std::max(gain, Times(way.free, there - here));
  }
  return here + gain;
}

std::vector<int64_t> Prospects::Solve() const {
  const auto size = static_cast<size_t>(rules_.num_kinds()) * kMaxCells;
  std::vector<std::vector<Way>> ways(size);
  std::vector<int64_t> mobility(size, 0);
  for (Kind kind = 0; kind < rules_.num_kinds(); ++kind) {
    for (Cell cell : rules_.tables(kind, Side::kFirst).zone) {
      const size_t at = Index(static_cast<size_t>(kind), cell);
      ways[at] = WaysFrom(kind, cell);
      for (const Way& way : ways[at]) mobility[at] += way.mobility;
    }
  }
  std::vector<int64_t> prospects = mobility;
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<int64_t> known = prospects;
    for (Kind kind = 0; kind < rules_.num_kinds(); ++kind) {
      for (Cell cell : rules_.tables(kind, Side::kFirst).zone) {
        const size_t at = Index(static_cast<size_t>(kind), cell);
        prospects[at] = (mobility[at] + Best(kind, cell, ways[at], known)) / 2;
      }
    }
  }
  return prospects;
}

int64_t MeanOver(SquareSet cells, const std::vector<int64_t>& prospects, Kind kind) {
  if (cells.empty()) return 0;
  int64_t sum = 0;
  for (Cell cell : cells) sum += prospects[Index(static_cast<size_t>(kind), cell)];
  return sum / cells.size();
}

// The mean of the first player's pieces in the array without the royal one; kOne where there are
// none.
int64_t MeanPiece(const Position& start, const std::vector<int64_t>& prospects) {
  int64_t sum = 0;
  int64_t count = 0;
  for (Cell cell : start.pieces(Side::kFirst)) {
    const Kind kind = KindOf(start.piece_at(cell));
    if (start.rules().kind(kind).royal) continue;
    sum += prospects[Index(static_cast<size_t>(kind), cell)];
    ++count;
  }
  return sum > 0 ? sum / count : kOne;
}

}  // namespace

PieceValues::PieceValues(const Rules& rules) : rules_(rules) {
  std::vector<int64_t> prospects = Prospects(rules).Solve();
  const Position start = StartPosition(rules);
  const int64_t mean = std::max<int64_t>(1, MeanPiece(start, prospects));
  for (int64_t& p : prospects) p = std::min(p * kMeanPiece / mean, kMostWorth);
  for (Kind kind = 0; kind < rules.num_kinds(); ++kind) {
    by_value_.push_back(kind);
    if (rules.kind(kind).royal) continue;
    const KindTables& tables = rules.tables(kind, Side::kFirst);
    const SquareSet cells = start.pieces(kind, Side::kFirst);
    const int64_t anywhere = MeanOver(tables.zone, prospects, kind);
    const int64_t value =
        cells.empty() ? anywhere : (anywhere + MeanOver(cells, prospects, kind)) / 2;
    values_[static_cast<size_t>(kind)] = static_cast<int>(std::max<int64_t>(1, value));
    army_ += static_cast<int>(value) * cells.size();
  }
  for (const Kind kind : rules.hand_kinds()) {
    const KindTables& tables = rules.tables(kind, Side::kFirst);
    int64_t sum = 0;
    for (Cell cell : tables.drop_cells) {
      sum += prospects[Index(static_cast<size_t>(tables.DroppedOn(cell)), cell)];
    }
    const int64_t dropped = sum / std::max(1, tables.drop_cells.size());
    hand_values_[static_cast<size_t>(kind)] = static_cast<int>((value(kind) + dropped) / 2);
  }
  for (Kind kind = 0; kind < rules.num_kinds(); ++kind) {
    const Kind form = rules.kind(kind).hand_form;
    capture_gains_[static_cast<size_t>(kind)] =
        value(kind) + (form == kNoKind ? 0 : hand_value(form));
  }
  std::stable_sort(by_value_.begin(), by_value_.end(), [&](Kind a, Kind b) {
    const bool royal_a = rules.kind(a).royal;
    const bool royal_b = rules.kind(b).royal;
    return royal_a != royal_b ? royal_b : value(a) < value(b);
  });
  SetPlaces(prospects);
  SetPressure();
}

void PieceValues::SetPlaces(const std::vector<int64_t>& prospects) {
  placed_.resize(static_cast<size_t>(2 * rules_.num_kinds()) * kMaxCells);
  for (Kind kind = 0; kind < rules_.num_kinds(); ++kind) {
    if (rules_.kind(kind).royal) continue;
    for (Cell cell : rules_.tables(kind, Side::kFirst).zone) {
      const int64_t more = prospects[Index(static_cast<size_t>(kind), cell)] - value(kind);
      const auto worth = static_cast<int16_t>(value(kind) + more * kPlaceShare / kPlaceShareOf);
      placed_[Index(MakePiece(kind, Side::kFirst), cell)] = worth;
      placed_[Index(MakePiece(kind, Side::kSecond), rules_.topology().MirrorRank(cell))] = worth;
    }
  }
}

void PieceValues::SetPressure() {
  pressing_.resize(static_cast<size_t>(2 * rules_.num_kinds()) * kMaxCells);
  for (const Side side : kSides) {
    const KindTables& royal = rules_.tables(rules_.royal_kind(), Other(side));
    for (Cell cell : royal.zone) {
      const CellMoves& moves = royal.MovesFrom(cell);
      SquareSet area = moves.leap | moves.quiet_leap | moves.capture_leap;
      royal_freedom_[static_cast<size_t>(Other(side))][static_cast<size_t>(cell)] = area.size();
      area.Add(cell);
      for (Kind kind = 0; kind < rules_.num_kinds(); ++kind) {
        SquareSet& from = pressing_[Index(MakePiece(kind, side), cell)];
        for (Cell near : area) from |= rules_.tables(kind, side).AttacksOn(near).any_from;
      }
    }
  }
}

std::string PieceValues::Describe() const {
  std::string text;
  for (const Kind kind : by_value_) {
    absl::StrAppendFormat(&text, "%-24s %5d", rules_.kind(kind).id, value(kind));
    if (rules_.kind(kind).in_hand) absl::StrAppendFormat(&text, "  in hand %5d", hand_value(kind));
    text += '\n';
  }
  return text;
}

}  // namespace crossriver
