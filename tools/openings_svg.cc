// A tree of openings as a picture.
#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/openings_report.h"

namespace crossriver {
namespace {

constexpr double kColumn = 150;
constexpr double kTreeHeight = 720;
constexpr double kTop = 56;
constexpr double kTreeMargin = 12;
constexpr double kLabelHeight = 13;   // of a bar that has room for its move
constexpr double kLeastHeight = 0.5;  // of a bar that is drawn

// From one colour to the other by the first player's score: red where the second player does
// better, green where the first does, grey between.
std::string Colour(std::optional<double> score) {
  if (!score) return "#ccc";
  const double lean = std::clamp(2 * *score - 1, -1.0, 1.0);
  const int red = static_cast<int>(205 - 120 * std::max(0.0, lean));
  const int green = static_cast<int>(205 - 120 * std::max(0.0, -lean));
  const int blue = static_cast<int>(205 - 120 * std::abs(lean));
  return absl::StrFormat("#%02x%02x%02x", red, green, blue);
}

// Moves are letters, digits, '@' and '+', but letters come from a variant's file.
std::string SvgText(absl::string_view text) {
  std::string escaped;
  for (const char letter : text) {
    if (letter == '&') {
      escaped += "&amp;";
    } else if (letter == '<') {
      escaped += "&lt;";
    } else {
      escaped += letter;
    }
  }
  return escaped;
}

size_t Depth(const std::vector<OpeningBranch>& branches) {
  size_t depth = 0;
  for (const OpeningBranch& branch : branches) depth = std::max(depth, 1 + Depth(branch.next));
  return depth;
}

void DrawBranches(const std::vector<OpeningBranch>& branches, double left, double top,
                  std::string* svg) {
  for (const OpeningBranch& branch : branches) {
    const double height = branch.reach * kTreeHeight;
    if (height < kLeastHeight) continue;
    const OpeningScore score = ScoreOf(branch.move.counts, Side::kFirst);
    absl::StrAppendFormat(
        svg,
        "<rect x=\"%.1f\" y=\"%.2f\" width=\"%.1f\" height=\"%.2f\" fill=\"%s\" stroke=\"#fff\" "
        "stroke-width=\"0.6\"><title>%s: %d games, %.1f %%</title></rect>\n",
        left, top, kColumn, height, Colour(score.score), SvgText(branch.move.text),
        branch.move.counts.games, 100 * branch.move.share);
    if (height >= kLabelHeight) {
      const std::string points =
          score.score ? absl::StrFormat(" (%.0f)", 100 * *score.score) : std::string();
      absl::StrAppendFormat(svg, "<text x=\"%.1f\" y=\"%.2f\">%s %.0f%%%s</text>\n", left + 5,
                            top + height / 2 + 4, SvgText(branch.move.text),
                            100 * branch.move.share, points);
    }
    DrawBranches(branch.next, left + kColumn, top, svg);
    top += height;
  }
}

}  // namespace

std::string DrawOpeningsSvg(const OpeningsReport& report) {
  const double width =
      2 * kTreeMargin + kColumn * static_cast<double>(std::max<size_t>(4, Depth(report.tree)));
  const double height = kTop + kTreeHeight + kTreeMargin;
  std::string svg = absl::StrFormat(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
      "height=\"%.0f\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" "
      "height=\"100%%\" fill=\"#fff\"/>\n",
      width, height, width, height);
  absl::StrAppendFormat(&svg, "<text x=\"%.0f\" y=\"22\" font-size=\"16\">%s: %d games</text>\n",
                        kTreeMargin, SvgText(report.variant), report.position.counts.games);
  absl::StrAppendFormat(&svg,
                        "<text x=\"%.0f\" y=\"42\">Height: share of the games. In brackets and by "
                        "colour: the first player's score in %%.</text>\n",
                        kTreeMargin);
  DrawBranches(report.tree, kTreeMargin, kTop, &svg);
  return svg + "</svg>\n";
}

}  // namespace crossriver
