// Random numbers and random positions for property tests, the same on every machine.
#ifndef CROSSRIVER_TESTS_RANDOM_POSITIONS_H_
#define CROSSRIVER_TESTS_RANDOM_POSITIONS_H_

#include <cstdint>
#include <optional>
#include <random>
#include <string>

#include "core/position.h"
#include "core/rules.h"

namespace crossriver::testing {

// Not the distributions of <random>: what they draw differs from library to library.
class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  // For one of many streams that a test draws from, told apart by name and number.
  Random(const std::string& stream, int seed, int number);

  // 0 .. bound-1.
  size_t Below(size_t bound) { return engine_() % bound; }
  // low .. high.
  int Between(int low, int high) {
    return low + static_cast<int>(Below(static_cast<size_t>(high - low + 1)));
  }
  bool Percent(int chance) { return Between(1, 100) <= chance; }
  // An independent stream.
  Random Fork() { return Random(engine_()); }

 private:
  std::mt19937_64 engine_;
};

// The start position with a random share of its pieces gone, some of them to a hand, either side to
// move, and any counts. In half of the cases the others are scattered over their zones and changed
// into what they could be promoted to, with the rest of the board as it comes: most of these cannot
// arise in play. Nothing where ParseFen does not accept the outcome.
std::optional<Position> RandomPosition(const Rules& rules, Random* random);

}  // namespace crossriver::testing

#endif  // CROSSRIVER_TESTS_RANDOM_POSITIONS_H_
