// Variant definitions drawn at random.
#ifndef CROSSRIVER_TESTS_RANDOM_VARIANT_H_
#define CROSSRIVER_TESTS_RANDOM_VARIANT_H_

#include <string>

#include "tests/random_positions.h"

namespace crossriver::testing {

// The text of a variant file: some board of up to three levels, some zones and rules, and a few
// pieces with any moves, promotions and drops that the format knows. Each field makes sense; that
// all of them together do is for LoadVariant to judge.
std::string RandomVariantText(Random* random);

}  // namespace crossriver::testing

#endif  // CROSSRIVER_TESTS_RANDOM_VARIANT_H_
