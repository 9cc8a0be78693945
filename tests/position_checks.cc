#include "tests/position_checks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

#include "absl/strings/str_cat.h"
#include "core/attacks.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "tests/slow_rules.h"
#include "tests/test_data.h"

namespace crossriver::testing {
namespace {

constexpr std::array<Side, 2> kSides = {Side::kFirst, Side::kSecond};

// The position with counts that its FEN can show.
Position WithShownCounts(Position position) {
  const int limit = position.rules().game().no_progress_plies;
  position.SetCounts(std::min(position.no_progress(), limit > 0 ? limit : 10000),
                     position.move_number());
  return position;
}

}  // namespace

std::string Describe(const Position& position) {
  return absl::StrCat(position.rules().definition().id, " ", FormatFen(position));
}

PositionChecker::PositionChecker(const Rules* rules)
    : rules_(rules), actions_(rules), seen_actions_(static_cast<size_t>(actions_.size())) {}

void PositionChecker::CheckState(const Position& position) const {
  std::array<SquareSet, kNumSides> by_side;
  std::array<std::array<SquareSet, kMaxKinds>, kNumSides> by_kind;
  for (Cell cell = 0; cell < rules_->num_cells(); ++cell) {
    const Piece piece = position.piece_at(cell);
    if (piece == kNoPiece) continue;
    const auto side = static_cast<size_t>(SideOf(piece));
    by_side[side].Add(cell);
    by_kind[side][static_cast<size_t>(KindOf(piece))].Add(cell);
  }
  for (const Side side : kSides) {
    const auto s = static_cast<size_t>(side);
    bool hand_empty = true;
    uint64_t present = 0;
    for (Kind kind = 0; kind < rules_->num_kinds(); ++kind) {
      const SquareSet cells = by_kind[s][static_cast<size_t>(kind)];
      EXPECT_EQ(position.pieces(kind, side), cells) << rules_->kind(kind).id;
      if (!cells.empty()) present |= uint64_t{1} << kind;
      hand_empty &= position.hand(side, kind) == 0;
    }
    EXPECT_EQ(position.pieces(side), by_side[s]);
    EXPECT_EQ(position.kinds_present(side), present);
    EXPECT_EQ(position.hand_empty(side), hand_empty);
    const SquareSet royals = by_kind[s][static_cast<size_t>(rules_->royal_kind())];
    ASSERT_EQ(royals.size(), 1);
    EXPECT_EQ(position.royal(side), royals.First());
  }
  EXPECT_EQ(position.occupied(), by_side[0] | by_side[1]);
  EXPECT_EQ(position.key(), position.ComputeKey());
}

void PositionChecker::CheckMoves(const Position& position, const std::vector<Move>& moves) {
  EXPECT_EQ(CountLegalMoves(position), static_cast<int64_t>(moves.size()));
  EXPECT_EQ(HasLegalMove(position), !moves.empty());
  const Side side = position.side_to_move();
  for (const Move move : moves) {
    EXPECT_FALSE(seen_moves_[move.raw()]) << "twice: " << FormatMove(*rules_, move);
    seen_moves_.set(move.raw());
    const int index = actions_.IndexOf(move, side);
    ASSERT_TRUE(index >= 0 && index < actions_.size()) << FormatMove(*rules_, move);
    EXPECT_FALSE(seen_actions_[static_cast<size_t>(index)]) << FormatMove(*rules_, move);
    seen_actions_[static_cast<size_t>(index)] = true;
    EXPECT_EQ(actions_.MoveOf(index, side).raw(), move.raw()) << FormatMove(*rules_, move);
  }
  for (const Move move : moves) {
    seen_moves_.reset(move.raw());
    seen_actions_[static_cast<size_t>(actions_.IndexOf(move, side))] = false;
  }
}

std::string PositionChecker::CheckFen(const Position& position) const {
  const Position shown = WithShownCounts(position);
  std::string text = FormatFen(shown);
  const absl::StatusOr<Position> parsed = ParseFen(*rules_, text);
  if (!parsed.ok()) {
    ADD_FAILURE() << parsed.status();
    return text;
  }
  EXPECT_TRUE(*parsed == shown) << text;
  EXPECT_EQ(parsed->key(), position.key());
  return text;
}

void PositionChecker::CheckSfen(const Position& position) const {
  const absl::StatusOr<std::string> text = FormatSfen(position);
  ASSERT_TRUE(text.ok()) << text.status();
  const absl::StatusOr<Position> parsed = ParseSfen(*rules_, *text);
  ASSERT_TRUE(parsed.ok()) << *text << ": " << parsed.status();
  // SFEN has no no-progress count.
  Position expected = position;
  expected.SetCounts(0, position.move_number());
  EXPECT_TRUE(*parsed == expected) << *text;
}

void PositionChecker::CheckTexts(const Position& position, const std::vector<Move>& moves,
                                 Random* random) const {
  const bool has_sfen = !rules_->definition().sfen_hand_order.empty();
  if (has_sfen) CheckSfen(position);
  EXPECT_EQ(FormatSfen(position).ok(), has_sfen);
  for (int i = 0; i < 8 && !moves.empty(); ++i) {
    const Move move = moves[random->Below(moves.size())];
    const std::string text = FormatMove(*rules_, move);
    const absl::StatusOr<Move> parsed = ParseMove(position, text);
    ASSERT_TRUE(parsed.ok()) << text << ": " << parsed.status();
    EXPECT_EQ(parsed->raw(), move.raw()) << text;
    if (!has_sfen) continue;
    const std::string usi = FormatUsiMove(*rules_, move);
    const absl::StatusOr<Move> parsed_usi = ParseUsiMove(position, usi);
    ASSERT_TRUE(parsed_usi.ok()) << usi << ": " << parsed_usi.status();
    EXPECT_EQ(parsed_usi->raw(), move.raw()) << usi;
  }
}

void PositionChecker::CheckIsLegal(const Position& position, const std::vector<Move>& moves,
                                   Random* random) {
  for (const Move move : moves) seen_moves_.set(move.raw());
  const auto check = [&](uint16_t raw) {
    EXPECT_EQ(IsLegal(position, Move::FromRaw(raw)), static_cast<bool>(seen_moves_[raw])) << raw;
  };
  for (const Move move : moves) {
    check(move.raw());
    // The same move, promoting or dropping the other way round, or with one bit changed.
    check(static_cast<uint16_t>(move.raw() ^ 1 << 15));
    check(static_cast<uint16_t>(move.raw() ^ 1 << 14));
    check(static_cast<uint16_t>(move.raw() ^ 1 << random->Below(14)));
  }
  for (int i = 0; i < 500; ++i) check(static_cast<uint16_t>(random->Below(65536)));
  check(Move().raw());
  for (const Move move : moves) seen_moves_.reset(move.raw());
}

void PositionChecker::CheckAgainstSlow(const Position& position,
                                       const std::vector<Move>& moves) const {
  EXPECT_EQ(InCheck(position), SlowInCheck(position));
  const SlowBoard board(position);
  std::map<std::string, SlowMove> slow_moves;
  std::vector<std::string> slow_texts;
  for (const SlowMove& move : SlowMoves(board)) {
    slow_texts.push_back(SlowText(board, move));
    slow_moves[slow_texts.back()] = move;
  }
  std::sort(slow_texts.begin(), slow_texts.end());
  ASSERT_EQ(LegalMoveTexts(position), slow_texts);
  Position after = position;
  for (const Move move : moves) {
    const std::string text = FormatMove(*rules_, move);
    const UndoRecord undo = after.Do(move);
    EXPECT_TRUE(SlowBoard(after) == SlowPlay(board, slow_moves[text]))
        << text << " gives " << FormatFen(after);
    after.Undo(move, undo);
    ASSERT_TRUE(after == position) << "after taking back " << text;
  }
  CheckState(after);
}

}  // namespace crossriver::testing
