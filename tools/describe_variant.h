// A variant explained in text: board, zones, pieces with their moves drawn, rules, symmetries.
#ifndef CROSSRIVER_TOOLS_DESCRIBE_VARIANT_H_
#define CROSSRIVER_TOOLS_DESCRIBE_VARIANT_H_

#include <string>

#include "core/rules.h"

namespace crossriver {

std::string DescribeVariant(const Rules& rules);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_DESCRIBE_VARIANT_H_
