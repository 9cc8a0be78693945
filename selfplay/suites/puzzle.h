// What makes a position worth a place in a suite, and the check that it is still so.
#ifndef CROSSRIVER_SELFPLAY_SUITES_PUZZLE_H_
#define CROSSRIVER_SELFPLAY_SUITES_PUZZLE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/position.h"
#include "selfplay/players/piece_values.h"
#include "selfplay/suites/suite.h"

namespace crossriver {

// Captures: depths of MaterialSearch, at both of which the same move must be the best one, by at
// least `kLeastGain` hundredths of a small piece, and leave its side so much better than it stands.
inline constexpr int kCaptureDepths[] = {2, 3};
inline constexpr int kLeastGain = 200;

// A position in which one move alone, promoting or not, mates in the least plies, at most
// `max_plies`. With `alone` no other move mates by checks in two plies more either, as far as a few
// nodes tell: then a search that mates a little later has not been found wrong.
// Errors: NotFound where it is none, ResourceExhausted where `max_nodes` of a mate solver did not
// do to tell.
absl::StatusOr<SuitePosition> FindMatePuzzle(const Position& position, int max_plies,
                                             int64_t max_nodes, bool alone);

// A position in which one capture wins much more than any other move. `values` are of its rules.
// Errors: NotFound where it is none.
absl::StatusOr<SuitePosition> FindCapturePuzzle(const Position& position,
                                                const PieceValues& values);

// Whether the capture takes the most valuable piece that any move takes: then the first look finds
// it.
bool IsPlainCapture(const SuitePosition& puzzle, const PieceValues& values);

// Finds the puzzle again: the same best moves and the same mate, or a gain that is right to within
// a tenth and a small piece's tenth. Errors say what was found instead.
absl::Status CheckPuzzle(const SuitePosition& puzzle, const PieceValues& values, int64_t max_nodes);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_SUITES_PUZZLE_H_
