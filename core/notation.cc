#include "core/notation.h"

#include <algorithm>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "core/movegen.h"
#include "core/notation_board.h"

namespace crossriver {
namespace {

using notation::FieldError;

// The highest no-progress count of a FEN. A position at the limit is over; a game played on past it
// is written with the limit, so that every FEN we write can be read.
int MaxNoProgress(const Rules& rules) {
  constexpr int kWithoutLimit = 10000;
  return rules.game().no_progress_plies > 0 ? rules.game().no_progress_plies : kWithoutLimit;
}

absl::Status ParseHand(absl::string_view text, Position* position) {
  if (text == "-") return absl::OkStatus();
  for (const char letter : text) {
    if (absl::Status s = notation::AddToHand(letter, 1, position); !s.ok()) return s;
  }
  return absl::OkStatus();
}

std::string FormatHand(const Position& position) {
  std::string hand;
  for (const Side side : kSides) {
    std::string own;
    for (const Kind kind : position.rules().hand_kinds()) {
      own.append(static_cast<size_t>(position.hand(side, kind)),
                 notation::CasedLetter(position.rules(), kind, side));
    }
    std::sort(own.begin(), own.end());
    hand += own;
  }
  return hand;
}

absl::Status ParseBoardAndHand(absl::string_view text, Position* position) {
  const size_t bracket = text.find('[');
  const bool has_drops = position->rules().has_drops();
  if (bracket == absl::string_view::npos) {
    return has_drops ? FieldError("hand", "missing, expected [] after the board")
                     : notation::ParseBoard(text, position);
  }
  if (text.back() != ']') return FieldError("hand", "expected ] at the end");
  if (!has_drops) return FieldError("hand", "this variant has no drops, expected no brackets");
  if (absl::Status s = notation::ParseBoard(text.substr(0, bracket), position); !s.ok()) return s;
  return ParseHand(text.substr(bracket + 1, text.size() - bracket - 2), position);
}

absl::Status ParseCounts(absl::string_view no_progress, absl::string_view move_number,
                         Position* position) {
  int plies = 0;
  int number = 1;
  if (absl::Status s = notation::ParseNumber("no-progress plies", no_progress, 0,
                                             MaxNoProgress(position->rules()), &plies);
      !s.ok()) {
    return s;
  }
  if (absl::Status s =
          notation::ParseNumber("move number", move_number, 1, notation::kMaxMoveNumber, &number);
      !s.ok()) {
    return s;
  }
  position->SetCounts(plies, number);
  return absl::OkStatus();
}

// The legal move that `format` writes as `text`.
template <typename Format>
absl::StatusOr<Move> FindMove(const Position& position, absl::string_view text, Format format) {
  std::vector<Move> moves;
  GenerateLegalMoves(position, &moves);
  for (const Move move : moves) {
    if (absl::string_view(format(position.rules(), move)) == text) return move;
  }
  return absl::InvalidArgumentError(absl::StrCat("move '", absl::CHexEscape(text.substr(0, 20)),
                                                 "': not a legal move of ", FormatFen(position)));
}

}  // namespace

absl::StatusOr<Position> ParseFen(const Rules& rules, absl::string_view text) {
  std::vector<absl::string_view> fields = absl::StrSplit(text, ' ', absl::SkipEmpty());
  if (fields.size() == 6) {
    if (fields[2] != "-" || fields[3] != "-") {
      return FieldError("castling and en passant", "expected - - or neither");
    }
    fields.erase(fields.begin() + 2, fields.begin() + 4);
  }
  if (fields.size() != 4) {
    return FieldError("all",
                      absl::StrCat(fields.size(), " fields, expected 4: board[hand], side to ",
                                   "move, no-progress plies, move number"));
  }
  Position position(&rules);
  if (absl::Status s = ParseBoardAndHand(fields[0], &position); !s.ok()) return s;
  if (fields[1] != "w" && fields[1] != "b") {
    return FieldError("side to move", absl::StrCat("'", absl::CHexEscape(fields[1].substr(0, 20)),
                                                   "', expected w or b"));
  }
  position.SetSideToMove(fields[1] == "w" ? Side::kFirst : Side::kSecond);
  if (absl::Status s = ParseCounts(fields[2], fields[3], &position); !s.ok()) return s;
  if (absl::Status s = notation::CheckPosition(position); !s.ok()) return s;
  return position;
}

std::string FormatFen(const Position& position) {
  std::string text = notation::FormatBoard(position);
  if (position.rules().has_drops()) absl::StrAppend(&text, "[", FormatHand(position), "]");
  absl::StrAppend(&text, position.side_to_move() == Side::kFirst ? " w " : " b ",
                  std::min(position.no_progress(), MaxNoProgress(position.rules())), " ",
                  std::min(position.move_number(), notation::kMaxMoveNumber));
  return text;
}

Position StartPosition(const Rules& rules) {
  absl::StatusOr<Position> start = ParseFen(rules, rules.definition().start_fen);
  CR_CHECK_OK(start.status());
  return *std::move(start);
}

std::string FormatMove(const Rules& rules, Move move) {
  const Topology& topology = rules.topology();
  if (move.is_drop()) {
    return absl::StrCat(rules.kind(move.drop_kind()).letter, "@", topology.Name(move.to()));
  }
  return absl::StrCat(topology.Name(move.from()), topology.Name(move.to()),
                      move.promotes() ? "+" : "");
}

absl::StatusOr<Move> ParseMove(const Position& position, absl::string_view text) {
  return FindMove(position, text, FormatMove);
}

absl::StatusOr<Move> ParseUsiMove(const Position& position, absl::string_view text) {
  if (position.rules().definition().sfen_hand_order.empty()) {
    return absl::InvalidArgumentError("this variant has no USI move text (no sfen_hand_order)");
  }
  return FindMove(position, text, FormatUsiMove);
}

}  // namespace crossriver
