#include "selfplay/share_interval.h"

#include <algorithm>
#include <cmath>

#include "selfplay/normal.h"

namespace crossriver {

ShareInterval WilsonInterval(double successes, double trials) {
  if (trials <= 0) return {};
  constexpr double kSquared = kDeviationsOf95 * kDeviationsOf95;
  const double share = successes / trials;
  const double centre = share + kSquared / (2 * trials);
  const double reach =
      kDeviationsOf95 * std::sqrt(share * (1 - share) / trials + kSquared / (4 * trials * trials));
  const double scale = 1 + kSquared / trials;
  // Rounding shall not leave the share itself, or 0 to 1, outside.
  return {std::clamp((centre - reach) / scale, 0.0, share),
          std::clamp((centre + reach) / scale, share, 1.0)};
}

ShareInterval DifferenceInterval(double successes_first, double trials_first,
                                 double successes_second, double trials_second) {
  if (trials_first <= 0 || trials_second <= 0) return {-1, 1};
  const ShareInterval first = WilsonInterval(successes_first, trials_first);
  const ShareInterval second = WilsonInterval(successes_second, trials_second);
  const double p = successes_first / trials_first;
  const double q = successes_second / trials_second;
  return {q - p - std::hypot(q - second.low, first.high - p),
          q - p + std::hypot(second.high - q, p - first.low)};
}

}  // namespace crossriver
