// Shares and their intervals: of games won, drawn, or with some move.
#ifndef CROSSRIVER_SELFPLAY_SHARE_INTERVAL_H_
#define CROSSRIVER_SELFPLAY_SHARE_INTERVAL_H_

#include <cstdint>

namespace crossriver {

// 0 where the whole is 0.
inline double ShareOf(int64_t part, int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

struct ShareInterval {
  double low = 0;
  double high = 1;
};

// Where a share lies with 95 %, by `successes` in `trials` (Wilson 1927; Brown, Cai and DasGupta
// 2001, formula 4): (p + z²/2n ± z sqrt(p (1 - p) / n + z²/4n²)) / (1 + z²/n). From 0 to 1 where
// there are no trials. Draws may count as halves: they only lower the variance, so the interval is
// never too narrow on their account.
ShareInterval WilsonInterval(double successes, double trials);

// Of the difference of two shares, second less first: Newcombe's hybrid score interval (Newcombe
// 1998, method 10).
ShareInterval DifferenceInterval(double successes_first, double trials_first,
                                 double successes_second, double trials_second);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_SHARE_INTERVAL_H_
