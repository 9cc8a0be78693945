#include "core/notation_board.h"

#include <algorithm>
#include <array>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "core/attacks.h"

namespace crossriver::notation {
namespace {

bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }

std::string Quoted(absl::string_view text) {
  return absl::StrCat("'", absl::CHexEscape(text.substr(0, 20)), "'");
}

// The kind spelt at the front of `text` ("p", "+P", "*h"), consumed; the letter's case gives the
// side.
absl::Status ConsumePiece(const Rules& rules, absl::string_view* text, Piece* piece) {
  const size_t length = !text->empty() && ((*text)[0] == '+' || (*text)[0] == '*') ? 2 : 1;
  const absl::string_view token = text->substr(0, length);
  const std::string upper = absl::AsciiStrToUpper(token);
  for (Kind kind = 0; kind < rules.num_kinds(); ++kind) {
    if (rules.kind(kind).letter != upper) continue;
    const bool first = IsUpper(token.back());
    *piece = MakePiece(kind, first ? Side::kFirst : Side::kSecond);
    text->remove_prefix(length);
    return absl::OkStatus();
  }
  std::string known;
  for (Kind kind = 0; kind < rules.num_kinds(); ++kind) {
    absl::StrAppend(&known, known.empty() ? "" : " ", rules.kind(kind).letter);
  }
  return FieldError("board", absl::StrCat("unknown piece ", Quoted(token), ", expected one of ",
                                          known, " in either case"));
}

absl::Status PlacePiece(Piece piece, Cell cell, Position* position) {
  const Rules& rules = position->rules();
  const KindInfo& info = rules.kind(KindOf(piece));
  const Side side = SideOf(piece);
  const std::string where = rules.topology().Name(cell);
  if (!rules.tables(KindOf(piece), side).zone.Contains(cell)) {
    return FieldError("board",
                      absl::StrCat("the ", info.name, " on ", where, " is outside its zone"));
  }
  if (info.is_pending(KindOf(piece)) && !rules.pending_zone(side).Contains(cell)) {
    return FieldError("board", absl::StrCat("the ", info.name, " on ", where,
                                            " is outside the zone of pending promotions"));
  }
  position->Put(piece, cell);
  return absl::OkStatus();
}

absl::Status ParseRank(absl::string_view text, int rank, Position* position) {
  const Topology& topology = position->rules().topology();
  const auto size_error = [&](absl::string_view relation, int count) {
    return FieldError("board", absl::StrCat("rank ", rank + 1, " has ", relation, count,
                                            " cells, expected ", topology.columns()));
  };
  int column = 0;
  while (!text.empty()) {
    if (IsDigit(text[0])) {
      size_t digits = 1;
      while (digits < std::min<size_t>(3, text.size()) && IsDigit(text[digits])) ++digits;
      int run = 0;
      if (text[0] == '0' || !absl::SimpleAtoi(text.substr(0, digits), &run)) {
        return FieldError("board", absl::StrCat("rank ", rank + 1, " has a run of 0 empty cells"));
      }
      column += run;
      text.remove_prefix(digits);
    } else {
      Piece piece = kNoPiece;
      if (absl::Status s = ConsumePiece(position->rules(), &text, &piece); !s.ok()) return s;
      if (column >= topology.columns()) return size_error("more than ", column);
      if (absl::Status s = PlacePiece(piece, topology.CellOf(column, rank), position); !s.ok()) {
        return s;
      }
      ++column;
    }
    if (column > topology.columns()) return size_error("more than ", topology.columns());
  }
  return column == topology.columns() ? absl::OkStatus() : size_error("", column);
}

}  // namespace

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

absl::Status FieldError(absl::string_view field, absl::string_view message) {
  return absl::InvalidArgumentError(absl::StrCat("FEN field '", field, "': ", message));
}

absl::Status ParseBoard(absl::string_view text, Position* position) {
  const Topology& topology = position->rules().topology();
  const std::vector<absl::string_view> ranks = absl::StrSplit(text, '/');
  if (static_cast<int>(ranks.size()) != topology.ranks()) {
    return FieldError("board", absl::StrCat(ranks.size(), " ranks, expected ", topology.ranks()));
  }
  for (int i = 0; i < topology.ranks(); ++i) {
    const int rank = topology.ranks() - 1 - i;
    if (absl::Status s = ParseRank(ranks[static_cast<size_t>(i)], rank, position); !s.ok()) {
      return s;
    }
  }
  return absl::OkStatus();
}

std::string FormatBoard(const Position& position) {
  const Rules& rules = position.rules();
  const Topology& topology = rules.topology();
  std::string text;
  for (int rank = topology.ranks() - 1; rank >= 0; --rank) {
    int run = 0;
    const auto flush = [&] {
      if (run > 0) absl::StrAppend(&text, run);
      run = 0;
    };
    for (int column = 0; column < topology.columns(); ++column) {
      const Piece piece = position.piece_at(topology.CellOf(column, rank));
      if (piece == kNoPiece) {
        ++run;
        continue;
      }
      flush();
      const std::string& letter = rules.kind(KindOf(piece)).letter;
      text += SideOf(piece) == Side::kFirst ? letter : absl::AsciiStrToLower(letter);
    }
    flush();
    if (rank > 0) text += '/';
  }
  return text;
}

char CasedLetter(const Rules& rules, Kind kind, Side side) {
  const char letter = rules.kind(kind).letter.back();
  return side == Side::kFirst ? letter : absl::ascii_tolower(static_cast<unsigned char>(letter));
}

absl::Status AddToHand(char letter, int count, Position* position) {
  const Rules& rules = position->rules();
  const char upper = absl::ascii_toupper(static_cast<unsigned char>(letter));
  const Side side = upper == letter ? Side::kFirst : Side::kSecond;
  std::string known;
  for (const Kind kind : rules.hand_kinds()) {
    known += rules.kind(kind).letter;
    if (rules.kind(kind).letter[0] != upper) continue;
    const int total = position->hand(side, kind) + count;
    if (count < 1 || total > Rules::kMaxHand) {
      return FieldError(
          "hand", absl::StrCat("expected 1 to ", Rules::kMaxHand, " of ", rules.kind(kind).name));
    }
    position->SetHand(side, kind, total);
    return absl::OkStatus();
  }
  return FieldError("hand", absl::StrCat(Quoted(absl::string_view(&letter, 1)),
                                         " can't be in hand, expected letters of ", known));
}

absl::Status ParseNumber(absl::string_view field, absl::string_view text, int min, int max,
                         int* value) {
  const bool digits = !text.empty() && std::all_of(text.begin(), text.end(), IsDigit);
  if (!digits || !absl::SimpleAtoi(text, value) || *value < min || *value > max) {
    return FieldError(field,
                      absl::StrCat(Quoted(text), ", expected a number from ", min, " to ", max));
  }
  return absl::OkStatus();
}

absl::Status CheckPosition(const Position& position) {
  const Rules& rules = position.rules();
  for (const Side side : kSides) {
    const int royals = position.pieces(rules.royal_kind(), side).size();
    if (royals != 1) {
      return FieldError(
          "board", absl::StrCat(royals, " of ", rules.kind(rules.royal_kind()).name, " for the ",
                                side == Side::kFirst ? "first" : "second", " player, expected 1"));
    }
  }
  int total = position.occupied().size();
  for (const Side side : kSides) {
    for (const Kind kind : rules.hand_kinds()) total += position.hand(side, kind);
  }
  if (rules.has_drops() && total > Rules::kMaxHand) {
    return FieldError("board",
                      absl::StrCat(total, " pieces on the board and in hand, expected at most ",
                                   Rules::kMaxHand));
  }
  const Side waiting = Other(position.side_to_move());
  if (IsAttacked(position, waiting, position.royal(waiting), position.occupied(),
                 position.pieces(position.side_to_move()))) {
    return FieldError("side to move",
                      absl::StrCat("it could take the ", rules.kind(rules.royal_kind()).name,
                                   " on ", rules.topology().Name(position.royal(waiting))));
  }
  return absl::OkStatus();
}

}  // namespace crossriver::notation
