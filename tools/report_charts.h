// Charts of a report, as SVG within a page whose style sheet (tools/report_style.h) has their
// colours: classes s0, s1, … are series, r0 to r3 results. Lengths are in units of the viewBox.
#ifndef CROSSRIVER_TOOLS_REPORT_CHARTS_H_
#define CROSSRIVER_TOOLS_REPORT_CHARTS_H_

#include <optional>
#include <string>
#include <vector>

#include "selfplay/rating.h"

namespace crossriver {

// More series than colours would look alike.
inline constexpr int kMaxSeries = 6;

struct ChartPoint {
  double x = 0;
  Estimate y;  // without a width: no band
};

struct LineChart {
  std::string title;  // read out to who does not see it
  std::string x_title;
  std::string y_title;
  bool filled = false;         // the area below, rather than the band of the intervals
  std::vector<double> levels;  // values that the y axis includes, with a line at each
  std::vector<std::vector<ChartPoint>> series;  // each by rising x; empty ones are left out
};

// Empty where no series has a point.
std::string DrawLineChart(const LineChart& chart);

struct IntervalRow {
  std::string name;
  std::vector<std::optional<Estimate>> values;  // by series
};

struct IntervalChart {
  std::string title;
  std::string x_title;
  double reference = 0;  // a line at it
  std::vector<IntervalRow> rows;
};

// A dot and its interval for each value, a group of lines for each row.
std::string DrawIntervalChart(const IntervalChart& chart);

// A bar of parts, each a share of 1; together they may be less.
struct ShareBar {
  std::string name;
  std::vector<double> parts;  // in the colours r0, r1, …
};

// Horizontal bars as long as the longest needs, with the sum beside each, or the numbers within the
// parts where `label_parts`.
std::string DrawShareBars(const std::string& title, const std::vector<ShareBar>& bars,
                          bool label_parts);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_REPORT_CHARTS_H_
