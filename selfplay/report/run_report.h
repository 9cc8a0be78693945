// The statistics of the games of a run.
#ifndef CROSSRIVER_SELFPLAY_REPORT_RUN_REPORT_H_
#define CROSSRIVER_SELFPLAY_REPORT_RUN_REPORT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/rules.h"
#include "selfplay/report/game_statistics.h"
#include "selfplay/report/piece_worths.h"
#include "selfplay/run_directory.h"

namespace crossriver {

// So many plies keep a report of any run within about a second, and are hundreds of long games or
// thousands of short ones.
inline constexpr int64_t kReplayedPlies = 200'000;

struct RunReportOptions {
  int64_t newest = 0;  // so many games only; 0 = all
  // Games of about so many plies together are replayed, evenly spaced among all; 0 = all games.
  // How games end, and after how many plies, is known of all without it.
  int64_t replayed_plies = 0;
  // Also games that began from thinned armies or in the middle of other games.
  bool all_starts = false;
  // Ids of variants whose games are passed over: the others of a run of several.
  std::set<std::string> other_variants;
  // Piece values are made of so many of the replayed games at most, evenly spaced among them: a
  // byte a kind of piece and change of material is kept of each.
  int64_t most_model_games = 200'000;
  int threads = 1;
  // Called now and then by the calling thread: games replayed and to replay.
  std::function<void(int64_t done, int64_t total)> progress;
  // Asked after each replayed game by all threads; true ends the work with Cancelled.
  std::function<bool()> stop;
};

// Games that the statistics don't have, and why. Only replayed ones are known to be damaged or of
// other rules.
struct LeftOutGames {
  int64_t other_starts = 0;    // see RunReportOptions::all_starts
  int64_t other_variants = 0;  // see RunReportOptions::other_variants
  int64_t other_rules = 0;     // played under other rules than the variant has now
  // Not replayed where some of those replayed were of other rules, as these may be, too.
  int64_t unknown_rules = 0;
  int64_t damaged = 0;       // can't be read or replayed
  std::string first_damage;  // what is wrong with the first of these, by their order
};

struct RunReport {
  std::shared_ptr<const Rules> rules;
  GameStatistics statistics;
  LeftOutGames left_out;
  int64_t different_games = 0;  // by start and moves
  // Or why there are none.
  absl::StatusOr<PieceWorths> worths;
};

// Lists the games and replays them, on several threads; the result is the same for any number of
// threads. The run may be written to meanwhile: what comes later is left out. Errors: a database
// that can't be read; NotFound where no replayed game is left to report of.
absl::StatusOr<RunReport> MakeRunReport(const RunDirectory& run,
                                        const std::shared_ptr<const Rules>& rules,
                                        const RunReportOptions& options);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_REPORT_RUN_REPORT_H_
