// SFEN and USI move text, the notations of shogi engines.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "core/notation.h"
#include "core/notation_board.h"

namespace crossriver {
namespace {

using notation::FieldError;

// "7g": the file counted from the right, the rank as a letter from the far side.
std::string UsiCell(const Topology& topology, Cell cell) {
  const char rank = static_cast<char>('a' + topology.ranks() - 1 - topology.Rank(cell));
  return absl::StrCat(topology.columns() - topology.LetterColumn(cell), std::string(1, rank));
}

absl::Status CheckHasSfen(const Rules& rules) {
  if (!rules.definition().sfen_hand_order.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError("this variant has no SFEN (no sfen_hand_order)");
}

// "2Pb", or "-" for empty hands.
absl::Status ParseSfenHand(absl::string_view text, Position* position) {
  if (text == "-") return absl::OkStatus();
  while (!text.empty()) {
    size_t digits = 0;
    while (digits < text.size() && notation::IsDigit(text[digits])) ++digits;
    int count = 1;
    if (digits > 0) {
      if (absl::Status s =
              notation::ParseNumber("hand", text.substr(0, digits), 1, Rules::kMaxHand, &count);
          !s.ok()) {
        return s;
      }
    }
    text.remove_prefix(digits);
    if (text.empty()) return FieldError("hand", "a number without a piece");
    if (absl::Status s = notation::AddToHand(text[0], count, position); !s.ok()) return s;
    text.remove_prefix(1);
  }
  return absl::OkStatus();
}

std::string FormatSfenHand(const Position& position) {
  const Rules& rules = position.rules();
  std::string hand;
  for (const Side side : kSides) {
    for (const char letter : rules.definition().sfen_hand_order) {
      for (const Kind kind : rules.hand_kinds()) {
        if (rules.kind(kind).letter[0] != letter || position.hand(side, kind) == 0) continue;
        if (position.hand(side, kind) > 1) absl::StrAppend(&hand, position.hand(side, kind));
        hand += notation::CasedLetter(rules, kind, side);
      }
    }
  }
  return hand.empty() ? "-" : hand;
}

}  // namespace

absl::StatusOr<Position> ParseSfen(const Rules& rules, absl::string_view text) {
  if (absl::Status s = CheckHasSfen(rules); !s.ok()) return s;
  const std::vector<absl::string_view> fields = absl::StrSplit(text, ' ', absl::SkipEmpty());
  if (fields.size() != 4) {
    return FieldError("all",
                      absl::StrCat(fields.size(), " fields, expected 4: board, side to move, ",
                                   "hands, move number"));
  }
  Position position(&rules);
  if (absl::Status s = notation::ParseBoard(fields[0], &position); !s.ok()) return s;
  if (fields[1] != "b" && fields[1] != "w") {
    return FieldError("side to move", absl::StrCat("'", absl::CHexEscape(fields[1].substr(0, 20)),
                                                   "', expected b or w"));
  }
  position.SetSideToMove(fields[1] == "b" ? Side::kFirst : Side::kSecond);
  if (absl::Status s = ParseSfenHand(fields[2], &position); !s.ok()) return s;
  int ply = 1;
  if (absl::Status s =
          notation::ParseNumber("move number", fields[3], 1, notation::kMaxMoveNumber, &ply);
      !s.ok()) {
    return s;
  }
  // SFEN counts plies from 1, FEN the first player's moves.
  position.SetCounts(0, (ply + 1) / 2);
  if (absl::Status s = notation::CheckPosition(position); !s.ok()) return s;
  return position;
}

absl::StatusOr<std::string> FormatSfen(const Position& position) {
  if (absl::Status s = CheckHasSfen(position.rules()); !s.ok()) return s;
  const bool first = position.side_to_move() == Side::kFirst;
  return absl::StrCat(
      notation::FormatBoard(position), first ? " b " : " w ", FormatSfenHand(position), " ",
      std::min(2 * position.move_number() - (first ? 1 : 0), notation::kMaxMoveNumber));
}

std::string FormatUsiMove(const Rules& rules, Move move) {
  const Topology& topology = rules.topology();
  if (move.is_drop()) {
    return absl::StrCat(rules.kind(move.drop_kind()).letter, "*", UsiCell(topology, move.to()));
  }
  return absl::StrCat(UsiCell(topology, move.from()), UsiCell(topology, move.to()),
                      move.promotes() ? "+" : "");
}

}  // namespace crossriver
