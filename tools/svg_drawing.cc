#include "tools/svg_drawing.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/attacks.h"
#include "core/notation.h"
#include "tools/board_drawing.h"
#include "tools/plot_axis.h"

namespace crossriver {
namespace {

constexpr int kCell = 48;
constexpr int kMargin = 40;
constexpr int kLevelGap = 36;

class SvgBoard {
 public:
  explicit SvgBoard(const Position& position)
      : position_(position), rules_(position.rules()), topology_(position.rules().topology()) {}

  std::string Draw() {
    const int width =
        2 * kMargin + topology_.columns() * kCell + (topology_.levels() - 1) * kLevelGap;
    const int board_height = topology_.ranks() * kCell;
    const int height = board_height + 3 * kMargin + 8 + (rules_.has_drops() ? kMargin : 0);
    svg_ = absl::StrFormat(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
        "height=\"%d\" font-family=\"sans-serif\">\n<rect width=\"100%%\" height=\"100%%\" "
        "fill=\"#fffdf8\"/>\n",
        width, height, width, height);
    for (Cell cell = 0; cell < rules_.num_cells(); ++cell) DrawCell(cell);
    DrawLabels();
    for (Cell cell : position_.occupied()) DrawPiece(cell);
    DrawCaption(2 * kMargin + board_height + 8);
    absl::StrAppend(&svg_, "</svg>\n");
    return svg_;
  }

 private:
  int Left(Cell cell) const {
    const Vec3 at = topology_.At(cell);
    return kMargin + (at.level * topology_.files() + at.file) * kCell + at.level * kLevelGap;
  }
  int Top(Cell cell) const {
    return kMargin + (topology_.ranks() - 1 - topology_.Rank(cell)) * kCell;
  }

  // Fortresses and the like; halves of the board would tint everything.
  bool IsTinted(Cell cell) const {
    const auto& zones = rules_.definition().zones;
    return std::any_of(zones.begin(), zones.end(), [&](const auto& zone) {
      const SquareSet cells = zone.second;
      if (4 * cells.size() >= rules_.num_cells()) return false;
      return cells.Contains(cell) || rules_.ForSide(cells, Side::kSecond).Contains(cell);
    });
  }

  void DrawCell(Cell cell) {
    absl::StrAppendFormat(&svg_,
                          "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\" "
                          "stroke=\"#9a8866\"/>\n",
                          Left(cell), Top(cell), kCell, kCell,
                          IsTinted(cell) ? "#ecd3a0" : "#f7ecd2");
  }

  void DrawText(int x, int y, int size, const char* fill, absl::string_view text,
                const char* anchor = "middle") {
    absl::StrAppendFormat(&svg_,
                          "<text x=\"%d\" y=\"%d\" font-size=\"%d\" text-anchor=\"%s\" "
                          "fill=\"%s\">%s</text>\n",
                          x, y, size, anchor, fill, EscapeMarkup(text));
  }

  void DrawLabels() {
    for (Cell cell = 0; cell < topology_.columns(); ++cell) {
      const std::string letter = topology_.Name(cell).substr(0, 1);
      DrawText(Left(cell) + kCell / 2, Top(cell) + kCell + 20, 15, "#6b5b3e", letter);
    }
    for (int rank = 0; rank < topology_.ranks(); ++rank) {
      const Cell cell = topology_.CellAt({0, 0, rank});
      DrawText(kMargin / 2, Top(cell) + kCell / 2 + 5, 15, "#6b5b3e", absl::StrCat(rank + 1));
    }
  }

  void DrawPiece(Cell cell) {
    const Piece piece = position_.piece_at(cell);
    const bool first = SideOf(piece) == Side::kFirst;
    const KindInfo& info = rules_.kind(KindOf(piece));
    const int x = Left(cell) + kCell / 2;
    const int y = Top(cell) + kCell / 2;
    const char* ink = first ? "#b3261e" : "#14505c";
    absl::StrAppendFormat(&svg_,
                          "<circle cx=\"%d\" cy=\"%d\" r=\"%d\" fill=\"%s\" stroke=\"%s\" "
                          "stroke-width=\"2\"><title>%s</title></circle>\n",
                          x, y, kCell * 2 / 5, first ? "#fff4ec" : "#e4f2f3", ink,
                          EscapeMarkup(info.name));
    const std::string letter = first ? info.letter : absl::AsciiStrToLower(info.letter);
    DrawText(x, y + 7, letter.size() > 1 ? 18 : 21, ink, letter);
  }

  void DrawCaption(int y) {
    if (rules_.has_drops()) {
      DrawText(kMargin, y, 14, "#14505c",
               absl::StrCat("second player's hand: ", HandText(position_, Side::kSecond)), "start");
      DrawText(kMargin, y + 22, 14, "#b3261e",
               absl::StrCat("first player's hand: ", HandText(position_, Side::kFirst)), "start");
      y += kMargin + 4;
    }
    const bool first = position_.side_to_move() == Side::kFirst;
    DrawText(kMargin, y, 14, "#333333",
             absl::StrCat(rules_.definition().name, " · move ", position_.move_number(), " · ",
                          first ? "first" : "second", " player to move",
                          InCheck(position_) ? ", in check" : ""),
             "start");
  }

  const Position& position_;
  const Rules& rules_;
  const Topology& topology_;
  std::string svg_;
};

}  // namespace

std::string DrawSvg(const Position& position) { return SvgBoard(position).Draw(); }

}  // namespace crossriver
