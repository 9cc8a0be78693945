// Numbers among the options of something, with their names and ranges: stated once, for checks,
// configs and messages.
#ifndef CROSSRIVER_NN_NUMBER_OPTION_H_
#define CROSSRIVER_NN_NUMBER_OPTION_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace crossriver {

template <typename Options, typename Number>
struct NumberOption {
  const char* name;
  Number Options::*member;
  Number min;
  Number max;
};

// OK, or the first number out of its range.
template <typename Options, typename Number>
absl::Status CheckRanges(const std::vector<NumberOption<Options, Number>>& numbers,
                         const Options& options) {
  for (const auto& number : numbers) {
    const Number value = options.*number.member;
    if (value >= number.min && value <= number.max) continue;  // never so for NaN
    return absl::InvalidArgumentError(
        absl::StrCat(number.name, ": expected ", number.min, " to ", number.max, ", got ", value));
  }
  return absl::OkStatus();
}

}  // namespace crossriver

#endif  // CROSSRIVER_NN_NUMBER_OPTION_H_
