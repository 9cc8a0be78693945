#include "tools/ladder_plot.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_format.h"

namespace crossriver {
namespace {

// The rows that are checkpoints of which `x` is known, by rising x.
template <typename GetX, typename GetY>
std::vector<PlotPoint> Points(const LadderReport& report, GetX get_x, GetY get_y) {
  std::vector<PlotPoint> points;
  for (const LadderRow& row : report.rows) {
    if (!row.checkpoint.has_value()) continue;
    const std::optional<double> x = get_x(row.checkpoint->effort);
    if (x.has_value()) points.push_back({*x, get_y(row)});
  }
  std::stable_sort(points.begin(), points.end(),
                   [](const PlotPoint& one, const PlotPoint& other) { return one.x < other.x; });
  return points;
}

std::optional<double> GamesOf(const TrainingEffort& effort) {
  return static_cast<double>(effort.games);
}
std::optional<double> EvaluationsOf(const TrainingEffort& effort) { return effort.evaluations; }
std::optional<double> HoursOf(const TrainingEffort& effort) { return effort.hours; }
std::optional<double> CpuHoursOf(const TrainingEffort& effort) { return effort.cpu_hours; }

constexpr size_t kFewestPoints = 2;

}  // namespace

std::vector<LadderPlot> PlotsOf(const LadderReport& report) {
  std::vector<PlotLevel> levels;
  for (const LadderRow& row : report.rows) {
    if (!row.checkpoint.has_value()) levels.push_back({row.name, row.rating});
  }
  const auto rating = [](const LadderRow& row) { return row.rating; };
  std::vector<LadderPlot> plots = {
      {"games of self-play", "Elo", Points(report, GamesOf, rating), levels},
      {"positions evaluated in self-play", "Elo", Points(report, EvaluationsOf, rating), levels},
      {"hours of training by the clock", "Elo", Points(report, HoursOf, rating), levels},
      {"hours of training by processor time", "Elo", Points(report, CpuHoursOf, rating), levels}};
  const auto share = [&report](const char* title, auto get) {
    const auto percent = [get](const LadderRow& row) {
      const double value = row.counts.games() > 0
                               ? 100 * get(row.counts) / static_cast<double>(row.counts.games())
                               : 0;
      return Estimate{value, value, value};
    };
    return LadderPlot{"games of self-play", title, Points(report, GamesOf, percent), {}};
  };
  plots.push_back(share("score, %", [](const ResultCounts& counts) {
    return static_cast<double>(counts.half_points()) / 2;
  }));
  plots.push_back(share(
      "draws, %", [](const ResultCounts& counts) { return static_cast<double>(counts.draws); }));
  std::erase_if(plots, [](const LadderPlot& plot) { return plot.points.size() < kFewestPoints; });
  return plots;
}

std::string MissingPlots(const LadderReport& report) {
  int64_t checkpoints = 0, evaluations = 0, hours = 0, cpu_hours = 0;
  for (const LadderRow& row : report.rows) {
    if (!row.checkpoint.has_value()) continue;
    const TrainingEffort& effort = row.checkpoint->effort;
    ++checkpoints;
    evaluations += effort.evaluations.has_value() ? 1 : 0;
    hours += effort.hours.has_value() ? 1 : 0;
    cpu_hours += effort.cpu_hours.has_value() ? 1 : 0;
  }
  if (std::min({evaluations, hours, cpu_hours}) == checkpoints) return "";
  return absl::StrFormat(
      "of %d checkpoints evaluations are known of %d, hours of %d, processor time of %d: the run "
      "has no metrics of some generations",
      checkpoints, evaluations, hours, cpu_hours);
}

}  // namespace crossriver
