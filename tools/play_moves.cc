#include "tools/play_moves.h"

#include <algorithm>
#include <map>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/notation.h"
#include "core/spelling.h"
#include "tools/move_complaint.h"

namespace crossriver {
namespace {

// Spellings of one move, the surest first: a text is looked for among all moves' surest spellings
// before the shorter ones, which may fit several.
constexpr size_t kTiers = 3;

// What people add or write otherwise: "B1-c3", "b1xc3" and "P*e5" are "b1c3" and "p@e5".
std::string Normalised(absl::string_view text) {
  std::string normal;
  for (const char letter : text) {
    const char small = absl::ascii_tolower(static_cast<unsigned char>(letter));
    const bool behind_word =
        !normal.empty() && absl::ascii_isalnum(static_cast<unsigned char>(normal.back()));
    if (small == '-' || small == '=' || (small == 'x' && behind_word)) continue;
    normal.push_back(small == '*' ? '@' : small);
  }
  return normal;
}

class Spellings {
 public:
  Spellings(const Position& position, std::span<const Move> legal)
      : position_(position), rules_(position.rules()), legal_(legal) {}

  // The normalised spellings of a tier.
  std::vector<std::string> Of(Move move, size_t tier) const {
    std::vector<std::string> spellings;
    if (tier == 0) spellings = {FormatMove(rules_, move)};
    if (tier == 1) spellings = OtherFull(move);
    if (tier == 2) spellings = Short(move);
    if (tier > 0) {
      for (std::string& spelling : spellings) spelling = Normalised(spelling);
    }
    return spellings;
  }

 private:
  // Whether the same move without promoting is not legal, so that nothing need be said of it.
  bool MustPromote(Move move) const {
    if (!move.promotes()) return false;
    const Move plain = Move::Board(move.from(), move.to(), false);
    return std::find(legal_.begin(), legal_.end(), plain) == legal_.end();
  }

  std::vector<std::string> OtherFull(Move move) const {
    std::vector<std::string> spellings = {FormatMove(rules_, move)};
    if (!rules_.definition().sfen_hand_order.empty()) {
      spellings.push_back(FormatUsiMove(rules_, move));
    }
    if (MustPromote(move)) {
      spellings.push_back(FormatMove(rules_, Move::Board(move.from(), move.to(), false)));
    }
    return spellings;
  }

  std::vector<std::string> Short(Move move) const {
    const std::string to = rules_.topology().Name(move.to());
    const Kind kind = move.is_drop() ? move.drop_kind() : KindOf(position_.piece_at(move.from()));
    const std::string lettered = absl::StrCat(rules_.kind(kind).letter, to);
    if (!move.promotes()) return {to, lettered};
    return {to + "+", lettered + "+", to, lettered};
  }

  const Position& position_;
  const Rules& rules_;
  const std::span<const Move> legal_;
};

// The legal moves that `text` may stand for, by the surest spelling that any of them has.
std::vector<Move> Fitting(const Position& position, std::span<const Move> legal,
                          absl::string_view text) {
  const Spellings spellings(position, legal);
  std::vector<Move> fitting;
  for (size_t tier = 0; tier < kTiers && fitting.empty(); ++tier) {
    const std::string wanted = tier == 0 ? std::string(text) : Normalised(text);
    for (const Move move : legal) {
      const std::vector<std::string> known = spellings.Of(move, tier);
      if (std::find(known.begin(), known.end(), wanted) != known.end()) fitting.push_back(move);
    }
  }
  return fitting;
}

std::string Lower(absl::string_view text) { return absl::AsciiStrToLower(text); }

}  // namespace

const std::string& PieceName(const Position& position, Cell cell) {
  return position.rules().kind(KindOf(position.piece_at(cell))).name;
}

absl::StatusOr<Move> ReadTypedMove(const Position& position, std::span<const Move> legal,
                                   absl::string_view text) {
  const std::vector<Move> fitting = Fitting(position, legal, text);
  if (fitting.size() == 1) return fitting.front();
  if (fitting.empty()) return absl::InvalidArgumentError(WhyNoMove(position, legal, text));
  std::vector<std::string> names;
  for (const Move move : fitting) names.push_back(FormatMove(position.rules(), move));
  std::sort(names.begin(), names.end());
  return absl::InvalidArgumentError(absl::StrCat("'", Printable(text), "' may be ",
                                                 absl::StrJoin(names, " or "),
                                                 "; expected one of them in full"));
}

absl::StatusOr<std::string> ListMoves(const Position& position, std::span<const Move> legal,
                                      absl::string_view filter) {
  const Rules& rules = position.rules();
  struct Group {
    std::string name;
    std::vector<std::string> moves;
  };
  std::map<std::pair<bool, int>, Group> groups;  // by drop or not, and cell or kind
  std::vector<std::string> names;
  for (const Move move : legal) {
    const Kind kind = move.is_drop() ? move.drop_kind() : KindOf(position.piece_at(move.from()));
    const std::string place = move.is_drop() ? "in hand" : rules.topology().Name(move.from());
    const KindInfo& info = rules.kind(kind);
    for (const std::string& name : {place, info.letter, info.name}) names.push_back(Lower(name));
    const std::string wanted = Lower(filter);
    if (!wanted.empty() && wanted != names.back() && wanted != names[names.size() - 2] &&
        wanted != names[names.size() - 3]) {
      continue;
    }
    Group& group = groups[{move.is_drop(), move.is_drop() ? kind : move.from()}];
    group.name = absl::StrCat(info.name, " ", place);
    group.moves.push_back(FormatMove(rules, move));
  }
  if (groups.empty()) {
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return absl::InvalidArgumentError(
        absl::StrCat("no moves of '", Printable(filter), "'", Suggestion(Lower(filter), names)));
  }
  std::string text;
  for (auto& [key, group] : groups) {
    std::sort(group.moves.begin(), group.moves.end());
    absl::StrAppend(&text, group.name, ": ", absl::StrJoin(group.moves, " "), "\n");
  }
  return text;
}

std::string DescribeMove(const Position& position, Move move) {
  const Rules& rules = position.rules();
  std::string what;
  if (move.is_drop()) {
    what = absl::StrCat(rules.kind(move.drop_kind()).name, " from the hand");
  } else {
    what = PieceName(position, move.from());
    std::vector<std::string> taken;
    for (const Cell cell : {move.to(), position.DisplacedCell(move)}) {
      if (cell == kNoCell || position.piece_at(cell) == kNoPiece) continue;
      taken.push_back(PieceName(position, cell));
    }
    if (!taken.empty()) absl::StrAppend(&what, " takes ", absl::StrJoin(taken, " and "));
    Position after = position;
    after.Do(move);
    const Kind before = KindOf(position.piece_at(move.from()));
    if (KindOf(after.piece_at(move.to())) != before) {
      absl::StrAppend(&what, taken.empty() ? "" : ",", " becomes ", PieceName(after, move.to()));
    }
  }
  return absl::StrCat(FormatMove(rules, move), " (", what, ")");
}

}  // namespace crossriver
