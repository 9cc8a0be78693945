// The result of a match, for people and for scripts.
#ifndef CROSSRIVER_TOOLS_MATCH_REPORT_H_
#define CROSSRIVER_TOOLS_MATCH_REPORT_H_

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "selfplay/match_runner.h"
#include "selfplay/match_tally.h"

namespace crossriver {

struct MatchReport {
  std::array<std::string, 2> players;  // A and B
  std::string variant;                 // its id
  MatchSummary summary;
  int64_t openings = 0;  // different ones in the pairs that count
  std::optional<SprtOptions> sprt;
  bool all_played = false;  // as many games as were asked for
  // Of this process, which may have gone on with a match:
  int64_t games_played = 0;
  MatchCounts counts;
  double seconds = 0;
};

// A table of several lines.
std::string FormatMatchReport(const MatchReport& report);

// One object. `wins`, `draws` and `losses` are A's; `elo`, `elo_low` and `elo_high` A's lead and
// the ends of its 95 % interval, in which kBeyondElo stands for more than can be told.
inline constexpr double kBeyondElo = 9999;
nlohmann::ordered_json MatchReportJson(const MatchReport& report);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_MATCH_REPORT_H_
