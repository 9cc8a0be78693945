#include "tools/board_drawing.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/attacks.h"
#include "core/notation.h"

namespace crossriver {
namespace {

constexpr char kFirstColour[] = "\033[1;31m";
constexpr char kSecondColour[] = "\033[1;36m";
constexpr char kDim[] = "\033[2m";
constexpr char kBold[] = "\033[1m";
constexpr char kPlain[] = "\033[0m";
constexpr char kLevelGap[] = "   ";
constexpr int kPieceWidth = 2;

std::string PieceText(const Position& position, Cell cell) {
  const Piece piece = position.piece_at(cell);
  if (piece == kNoPiece) return ".";
  const std::string& letter = position.rules().kind(KindOf(piece)).letter;
  return SideOf(piece) == Side::kFirst ? letter : absl::AsciiStrToLower(letter);
}

}  // namespace

std::vector<std::string> DrawCells(const Topology& topology, int width,
                                   const std::function<std::string(Cell)>& mark,
                                   const std::function<std::string(Cell)>& colour, bool flipped) {
  // From the place in the drawing, left and top first, to that on the board.
  const auto at = [&topology, flipped](int level, int file, int line) {
    if (!flipped) return topology.CellAt({level, file, topology.ranks() - 1 - line});
    return topology.CellAt({topology.levels() - 1 - level, topology.files() - 1 - file, line});
  };
  std::vector<std::string> lines;
  std::string letters = "   ";
  for (int level = 0; level < topology.levels(); ++level) {
    if (level > 0) letters += kLevelGap;
    for (int file = 0; file < topology.files(); ++file) {
      const Cell cell = at(level, file, 0);
      absl::StrAppendFormat(&letters, "%*s", width + 1, topology.Name(cell).substr(0, 1));
    }
  }
  lines.push_back(letters);
  for (int row = 0; row < topology.ranks(); ++row) {
    std::string line = absl::StrFormat("%3d", topology.Rank(at(0, 0, row)) + 1);
    for (int level = 0; level < topology.levels(); ++level) {
      if (level > 0) line += kLevelGap;
      for (int file = 0; file < topology.files(); ++file) {
        const Cell cell = at(level, file, row);
        const std::string text = absl::StrFormat("%*s", width, mark(cell));
        const std::string code = colour ? colour(cell) : "";
        absl::StrAppend(&line, " ", code, text, code.empty() ? "" : kPlain);
      }
    }
    lines.push_back(line);
  }
  return lines;
}

std::string HandText(const Position& position, Side side) {
  std::string text;
  for (const Kind kind : position.rules().hand_kinds()) {
    const int count = position.hand(side, kind);
    if (count == 0) continue;
    absl::StrAppend(&text, text.empty() ? "" : ", ", position.rules().kind(kind).name);
    if (count > 1) absl::StrAppend(&text, " x", count);
  }
  return text.empty() ? "nothing" : text;
}

std::string DrawBoard(const Position& position, const BoardStyle& style) {
  const auto mark = [&](Cell cell) {
    return absl::StrCat(style.marked.Contains(cell) ? ">" : "", PieceText(position, cell));
  };
  const auto colour = [&](Cell cell) -> std::string {
    const Piece piece = position.piece_at(cell);
    if (piece == kNoPiece) return style.marked.Contains(cell) ? kBold : kDim;
    return SideOf(piece) == Side::kFirst ? kFirstColour : kSecondColour;
  };
  const int width = style.marked.empty() ? kPieceWidth : kPieceWidth + 1;
  const std::vector<std::string> lines =
      DrawCells(position.rules().topology(), width, mark,
                style.coloured ? colour : std::function<std::string(Cell)>(), style.flipped);
  std::string text;
  for (const std::string& line : lines) absl::StrAppend(&text, line, "\n");
  return text;
}

std::string DrawPosition(const Position& position, bool coloured) {
  std::string text = DrawBoard(position, {coloured, false, {}});
  absl::StrAppend(&text, "\n");
  if (position.rules().has_drops()) {
    absl::StrAppend(&text, "In hand, first player:  ", HandText(position, Side::kFirst), "\n",
                    "In hand, second player: ", HandText(position, Side::kSecond), "\n");
  }
  absl::StrAppend(&text, "To move: ",
                  position.side_to_move() == Side::kFirst ? "first player (uppercase)"
                                                          : "second player (lowercase)",
                  InCheck(position) ? ", in check" : "", "\n");
  absl::StrAppend(&text, "FEN: ", FormatFen(position), "\n");
  return text;
}

std::string SideBySide(const std::vector<std::vector<std::string>>& blocks, size_t columns) {
  std::string text;
  for (size_t begin = 0; begin < blocks.size();) {
    size_t end = begin;
    size_t used = 0;
    size_t height = 0;
    std::vector<size_t> widths;
    while (end < blocks.size()) {
      size_t width = 0;
      for (const std::string& line : blocks[end]) width = std::max(width, line.size());
      if (end > begin && used + width + 2 > columns) break;
      used += width + 2;
      widths.push_back(width);
      height = std::max(height, blocks[end].size());
      ++end;
    }
    for (size_t row = 0; row < height; ++row) {
      std::string line;
      for (size_t i = begin; i < end; ++i) {
        const std::string part = row < blocks[i].size() ? blocks[i][row] : "";
        absl::StrAppendFormat(&line, "%-*s", static_cast<int>(widths[i - begin] + 2), part);
      }
      absl::StripTrailingAsciiWhitespace(&line);
      absl::StrAppend(&text, line, "\n");
    }
    absl::StrAppend(&text, "\n");
    begin = end;
  }
  return text;
}

}  // namespace crossriver
