// How long to think about a move.
#ifndef CROSSRIVER_TOOLS_ENGINE_CLOCK_H_
#define CROSSRIVER_TOOLS_ENGINE_CLOCK_H_

#include "absl/time/time.h"

namespace crossriver {

// What one side has left, as a user interface states it. Nothing is below zero.
struct GameClock {
  absl::Duration time;
  absl::Duration increment;  // added after each move
  absl::Duration byoyomi;    // for each move once `time` is used up
  int moves_to_go = 0;       // until more time is added; 0 = never
};

// The time for a move, at least a millisecond:
//
//   usable = time + byoyomi - overhead
//   min(usable, (time - overhead) / n + 3/4 increment + byoyomi)
//
// where n is moves_to_go, or 30 where that is 0 or more. Where the overhead would take more than
// half of what there is, half of it is taken instead. So a game without increment spends its time
// in a geometric series and never all of it, unless moves_to_go is 1.
absl::Duration TimeForMove(const GameClock& clock, absl::Duration overhead);

// The time for a move of which the whole time is given.
absl::Duration TimeWithin(absl::Duration move_time, absl::Duration overhead);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_ENGINE_CLOCK_H_
