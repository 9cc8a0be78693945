#include "tools/engine_clock.h"

#include <algorithm>

namespace crossriver {
namespace {

constexpr int kMovesAhead = 30;  // among which time is shared out
constexpr double kIncrementShare = 0.75;
constexpr absl::Duration kLeastTime = absl::Milliseconds(1);

absl::Duration LessOverhead(absl::Duration time, absl::Duration overhead) {
  return std::max(time - overhead, time / 2);
}

}  // namespace

absl::Duration TimeForMove(const GameClock& clock, absl::Duration overhead) {
  const int moves = clock.moves_to_go > 0 ? std::min(clock.moves_to_go, kMovesAhead) : kMovesAhead;
  const absl::Duration share = LessOverhead(clock.time, overhead) / moves +
                               kIncrementShare * clock.increment + clock.byoyomi;
  return std::max(std::min(share, LessOverhead(clock.time + clock.byoyomi, overhead)), kLeastTime);
}

absl::Duration TimeWithin(absl::Duration move_time, absl::Duration overhead) {
  return std::max(LessOverhead(move_time, overhead), kLeastTime);
}

}  // namespace crossriver
