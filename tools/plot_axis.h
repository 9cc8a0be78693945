// What drawings of numbers share: axes, and text within markup.
#ifndef CROSSRIVER_TOOLS_PLOT_AXIS_H_
#define CROSSRIVER_TOOLS_PLOT_AXIS_H_

#include <string>

#include "absl/strings/string_view.h"

namespace crossriver {

// A range that holds values, and the step between the numbers beside it.
struct Axis {
  double low = 0;
  double high = 1;
  double step = 1;

  double Share(double value) const { return (value - low) / (high - low); }
  // Steps are counted, as sums of them would not end where the axis does.
  int steps() const;
};

// An axis from `low` to `high` or a little beyond, with steps of 1, 2 or 5 times a power of ten, of
// which there are `most_steps` or one more. Around a single value where there is no more.
Axis AxisFor(double low, double high, int most_steps);

// Short, also of large numbers: "250", "40k", "1.5M".
std::string AxisNumber(double value);

// Text for XML and HTML, inside elements and attributes. Control characters become visible.
std::string EscapeMarkup(absl::string_view text);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_PLOT_AXIS_H_
