// The speed of matches.
#ifndef CROSSRIVER_SELFPLAY_MATCH_BENCH_H_
#define CROSSRIVER_SELFPLAY_MATCH_BENCH_H_

#include <memory>

#include "absl/status/statusor.h"
#include "core/rules.h"
#include "selfplay/players/player.h"

namespace crossriver {

struct MatchBenchOptions {
  int threads = 1;
  int games_at_a_time = 0;  // of a thread; 0: as the players ask
  double seconds = 3;       // measured, and longer until something has been evaluated
  double warm_up = 0.5;     // seconds before that, in which the games begin
};

// Evaluations a second in a match, measured once it runs. Then it is broken off. Errors: the
// players' evaluators'.
absl::StatusOr<double> MeasureMatch(const Rules& rules, Player* a, Player* b,
                                    const MatchBenchOptions& options);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_MATCH_BENCH_H_
