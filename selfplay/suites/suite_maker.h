// Makes suites: plays games, and keeps the positions that are puzzles.
#ifndef CROSSRIVER_SELFPLAY_SUITES_SUITE_MAKER_H_
#define CROSSRIVER_SELFPLAY_SUITES_SUITE_MAKER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/rules.h"
#include "selfplay/suites/suite.h"

namespace crossriver {

struct SuiteMakerOptions {
  int count = 84;        // positions: a third captures, the rest mates of all lengths
  int max_games = 5000;  // then what was found must do
  // Of a mate solver, for each question; it bounds how hard mates can be.
  int64_t mate_nodes = 50'000;
  uint64_t seed = 1;
  std::function<bool()> interrupted;  // may be empty
  // How many positions there are; "mate in 1: 12/14, …". May be empty.
  std::function<void(int found, const std::string& note)> progress;
};

// Games begin from the array, after random plies, or with thinned armies (selfplay/starts.h), and
// are played at random, or by a look at the exchanges at hand with random moves in between, so that
// pieces are left hanging and royal pieces exposed as between weak players. No game gives two
// positions to the same group: mates by length, plain captures (IsPlainCapture) and others.
// What wins much by exchanges alone must also be the move of the alpha-beta engine.
// Positions that are each other's images under the symmetries of the rules count as one. The same
// seed gives the same suite; it is sorted by group.
//
// Fewer positions than asked for where `max_games` did not give more. Errors: Cancelled when
// interrupted.
absl::StatusOr<Suite> MakeSuite(std::shared_ptr<const Rules> rules,
                                const SuiteMakerOptions& options);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_SUITES_SUITE_MAKER_H_
