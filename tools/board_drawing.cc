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
constexpr char kPlain[] = "\033[0m";
constexpr char kLevelGap[] = "   ";

std::string PieceText(const Position& position, Cell cell) {
  const Piece piece = position.piece_at(cell);
  if (piece == kNoPiece) return ".";
  const std::string& letter = position.rules().kind(KindOf(piece)).letter;
  return SideOf(piece) == Side::kFirst ? letter : absl::AsciiStrToLower(letter);
}

}  // namespace

std::vector<std::string> DrawCells(const Topology& topology, int width,
                                   const std::function<std::string(Cell)>& mark,
                                   const std::function<std::string(Cell)>& colour) {
  std::vector<std::string> lines;
  std::string letters = "   ";
  for (int level = 0; level < topology.levels(); ++level) {
    if (level > 0) letters += kLevelGap;
    for (int file = 0; file < topology.files(); ++file) {
      const Cell cell = topology.CellAt({level, file, 0});
      absl::StrAppendFormat(&letters, "%*s", width + 1, topology.Name(cell).substr(0, 1));
    }
  }
  lines.push_back(letters);
  for (int rank = topology.ranks() - 1; rank >= 0; --rank) {
    std::string line = absl::StrFormat("%3d", rank + 1);
    for (int level = 0; level < topology.levels(); ++level) {
      if (level > 0) line += kLevelGap;
      for (int file = 0; file < topology.files(); ++file) {
        const Cell cell = topology.CellAt({level, file, rank});
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

std::string DrawPosition(const Position& position, bool coloured) {
  const auto colour = [&position](Cell cell) -> std::string {
    const Piece piece = position.piece_at(cell);
    if (piece == kNoPiece) return kDim;
    return SideOf(piece) == Side::kFirst ? kFirstColour : kSecondColour;
  };
  const std::vector<std::string> lines = DrawCells(
      position.rules().topology(), 2, [&position](Cell cell) { return PieceText(position, cell); },
      coloured ? colour : std::function<std::string(Cell)>());
  std::string text;
  for (const std::string& line : lines) absl::StrAppend(&text, line, "\n");
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
