#include "tests/random_variant.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace crossriver::testing {
namespace {

struct Zone {
  std::vector<bool> columns;  // by letter
  int low = 1;                // ranks
  int high = 1;
};

struct Piece {
  std::string id;
  std::string letter;
  std::string hand_form;
  int zone = -1;  // the whole board
};

// Writes one variant.
class Writer {
 public:
  explicit Writer(Random* random) : random_(*random) {}

  std::string Write();

 private:
  template <size_t size>
  std::string OneOf(const char* const (&words)[size]) {
    return words[random_.Below(size)];
  }
  static std::string Quoted(const std::string& text) { return absl::StrCat("\"", text, "\""); }

  void ChoosePieces();
  std::string Board();
  std::string Zones();
  std::string Rules();
  std::string ZoneName(int zone) const { return zone < 0 ? "all" : absl::StrCat("z", zone); }
  int RandomZone(int percent_all) {
    return random_.Percent(percent_all) ? -1 : static_cast<int>(random_.Below(zones_.size()));
  }
  std::string Vectors(int min_length, int max_length);
  std::string LeapVectors(int min_length, int max_length);
  std::string Atom(bool royal);
  std::string PieceTable(size_t index);
  std::string Promotions(size_t index);
  std::string StartFen();
  void PlaceOne(const Piece& piece, bool first, std::vector<std::string>* cells);

  Random& random_;
  bool regular_ = false;  // nothing tells one file from another
  int levels_ = 1;
  int files_ = 1;
  int ranks_ = 1;
  std::vector<Zone> zones_;
  std::vector<Piece> pieces_;  // the royal piece is the first
  bool has_drops_ = false;
};

void Writer::ChoosePieces() {
  pieces_.push_back({"king", "K", "", RandomZone(60)});
  const int bases = random_.Between(2, 4);
  const int promoted = random_.Between(0, 3);
  for (int i = 0; i < bases + promoted; ++i) {
    const std::string letter(1, static_cast<char>('A' + i));
    pieces_.push_back({absl::StrCat("piece", letter), (i < bases ? "" : "+") + letter, "",
                       i < bases ? RandomZone(80) : RandomZone(95)});
  }
  for (size_t i = 1; i < pieces_.size(); ++i) {
    if (!random_.Percent(60)) continue;
    const bool own = i <= static_cast<size_t>(bases) && random_.Percent(80);
    pieces_[i].hand_form = pieces_[own ? i : 1 + random_.Below(static_cast<size_t>(bases))].id;
    has_drops_ = true;
  }
}

std::string Writer::Board() {
  levels_ = random_.Between(1, 3);
  files_ = random_.Between(levels_ == 1 ? 3 : 2, levels_ == 1 ? 8 : 5);
  ranks_ = random_.Between(3, 8);
  std::string letters;
  for (int i = 0; i < levels_ * files_; ++i) letters += static_cast<char>('a' + i);
  for (size_t i = letters.size(); i > 1; --i) std::swap(letters[i - 1], letters[random_.Below(i)]);
  std::vector<std::string> levels;
  for (int level = 0; level < levels_; ++level) {
    levels.push_back(
        Quoted(letters.substr(static_cast<size_t>(level * files_), static_cast<size_t>(files_))));
  }
  return absl::StrCat("[board]\nranks = ", ranks_, "\nlevels = [", absl::StrJoin(levels, ", "),
                      "]\n");
}

std::string Writer::Zones() {
  std::string text = "[zones]\n";
  for (int i = 0; i < 4; ++i) {
    Zone zone;
    std::vector<std::string> letters;
    const int share = regular_ ? 100 : random_.Between(40, 120);
    while (letters.empty()) {
      zone.columns.clear();
      for (int column = 0; column < levels_ * files_; ++column) {
        zone.columns.push_back(random_.Percent(share));
        if (zone.columns.back()) letters.emplace_back(1, static_cast<char>('a' + column));
      }
    }
    zone.low = random_.Between(1, ranks_);
    zone.high = random_.Between(zone.low, ranks_);
    absl::StrAppend(&text, ZoneName(i), " = { files = ", Quoted(absl::StrJoin(letters, ",")),
                    ", ranks = \"", zone.low, "-", zone.high, "\" }\n");
    zones_.push_back(zone);
  }
  return text;
}

std::string Writer::Rules() {
  std::vector<std::string> progress;
  for (const char* event : {"capture", "drop", "promotion"}) {
    if (random_.Percent(60)) progress.push_back(Quoted(event));
  }
  std::string text = absl::StrCat(
      "[rules]\nfacing_ban = ", random_.Percent(50) ? "true" : "false",
      "\nstalemate = ", Quoted(OneOf({"draw", "loss", "win"})),
      "\nrepetitions = ", OneOf({"0", "2", "3", "4"}),
      "\nrepetition = ", Quoted(OneOf({"draw", "first_player_loses", "second_player_loses"})),
      "\nperpetual_check = ", Quoted(OneOf({"none", "loss"})),
      "\nno_progress_plies = ", OneOf({"0", "5", "30"}), "\nprogress = [",
      absl::StrJoin(progress, ", "), "]\ndead_drops = ", random_.Percent(50) ? "true" : "false");
  if (random_.Percent(50)) {
    absl::StrAppend(&text, "\npending_zone = ", Quoted(ZoneName(RandomZone(20))));
  }
  return text + "\n";
}

// Explicit vectors that fit the board, each with a largest component in the given range.
std::string Writer::Vectors(int min_length, int max_length) {
  const std::array<int, 3> size = {levels_, files_, ranks_};
  std::vector<std::string> vectors;
  const int count = random_.Between(1, 8);
  for (int i = 0; i < count; ++i) {
    const int length = std::min(random_.Between(min_length, max_length), ranks_ - 1);
    std::array<int, 3> v = {};
    for (size_t axis = 0; axis < 3; ++axis) {
      const int most = std::min(length, size[axis] - 1);
      v[axis] = random_.Between(-most, most);
    }
    size_t longest = random_.Below(3);
    if (size[longest] <= length) longest = 2;
    v[longest] = random_.Percent(50) ? length : -length;
    vectors.push_back(absl::StrCat("[", absl::StrJoin(v, ", "), "]"));
  }
  return absl::StrCat("[", absl::StrJoin(vectors, ", "), "]");
}

// The dirs of a leap.
std::string Writer::LeapVectors(int min_length, int max_length) {
  if (!regular_ && random_.Percent(60)) {
    return absl::StrCat("dirs = ", Vectors(min_length, max_length));
  }
  return OneOf({"dirs = \"knight\"", "dirs = \"forward_knight\"",
                "dirs = \"diagonal\", distance = 2", "dirs = \"orthogonal\", distance = 2"});
}

std::string Writer::Atom(bool royal) {
  const int choice = royal && random_.Percent(70) ? 0 : random_.Between(0, 5);
  std::string mode = OneOf({"both", "both", "move", "capture"});
  std::string text;
  if (choice == 0) {
    text = absl::StrCat("kind = \"step\", dirs = ",
                        Quoted(OneOf({"orthogonal", "diagonal", "forward", "forward_diagonal",
                                      "backward", "backward_diagonal"})));
    if (royal) mode = "both";
  } else if (choice <= 2) {
    const std::string dirs =
        Quoted(OneOf({"orthogonal", "diagonal", "forward", "sideways", "knight"}));
    text = absl::StrCat("kind = ", Quoted(choice == 1 ? "slide" : "hop"),
                        ", dirs = ", !regular_ && random_.Percent(30) ? Vectors(1, 1) : dirs);
  } else if (choice == 3) {
    text = absl::StrCat("kind = \"leap\", through = \"enemy\", ", LeapVectors(2, 2));
    mode = "both";
  } else {
    text = absl::StrCat("kind = \"leap\", through = ", Quoted(OneOf({"any", "empty"})), ", ",
                        LeapVectors(1, 3));
  }
  absl::StrAppend(&text, ", mode = ", Quoted(mode));
  if (random_.Percent(20)) absl::StrAppend(&text, ", from = ", Quoted(ZoneName(RandomZone(0))));
  return absl::StrCat("{ ", text, " }");
}

std::string Writer::Promotions(size_t index) {
  std::vector<std::string> rules;
  const int count = random_.Percent(50) ? 0 : random_.Between(1, 3);
  for (int i = 0; i < count; ++i) {
    const size_t to = 1 + random_.Below(pieces_.size() - 1);
    if (to == index) continue;
    rules.push_back(absl::StrCat("{ to = ", Quoted(pieces_[to].id),
                                 ", zone = ", Quoted(ZoneName(RandomZone(5))),
                                 ", on = ", Quoted(OneOf({"end", "start_or_end"})),
                                 ", choice = ", Quoted(OneOf({"automatic", "optional"})), " }"));
  }
  return rules.empty() ? "" : absl::StrCat("promotions = [", absl::StrJoin(rules, ", "), "]\n");
}

std::string Writer::PieceTable(size_t index) {
  const Piece& piece = pieces_[index];
  const bool royal = index == 0;
  std::string text = absl::StrCat("[pieces.", piece.id, "]\nletter = ", Quoted(piece.letter),
                                  "\nzone = ", Quoted(ZoneName(piece.zone)), "\n");
  std::vector<std::string> atoms;
  const int count = random_.Between(1, 3);
  for (int i = 0; i < count; ++i) atoms.push_back(Atom(royal));
  absl::StrAppend(&text, "moves = [", absl::StrJoin(atoms, ", "), "]\n");
  if (royal) return text + "royal = true\n";
  if (!piece.hand_form.empty()) {
    absl::StrAppend(&text, "hand_form = ", Quoted(piece.hand_form), "\n");
  }
  absl::StrAppend(&text, "resets_progress = ", random_.Percent(20) ? "true" : "false",
                  "\nmax_per_file = ", OneOf({"0", "0", "1", "2"}),
                  "\ndrop_mate = ", random_.Percent(60) ? "true" : "false", "\n");
  return text + Promotions(index);
}

// On some empty cell of the piece's zone, if a few tries find one.
void Writer::PlaceOne(const Piece& piece, bool first, std::vector<std::string>* cells) {
  for (int i = 0; i < 20; ++i) {
    const int column = random_.Between(0, levels_ * files_ - 1);
    const int rank = random_.Between(1, ranks_);
    if (piece.zone >= 0) {
      const Zone& zone = zones_[static_cast<size_t>(piece.zone)];
      const int seen = first ? rank : ranks_ + 1 - rank;
      if (!zone.columns[static_cast<size_t>(column)] || seen < zone.low || seen > zone.high) {
        continue;
      }
    }
    std::string& cell = (*cells)[static_cast<size_t>((ranks_ - rank) * levels_ * files_ + column)];
    if (!cell.empty()) continue;
    cell = first ? piece.letter : absl::AsciiStrToLower(piece.letter);
    return;
  }
}

std::string Writer::StartFen() {
  std::vector<std::string> cells(static_cast<size_t>(levels_ * files_ * ranks_));
  for (const Piece& piece : pieces_) {
    for (const bool first : {true, false}) {
      const int count = piece.letter == "K" ? 1 : random_.Between(0, 3);
      for (int i = 0; i < count; ++i) PlaceOne(piece, first, &cells);
    }
  }
  std::string text;
  int run = 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    const bool ends_rank = (i + 1) % static_cast<size_t>(levels_ * files_) == 0;
    if (cells[i].empty()) ++run;
    if (run > 0 && (ends_rank || !cells[i].empty())) absl::StrAppend(&text, std::exchange(run, 0));
    text += cells[i];
    if (ends_rank && i + 1 < cells.size()) text += '/';
  }
  return absl::StrCat(text, has_drops_ ? "[] " : " ", random_.Percent(50) ? "w" : "b", " 0 1");
}

std::string Writer::Write() {
  regular_ = random_.Percent(40);
  const std::string board = Board();
  const std::string zones = Zones();
  ChoosePieces();
  const std::string rules = Rules();
  std::string tables;
  for (size_t i = 0; i < pieces_.size(); ++i) absl::StrAppend(&tables, PieceTable(i));
  return absl::StrCat("name = \"Random\"\nstart_fen = ", Quoted(StartFen()), "\n", board, zones,
                      rules, tables);
}

}  // namespace

std::string RandomVariantText(Random* random) { return Writer(random).Write(); }

}  // namespace crossriver::testing
