// A match: many games between two players, side by side on several threads.
#ifndef CROSSRIVER_SELFPLAY_MATCH_RUNNER_H_
#define CROSSRIVER_SELFPLAY_MATCH_RUNNER_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "core/mutex.h"
#include "core/rules.h"
#include "selfplay/match_game.h"
#include "selfplay/match_openings.h"
#include "selfplay/match_tally.h"
#include "selfplay/players/player.h"

namespace crossriver {

struct MatchOptions {
  int64_t pairs = 50;  // of games with one opening, sides swapped
  uint64_t seed = 1;   // of the games; the openings have their own
  MatchGameLimits limits;
  int threads = 1;
  int games_at_a_time = 0;  // of a thread; 0 = DefaultGamesAtATime
  // Asked by all threads between evaluations and moves; true ends the match.
  std::function<bool()> interrupted;
  // Called with each game as it ends, by one thread at a time, after it was added to the tally. An
  // error ends the match.
  std::function<absl::Status(const MatchGameRecord&)> on_game;
};

// What has been asked of evaluators so far, by all threads.
struct MatchCounts {
  int64_t evaluations = 0;
  int64_t calls = 0;
};

// Each game of two networks asks one of them at a time, so for full batches a thread plays as many
// games as both together ask for. Players that do not ask are waited for, and may be programs of
// their own: against them there are few games, and between two of them one.
int DefaultGamesAtATime(Player* a, Player* b);

// A thread plays its games as one worker of self-play does: it brings all of them to their next
// evaluation and asks each player's evaluator once for all that are its own.
//
// A game's seed follows from the match's, its pair and its half, and the seats' seeds from it:
// games of players that play alike for equal seeds do not depend on the number of threads.
class MatchRunner {
 public:
  // None is owned. `tally` may hold games of an earlier process, which are not played again.
  MatchRunner(const Rules* rules, Player* a, Player* b, MatchOpenings* openings, MatchTally* tally,
              MatchOptions options);

  // Plays until all pairs are played or the tally's test has decided. Games under way then are
  // dropped. Errors: Cancelled when interrupted, an evaluator's, on_game's. Called once.
  absl::Status Run();

  // From any thread, also while it runs.
  MatchCounts counts() const;

 private:
  friend class MatchThread;

  int64_t GamesToPlay();
  // For the threads: the next game, or none; a game that is over.
  std::optional<MatchTicket> Next();
  void Finish(const MatchGameRecord& game);
  void Fail(const absl::Status& status);
  // Whether games under way are to be dropped. Looks for an interrupt.
  bool Stopped();
  void Count(size_t evaluations);

  const Rules* const rules_;
  const std::array<Player*, 2> players_;
  const MatchOptions options_;

  Mutex mutex_;
  MatchOpenings* const openings_ ABSL_PT_GUARDED_BY(mutex_);
  MatchTally* const tally_ ABSL_PT_GUARDED_BY(mutex_);
  int64_t next_ ABSL_GUARDED_BY(mutex_) = 0;  // 2 * pair + half
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
  std::atomic<bool> stopped_ = false;
  std::atomic<int64_t> evaluations_ = 0;
  std::atomic<int64_t> calls_ = 0;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_MATCH_RUNNER_H_
