// The middle of repeated measurements.
#ifndef CROSSRIVER_CORE_MEDIAN_H_
#define CROSSRIVER_CORE_MEDIAN_H_

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/check.h"

namespace crossriver {

// Of an even number the upper one of the two in the middle. There must be some.
inline double Median(std::vector<double> values) {
  CR_CHECK(!values.empty());
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_MEDIAN_H_
