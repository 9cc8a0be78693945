// Ratings against what training has cost, as text and as a picture.
#ifndef CROSSRIVER_TOOLS_LADDER_PLOT_H_
#define CROSSRIVER_TOOLS_LADDER_PLOT_H_

#include <string>
#include <vector>

#include "selfplay/rating.h"
#include "tools/ladder_report.h"

namespace crossriver {

struct PlotPoint {
  double x = 0;
  Estimate y;
};

// A player without a place on the axis: a level.
struct PlotLevel {
  std::string name;
  Estimate y;
};

struct LadderPlot {
  std::string x_title;
  std::string y_title;
  std::vector<PlotPoint> points;  // by rising x
  std::vector<PlotLevel> levels;
};

// Elo of the checkpoints against games, evaluations, hours and processor time, where the run knows
// them of at least two; the other players are levels. Then score and draw rate against games,
// which have no intervals. None where there are fewer than two checkpoints.
std::vector<LadderPlot> PlotsOf(const LadderReport& report);
// Why plots against evaluations and hours lack points; empty where they do not.
std::string MissingPlots(const LadderReport& report);

// Of about `width` columns and `height` lines: o is a point, | its interval, - a level, whose name
// is a letter explained below.
std::string DrawPlotText(const LadderPlot& plot, int width, int height);

// A complete SVG document, with the plots one below the other.
std::string DrawPlotsSvg(const std::vector<LadderPlot>& plots, const std::string& title);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_LADDER_PLOT_H_
