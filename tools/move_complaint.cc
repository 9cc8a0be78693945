#include "tools/move_complaint.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "core/attacks.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "core/spelling.h"

namespace crossriver {
namespace {

constexpr size_t kMostShown = 40;  // characters of what was typed

// Takes a cell from the front of `text`; nullopt, with nothing taken, where there is none.
std::optional<Cell> TakeCell(const Topology& topology, absl::string_view* text) {
  size_t end = 1;
  while (end < text->size() && absl::ascii_isdigit(static_cast<unsigned char>((*text)[end]))) ++end;
  int rank = 0;
  if (text->size() < 2 || !absl::SimpleAtoi(text->substr(1, end - 1), &rank)) return std::nullopt;
  const int column = absl::ascii_tolower(static_cast<unsigned char>(text->front())) - 'a';
  if (column < 0 || column >= topology.columns() || rank < 1 || rank > topology.ranks()) {
    return std::nullopt;
  }
  text->remove_prefix(end);
  return topology.CellOf(column, rank - 1);
}

// A text of the form of a move: from one cell to another, or a piece in hand to a cell.
struct Attempt {
  Cell from = kNoCell;  // kNoCell: a drop
  Kind kind = kNoKind;  // of a drop
  Cell to = kNoCell;
  bool promotes = false;
};

std::optional<Attempt> ReadAttempt(const Rules& rules, absl::string_view text) {
  Attempt attempt;
  const size_t at = text.find_first_of("@*", 1);
  if (at != absl::string_view::npos) {
    const std::string letter = absl::AsciiStrToUpper(text.substr(0, at));
    for (const Kind kind : rules.hand_kinds()) {
      if (rules.kind(kind).letter == letter) attempt.kind = kind;
    }
    if (attempt.kind == kNoKind) return std::nullopt;
    text.remove_prefix(at + 1);
  } else {
    const std::optional<Cell> from = TakeCell(rules.topology(), &text);
    if (!from.has_value()) return std::nullopt;
    attempt.from = *from;
    if (!text.empty() && (text[0] == '-' || text[0] == 'x')) text.remove_prefix(1);
  }
  const std::optional<Cell> to = TakeCell(rules.topology(), &text);
  if (!to.has_value()) return std::nullopt;
  attempt.to = *to;
  attempt.promotes = text == "+";
  return text.empty() || attempt.promotes ? std::optional(attempt) : std::nullopt;
}

const std::string& NameOn(const Position& position, Cell cell) {
  return position.rules().kind(KindOf(position.piece_at(cell))).name;
}

std::string RoyalName(const Rules& rules) { return rules.kind(rules.royal_kind()).name; }

// What the safety of the royal piece has against a move that it alone forbids.
std::string Endangers(const Position& position, Cell from) {
  const std::string royal = RoyalName(position.rules());
  if (from != kNoCell && from == position.royal(position.side_to_move())) {
    return absl::StrCat("your ", royal, " could be captured there");
  }
  if (InCheck(position)) {
    return absl::StrCat("your ", royal, " is in check, and that does not help");
  }
  return absl::StrCat("that would leave your ", royal, " open to capture");
}

std::string WhyNoDrop(const Position& position, const Attempt& attempt) {
  const Rules& rules = position.rules();
  const std::string& name = rules.kind(attempt.kind).name;
  const std::string to = rules.topology().Name(attempt.to);
  if (position.hand(position.side_to_move(), attempt.kind) == 0) {
    return absl::StrCat("you have no ", name, " in hand");
  }
  if (position.piece_at(attempt.to) != kNoPiece) {
    return absl::StrCat(to, " is not empty: the ", NameOn(position, attempt.to), " is there");
  }
  if (attempt.promotes) return "a piece does not promote when it is dropped";
  if (!RoyalSafety(position).common().Contains(attempt.to)) return Endangers(position, kNoCell);
  return absl::StrCat("the rules allow no ", name, " to be dropped on ", to);
}

std::string WhyNoBoardMove(const Position& position, std::span<const Move> legal,
                           const Attempt& attempt) {
  const Side mover = position.side_to_move();
  const std::string from = position.rules().topology().Name(attempt.from);
  const std::string to = position.rules().topology().Name(attempt.to);
  const Piece piece = position.piece_at(attempt.from);
  if (piece == kNoPiece) return absl::StrCat("there is no piece on ", from);
  const std::string& name = NameOn(position, attempt.from);
  if (SideOf(piece) != mover) return absl::StrCat("the ", name, " on ", from, " is not yours");
  // Then only the promotion was wrong.
  const bool goes_there = std::any_of(legal.begin(), legal.end(), [&](Move move) {
    return !move.is_drop() && move.from() == attempt.from && move.to() == attempt.to;
  });
  if (goes_there) return absl::StrCat("the ", name, " does not promote by that move");
  const Piece target = position.piece_at(attempt.to);
  if (target != kNoPiece && SideOf(target) == mover) {
    return absl::StrCat("your own ", NameOn(position, attempt.to), " is on ", to);
  }
  if (UnguardedDestinations(position, attempt.from).Contains(attempt.to)) {
    return Endangers(position, attempt.from);
  }
  return absl::StrCat("the ", name, " on ", from, " can't go to ", to);
}

// A text that ends with a cell: "c3" or "Nc3", to which no legal move goes.
std::optional<std::string> WhyNoShortForm(const Rules& rules, absl::string_view text) {
  for (size_t letters = 0; letters <= 2 && letters < text.size(); ++letters) {
    absl::string_view rest = text.substr(letters);
    const std::optional<Cell> to = TakeCell(rules.topology(), &rest);
    if (!to.has_value() || !(rest.empty() || rest == "+")) continue;
    const std::string cell = rules.topology().Name(*to);
    if (letters == 0) return absl::StrCat("no piece of yours can go to ", cell);
    const std::string letter = absl::AsciiStrToUpper(text.substr(0, letters));
    for (Kind kind = 0; kind < rules.num_kinds(); ++kind) {
      if (rules.kind(kind).letter != letter) continue;
      return absl::StrCat("no ", rules.kind(kind).name, " of yours can go to ", cell);
    }
  }
  return std::nullopt;
}

}  // namespace

std::string WhyNoMove(const Position& position, std::span<const Move> legal,
                      absl::string_view text) {
  const Rules& rules = position.rules();
  if (const std::optional<Attempt> attempt = ReadAttempt(rules, text); attempt.has_value()) {
    return attempt->from == kNoCell ? WhyNoDrop(position, *attempt)
                                    : WhyNoBoardMove(position, legal, *attempt);
  }
  if (std::optional<std::string> why = WhyNoShortForm(rules, text); why.has_value()) return *why;
  std::vector<std::string> moves;
  for (const Move move : legal) moves.push_back(FormatMove(rules, move));
  std::sort(moves.begin(), moves.end());
  std::string suggestion = Suggestion(text, moves);
  // Not a list of all of them.
  if (!absl::StartsWith(suggestion, "; did you mean")) {
    suggestion = absl::StrCat("; expected one such as ", moves.front());
  }
  return absl::StrCat("'", Printable(text.substr(0, kMostShown)), "' is no move", suggestion);
}

}  // namespace crossriver
