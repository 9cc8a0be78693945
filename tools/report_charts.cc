#include "tools/report_charts.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/plot_axis.h"

namespace crossriver {
namespace {

// Narrow, so that a phone shows a chart with hardly any shrinking.
constexpr int kChartWidth = 420;
constexpr int kTextHeight = 13;
constexpr int kRightMargin = 14;
constexpr int kAxisBelow = 42;   // numbers and title of the x axis
constexpr int kNameWidth = 128;  // names of rows
constexpr size_t kNameLetters = 19;
constexpr int kAxisSteps = 6;

std::string Begin(const std::string& title, int height) {
  const std::string escaped = EscapeMarkup(title);
  return absl::StrFormat(
      "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n"
      "<title>%s</title>\n",
      kChartWidth, height, escaped, escaped);
}

void AddText(double x, double y, absl::string_view anchor, absl::string_view text,
             std::string* svg) {
  absl::StrAppendFormat(svg, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y,
                        anchor, EscapeMarkup(text));
}

void AddLine(double x1, double y1, double x2, double y2, absl::string_view style,
             std::string* svg) {
  absl::StrAppendFormat(svg,
                        "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                        style, x1, y1, x2, y2);
}

// Cut where a row has no more room; never within a character.
std::string RowName(const std::string& name) {
  size_t letters = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool begins = (static_cast<unsigned char>(name[i]) & 0xC0) != 0x80;
    if (begins && ++letters > kNameLetters) return name.substr(0, i) + "…";
  }
  return name;
}

void AddXAxis(const Axis& axis, double left, double right, double top, double bottom,
              const std::string& title, std::string* svg) {
  for (int k = 0; k <= axis.steps(); ++k) {
    const double value = axis.low + k * axis.step;
    const double x = left + axis.Share(value) * (right - left);
    AddLine(x, top, x, bottom, "grid", svg);
    AddText(x, bottom + kTextHeight + 3, "middle", AxisNumber(value), svg);
  }
  AddText((left + right) / 2, bottom + kAxisBelow - 8, "middle", title, svg);
}

class LineDrawing {
 public:
  explicit LineDrawing(const LineChart& chart) : chart_(chart) {
    bool first = true;
    double x_low = 0, x_high = 0, y_low = 0, y_high = 0;
    const auto include = [&](double x, double low, double high) {
      x_low = first ? x : std::min(x_low, x);
      x_high = first ? x : std::max(x_high, x);
      y_low = first ? low : std::min(y_low, low);
      y_high = first ? high : std::max(y_high, high);
      first = false;
    };
    for (const auto& series : chart.series) {
      for (const ChartPoint& point : series) include(point.x, point.y.low, point.y.high);
    }
    for (const double level : chart.levels) include(x_low, level, level);
    if (chart.filled) y_low = std::min(y_low, 0.0);
    x_ = AxisFor(x_low, x_high, kAxisSteps);
    y_ = AxisFor(y_low, y_high, kAxisSteps - 1);
  }

  std::string Draw() const {
    std::string svg = Begin(chart_.title, kHeight);
    AddXAxis(x_, kLeft, kChartWidth - kRightMargin, kTop, kBottom, chart_.x_title, &svg);
    for (int k = 0; k <= y_.steps(); ++k) {
      const double value = y_.low + k * y_.step;
      AddLine(kLeft, Down(value), kChartWidth - kRightMargin, Down(value), "grid", &svg);
      AddText(kLeft - 6, Down(value) + 4, "end", AxisNumber(value), &svg);
    }
    AddText(4, kTextHeight, "start", chart_.y_title, &svg);
    for (const double level : chart_.levels) {
      AddLine(kLeft, Down(level), kChartWidth - kRightMargin, Down(level), "level", &svg);
    }
    for (size_t i = 0; i < chart_.series.size(); ++i) AddSeries(i, &svg);
    return svg + "</svg>\n";
  }

 private:
  static constexpr int kHeight = 250;
  static constexpr int kLeft = 48;
  static constexpr int kTop = 26;
  static constexpr int kBottom = kHeight - kAxisBelow;

  double Across(double x) const {
    return kLeft + x_.Share(x) * (kChartWidth - kRightMargin - kLeft);
  }
  double Down(double y) const { return kBottom - y_.Share(y) * (kBottom - kTop); }
  std::string Corner(double x, double y) const {
    return absl::StrFormat("%.1f,%.1f ", Across(x), Down(y));
  }

  void AddSeries(size_t index, std::string* svg) const {
    const std::vector<ChartPoint>& points = chart_.series[index];
    if (points.empty()) return;
    std::string line;
    std::string above;
    std::string below;
    bool wide = false;
    for (const ChartPoint& point : points) {
      line += Corner(point.x, point.y.value);
      above += Corner(point.x, point.y.high);
      below.insert(0, Corner(point.x, point.y.low));
      wide = wide || point.y.high > point.y.low;
    }
    if (chart_.filled) {
      above = Corner(points.front().x, 0) + line;
      below = Corner(points.back().x, 0);
    }
    absl::StrAppendFormat(svg, "<g class=\"s%d\">\n", index);
    if (wide || chart_.filled) {
      absl::StrAppendFormat(svg, "<polygon class=\"band\" points=\"%s\"/>\n", above + below);
    }
    absl::StrAppendFormat(svg, "<polyline class=\"line\" points=\"%s\"/>\n", line);
    if (points.size() <= kMostDots) {
      for (const ChartPoint& point : points) {
        absl::StrAppendFormat(svg, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n",
                              Across(point.x), Down(point.y.value));
      }
    }
    *svg += "</g>\n";
  }

  static constexpr size_t kMostDots = 20;  // more would hide the line

  const LineChart& chart_;
  Axis x_;
  Axis y_;
};

}  // namespace

std::string DrawLineChart(const LineChart& chart) {
  const bool empty = std::all_of(chart.series.begin(), chart.series.end(),
                                 [](const auto& points) { return points.empty(); });
  return empty ? "" : LineDrawing(chart).Draw();
}

std::string DrawIntervalChart(const IntervalChart& chart) {
  constexpr int kLineHeight = 14;
  constexpr int kRowGap = 8;
  constexpr int kTop = 6;
  size_t series = 1;
  double low = chart.reference;
  double high = chart.reference;
  for (const IntervalRow& row : chart.rows) {
    series = std::max(series, row.values.size());
    for (const auto& value : row.values) {
      if (!value.has_value()) continue;
      low = std::min(low, value->low);
      high = std::max(high, value->high);
    }
  }
  const Axis axis = AxisFor(low, high, kAxisSteps);
  const int row_height = static_cast<int>(series) * kLineHeight + kRowGap;
  const int bottom = kTop + static_cast<int>(chart.rows.size()) * row_height;
  const auto across = [&axis](double x) {
    return kNameWidth + axis.Share(x) * (kChartWidth - kRightMargin - kNameWidth);
  };
  std::string svg = Begin(chart.title, bottom + kAxisBelow);
  AddXAxis(axis, kNameWidth, kChartWidth - kRightMargin, kTop, bottom, chart.x_title, &svg);
  AddLine(across(chart.reference), kTop, across(chart.reference), bottom, "level", &svg);
  double top = kTop + kRowGap / 2.0;
  for (const IntervalRow& row : chart.rows) {
    const double middle = top + static_cast<double>(series) * kLineHeight / 2;
    AddText(kNameWidth - 8, middle + 4, "end", RowName(row.name), &svg);
    for (size_t i = 0; i < row.values.size(); ++i) {
      if (!row.values[i].has_value()) continue;
      const Estimate& value = *row.values[i];
      const double y = top + (static_cast<double>(i) + 0.5) * kLineHeight;
      absl::StrAppendFormat(&svg, "<g class=\"s%d\">\n", i);
      AddLine(across(value.low), y, across(value.high), y, "whisker", &svg);
      absl::StrAppendFormat(&svg, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>\n</g>\n",
                            across(value.value), y);
    }
    top += row_height;
  }
  return svg + "</svg>\n";
}

std::string DrawShareBars(const std::string& title, const std::vector<ShareBar>& bars,
                          bool label_parts) {
  constexpr int kBarHeight = 22;
  constexpr int kBarGap = 8;
  constexpr int kSumWidth = 56;
  constexpr double kRoomForText = 0.13;  // of the whole width
  double longest = 0;
  for (const ShareBar& bar : bars) {
    double sum = 0;
    for (const double part : bar.parts) sum += part;
    longest = std::max(longest, sum);
  }
  if (longest <= 0) longest = 1;
  const int right = kChartWidth - (label_parts ? kRightMargin : kSumWidth);
  const auto percent = [](double share) { return absl::StrFormat("%.1f %%", 100 * share); };
  std::string svg = Begin(title, static_cast<int>(bars.size()) * (kBarHeight + kBarGap) + kBarGap);
  double top = kBarGap;
  for (const ShareBar& bar : bars) {
    AddText(kNameWidth - 8, top + kBarHeight / 2.0 + 5, "end", RowName(bar.name), &svg);
    double sum = 0;
    for (size_t i = 0; i < bar.parts.size(); ++i) {
      const double left = kNameWidth + sum / longest * (right - kNameWidth);
      const double width = bar.parts[i] / longest * (right - kNameWidth);
      sum += bar.parts[i];
      absl::StrAppendFormat(
          &svg, "<rect class=\"r%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"/>\n", i,
          left, top, width, kBarHeight);
      if (!label_parts || width < kRoomForText * kChartWidth) continue;
      absl::StrAppendFormat(
          &svg, "<text class=\"on\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n",
          left + width / 2, top + kBarHeight / 2.0 + 5, percent(bar.parts[i]));
    }
    if (!label_parts) {
      AddText(kNameWidth + sum / longest * (right - kNameWidth) + 5, top + kBarHeight / 2.0 + 5,
              "start", percent(sum), &svg);
    }
    top += kBarHeight + kBarGap;
  }
  return svg + "</svg>\n";
}

}  // namespace crossriver
