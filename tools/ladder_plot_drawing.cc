#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/ladder_plot.h"
#include "tools/plot_axis.h"

namespace crossriver {
namespace {

Axis XAxis(const LadderPlot& plot, int most_steps) {
  double high = 0;
  for (const PlotPoint& point : plot.points) high = std::max(high, point.x);
  return AxisFor(0, high, most_steps);
}

// The intervals of points and the values of levels: where a level is known badly, the points are
// still to be seen.
Axis YAxis(const LadderPlot& plot, int most_steps) {
  double low = plot.points.front().y.value;
  double high = low;
  for (const PlotPoint& point : plot.points) {
    low = std::min(low, point.y.low);
    high = std::max(high, point.y.high);
  }
  for (const PlotLevel& level : plot.levels) {
    low = std::min(low, level.y.value);
    high = std::max(high, level.y.value);
  }
  return AxisFor(low, high, most_steps);
}

char Letter(size_t index) { return static_cast<char>('A' + index % 26); }

// One plot within a document.
class SvgPlot {
 public:
  static constexpr int kWidth = 760;
  static constexpr int kHeight = 320;

  SvgPlot(const LadderPlot& plot, int top)
      : plot_(plot), top_(top), x_(XAxis(plot, kSteps)), y_(YAxis(plot, kSteps)) {}

  void Draw(std::string* svg) const {
    DrawAxes(svg);
    DrawLevels(svg);
    DrawPoints(svg);
  }

 private:
  static constexpr int kSteps = 8;
  static constexpr int kLeft = 70;
  static constexpr int kRight = 190;  // for the names of levels
  static constexpr int kBelow = 50;
  static constexpr int kAbove = 30;

  double Across(double x) const { return kLeft + x_.Share(x) * (kWidth - kLeft - kRight); }
  double Down(double y) const {
    const double share = std::clamp(y_.Share(y), 0.0, 1.0);
    return top_ + kAbove + (1 - share) * (kHeight - kAbove - kBelow);
  }

  void DrawAxes(std::string* svg) const {
    const double right = Across(x_.high);
    const double bottom = Down(y_.low);
    for (int k = 0; k <= y_.steps(); ++k) {
      const double y = y_.low + k * y_.step;
      Line(kLeft, Down(y), right, Down(y), "stroke=\"#ddd\"", svg);
      Text(kLeft - 6, Down(y) + 4, "end", AxisNumber(y), svg);
    }
    for (int k = 0; k <= x_.steps(); ++k) {
      const double x = x_.low + k * x_.step;
      Line(Across(x), bottom, Across(x), bottom + 5, "stroke=\"#444\"", svg);
      Text(Across(x), bottom + 18, "middle", AxisNumber(x), svg);
    }
    Line(kLeft, bottom, right, bottom, "stroke=\"#444\"", svg);
    Text((kLeft + right) / 2, bottom + 36, "middle", plot_.x_title, svg);
    Text(kLeft, top_ + kAbove - 12, "middle", plot_.y_title, svg);
  }

  void DrawLevels(std::string* svg) const {
    for (const PlotLevel& level : plot_.levels) {
      const double y = Down(level.y.value);
      Line(kLeft, y, Across(x_.high), y, "stroke=\"#a33\" stroke-dasharray=\"6 4\"", svg);
      Text(Across(x_.high) + 6, y + 4, "start", level.name, svg);
    }
  }

  void DrawPoints(std::string* svg) const {
    std::string path;
    for (const PlotPoint& point : plot_.points) {
      absl::StrAppendFormat(&path, "%s%.1f,%.1f", path.empty() ? "" : " ", Across(point.x),
                            Down(point.y.value));
    }
    absl::StrAppendFormat(svg,
                          "<polyline points=\"%s\" fill=\"none\" stroke=\"#257\" "
                          "stroke-width=\"1.5\"/>\n",
                          path);
    for (const PlotPoint& point : plot_.points) {
      const double x = Across(point.x);
      if (point.y.high > point.y.low) {
        Line(x, Down(point.y.high), x, Down(point.y.low), "stroke=\"#257\"", svg);
      }
      absl::StrAppendFormat(svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"#257\"/>\n", x,
                            Down(point.y.value));
    }
  }

  static void Line(double x1, double y1, double x2, double y2, absl::string_view style,
                   std::string* svg) {
    absl::StrAppendFormat(svg, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", x1,
                          y1, x2, y2, style);
  }

  static void Text(double x, double y, absl::string_view anchor, absl::string_view text,
                   std::string* svg) {
    absl::StrAppendFormat(svg, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y,
                          anchor, EscapeMarkup(text));
  }

  const LadderPlot& plot_;
  const int top_;
  const Axis x_;
  const Axis y_;
};

}  // namespace

std::string DrawPlotText(const LadderPlot& plot, int width, int height) {
  constexpr int kLabel = 8;
  constexpr int kSteps = 6;
  const int columns = std::max(width - kLabel, 10);
  const int rows = std::max(height, 4);
  const Axis x = XAxis(plot, kSteps);
  const Axis y = YAxis(plot, kSteps);
  std::vector<std::string> lines(static_cast<size_t>(rows),
                                 std::string(static_cast<size_t>(columns), ' '));
  const auto column = [&](double value) {
    return static_cast<size_t>(std::lround(x.Share(value) * (columns - 1)));
  };
  const auto row = [&](double value) {
    return static_cast<size_t>(
        std::lround((1 - std::clamp(y.Share(value), 0.0, 1.0)) * (rows - 1)));
  };
  for (size_t i = 0; i < plot.levels.size(); ++i) {
    std::string& line = lines[row(plot.levels[i].y.value)];
    std::replace(line.begin(), line.end(), ' ', '-');
    // Those on one line have their letters side by side.
    line[std::min(i, line.size() - 1)] = Letter(i);
  }
  for (const PlotPoint& point : plot.points) {
    if (point.y.high <= point.y.low) continue;
    for (size_t k = row(point.y.high); k <= row(point.y.low); ++k) lines[k][column(point.x)] = '|';
  }
  for (const PlotPoint& point : plot.points) lines[row(point.y.value)][column(point.x)] = 'o';

  std::vector<std::string> labels(lines.size());
  for (int k = 0; k <= y.steps(); ++k) {
    const double value = y.low + k * y.step;
    labels[row(value)] = AxisNumber(value);
  }
  std::string text = absl::StrCat(plot.y_title, "\n");
  for (size_t k = 0; k < lines.size(); ++k) {
    absl::StrAppendFormat(&text, "%*s %s\n", kLabel - 1, labels[k], lines[k]);
  }
  const std::string end = AxisNumber(x.high);
  const std::string title = absl::StrCat("0  ", plot.x_title);
  const auto gap = static_cast<int>(columns - static_cast<int>(title.size() + end.size()));
  absl::StrAppend(&text, std::string(kLabel, ' '), title,
                  std::string(static_cast<size_t>(std::max(gap, 1)), ' '), end, "\n");
  for (size_t i = 0; i < plot.levels.size(); ++i) {
    absl::StrAppendFormat(&text, "        %c %s\n", Letter(i), Printable(plot.levels[i].name));
  }
  return text;
}

std::string DrawPlotsSvg(const std::vector<LadderPlot>& plots, const std::string& title) {
  constexpr int kTitle = 40;
  const int height = kTitle + SvgPlot::kHeight * static_cast<int>(plots.size());
  std::string svg = absl::StrFormat(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
      "height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" "
      "height=\"100%%\" fill=\"#fff\"/>\n<text x=\"20\" y=\"26\" font-size=\"16\">%s</text>\n",
      SvgPlot::kWidth, height, SvgPlot::kWidth, height, EscapeMarkup(title));
  int top = kTitle;
  for (const LadderPlot& plot : plots) {
    SvgPlot(plot, top).Draw(&svg);
    top += SvgPlot::kHeight;
  }
  return svg + "</svg>\n";
}

}  // namespace crossriver
