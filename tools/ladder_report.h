// The standings of a ladder, for people and for scripts.
#ifndef CROSSRIVER_TOOLS_LADDER_REPORT_H_
#define CROSSRIVER_TOOLS_LADDER_REPORT_H_

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "selfplay/ladder.h"
#include "selfplay/ladder_checkpoints.h"
#include "selfplay/match_runner.h"
#include "selfplay/match_score.h"
#include "selfplay/rating.h"

namespace crossriver {

struct LadderRow {
  std::string name;
  Estimate rating;              // Elo over the anchor
  ResultCounts counts;          // the player's own
  std::optional<double> above;  // the probability that it is stronger than the next row's
  std::optional<LadderCheckpoint> checkpoint;  // of a run, if it is one
};

struct LadderReport {
  std::string variant;          // its id
  std::string anchor;           // the player whose rating is 0
  std::vector<LadderRow> rows;  // the strongest first
  Estimate advantage;           // of the first move, Elo
  Estimate draw_share;          // between equals, 0 to 1
  std::string warning;          // why ratings are not what they seem; empty: they are
  int64_t games = 0;
  int64_t pairings = 0;  // that have met
  // Of this process, which may have gone on with a ladder:
  int64_t games_played = 0;
  MatchCounts counts;
  double seconds = 0;
};

// `checkpoints`: by player, nullopt for those that are none. `anchor`: the index of a player. What
// is of this process alone is left for the caller. Errors: the solver's.
absl::StatusOr<LadderReport> MakeLadderReport(
    const Ladder& ladder, int anchor,
    const std::vector<std::optional<LadderCheckpoint>>& checkpoints);

// Several lines.
std::string FormatLadderReport(const LadderReport& report);

// One object; `players` holds the rows. What is not known is null.
nlohmann::ordered_json LadderReportJson(const LadderReport& report);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_LADDER_REPORT_H_
