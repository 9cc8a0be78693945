// The normal distribution, for intervals and likelihoods of superiority.
#ifndef CROSSRIVER_SELFPLAY_NORMAL_H_
#define CROSSRIVER_SELFPLAY_NORMAL_H_

#include <cmath>
#include <numbers>

namespace crossriver {

// Standard deviations to either side that hold 95 % of the distribution.
inline constexpr double kDeviationsOf95 = 1.959963984540054;

// The share of the standard normal distribution below `x`.
inline double NormalCdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_NORMAL_H_
