#include "tools/plot_axis.h"

#include <cmath>

#include "absl/strings/str_format.h"
#include "core/spelling.h"

namespace crossriver {
namespace {

// 1, 2 or 5 times a power of ten, so that there are at most `most` steps.
double RoundStep(double span, int most) {
  const double least = span / most;
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least) return factor * power;
  }
  return 10 * power;
}

}  // namespace

int Axis::steps() const { return static_cast<int>(std::lround((high - low) / step)); }

Axis AxisFor(double low, double high, int most_steps) {
  if (high - low <= 0) {
    low -= 1;
    high += 1;
  }
  const double step = RoundStep(high - low, most_steps);
  return {std::floor(low / step) * step, std::ceil(high / step) * step, step};
}

std::string AxisNumber(double value) {
  constexpr double kMillion = 1e6;
  constexpr double kThousand = 1e3;
  if (std::abs(value) >= kMillion) return absl::StrFormat("%gM", value / kMillion);
  if (std::abs(value) >= 10 * kThousand) return absl::StrFormat("%gk", value / kThousand);
  return absl::StrFormat("%g", value);
}

std::string EscapeMarkup(absl::string_view text) {
  std::string escaped;
  for (const char c : Printable(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

}  // namespace crossriver
