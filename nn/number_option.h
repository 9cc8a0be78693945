// A number among the options of something, with its name and its range.
#ifndef CROSSRIVER_NN_NUMBER_OPTION_H_
#define CROSSRIVER_NN_NUMBER_OPTION_H_

namespace crossriver {

template <typename Options, typename Number>
struct NumberOption {
  const char* name;
  Number Options::*member;
  Number min;
  Number max;
};

}  // namespace crossriver

#endif  // CROSSRIVER_NN_NUMBER_OPTION_H_
