#include "tests/random_positions.h"

#include <utility>
#include <vector>

#include "core/notation.h"

namespace crossriver::testing {
namespace {

struct Placed {
  Piece piece = kNoPiece;
  Cell cell = kNoCell;
};

// Some form of a piece on the board: itself, what it promotes to, or with a pending promotion.
Kind RandomForm(const Rules& rules, Kind kind, Random* random) {
  while (random->Percent(30)) {
    const std::vector<PromotionRule>& promotions =
        rules.definition().pieces[static_cast<size_t>(kind)].promotions;
    if (promotions.empty()) break;
    kind = promotions[random->Below(promotions.size())].to;
  }
  const Kind pending = rules.kind(kind).pending;
  return pending != kNoKind && random->Percent(25) ? pending : kind;
}

// An empty cell where a piece of the kind may stand, or kNoCell where a few tries find none.
Cell RandomCell(const Position& position, Kind kind, Side side, Random* random) {
  const Rules& rules = position.rules();
  const Kind base = rules.kind(kind).base;
  SquareSet allowed = rules.definition().pieces[static_cast<size_t>(base)].zone;
  if (rules.kind(kind).is_pending(kind)) allowed &= rules.game().pending_zone;
  allowed = rules.ForSide(allowed, side);
  for (int i = 0; i < 30; ++i) {
    const auto cell = static_cast<Cell>(random->Below(static_cast<size_t>(rules.num_cells())));
    if (allowed.Contains(cell) && position.piece_at(cell) == kNoPiece) return cell;
  }
  return kNoCell;
}

void PlaceScattered(Placed placed, Position* position, Random* random) {
  const Side side = SideOf(placed.piece);
  const Kind kind = RandomForm(position->rules(), KindOf(placed.piece), random);
  const Cell cell = RandomCell(*position, kind, side, random);
  if (cell != kNoCell) position->Put(MakePiece(kind, side), cell);
}

void MoveToHand(Piece piece, Position* position, Random* random) {
  const Kind form = position->rules().kind(KindOf(piece)).hand_form;
  if (form == kNoKind || random->Percent(40)) return;
  const Side side = random->Percent(50) ? Side::kFirst : Side::kSecond;
  position->SetHand(side, form, position->hand(side, form) + 1);
}

}  // namespace

Random::Random(const std::string& stream, int seed, int number) {
  std::vector<uint32_t> words = {static_cast<uint32_t>(seed), static_cast<uint32_t>(number)};
  for (const char c : stream) words.push_back(static_cast<uint32_t>(c));
  std::seed_seq sequence(words.begin(), words.end());
  engine_.seed(sequence);
}

std::optional<Position> RandomPosition(const Rules& rules, Random* random) {
  const Position start = StartPosition(rules);
  const bool scatter = random->Percent(50);
  const int removed_share = random->Between(0, 95);
  Position position(&rules);
  std::vector<Placed> kept;
  for (const Cell cell : start.occupied()) {
    const Placed placed = {start.piece_at(cell), cell};
    if (rules.kind(KindOf(placed.piece)).royal || !random->Percent(removed_share)) {
      kept.push_back(placed);
    } else {
      MoveToHand(placed.piece, &position, random);
    }
  }
  for (const Placed placed : kept) {
    if (scatter) {
      PlaceScattered(placed, &position, random);
    } else {
      position.Put(placed.piece, placed.cell);
    }
  }
  position.SetSideToMove(random->Percent(50) ? Side::kFirst : Side::kSecond);
  const int limit = rules.game().no_progress_plies;
  position.SetCounts(random->Between(0, limit > 0 ? limit : 200), random->Between(1, 500));
  absl::StatusOr<Position> parsed = ParseFen(rules, FormatFen(position));
  if (!parsed.ok()) return std::nullopt;
  return *std::move(parsed);
}

}  // namespace crossriver::testing
