// The beginning of a game: what a tree of openings counts of it.
#ifndef CROSSRIVER_SELFPLAY_OPENINGS_OPENING_PATH_H_
#define CROSSRIVER_SELFPLAY_OPENINGS_OPENING_PATH_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/adjudicator.h"
#include "core/position.h"
#include "core/rules.h"
#include "core/types.h"
#include "selfplay/record.h"

namespace crossriver {

// A move, with the opinions of who made it: expected scores, the mover's, in units of
// 1 / kOpinionScale (opening_counts.h).
struct OpeningStep {
  Move move;
  std::optional<int64_t> value;         // the network's alone
  std::optional<int64_t> search_value;  // the search's; nullopt without one
  int64_t visits = 0;
  int64_t checkpoint = kNoCheckpoint;

  friend bool operator==(const OpeningStep&, const OpeningStep&) = default;
};

struct OpeningPath {
  std::string start_fen;          // empty: the array
  int first = 0;                  // moves before this one were made by no player, and do not count
  Result result = Result::kNone;  // the first player's
  std::vector<OpeningStep> steps;

  friend bool operator==(const OpeningPath&, const OpeningPath&) = default;
};

// Plies from the array by a position's move number; at least 0.
int PlyOf(const Position& position, const Position& array);

// Up to the move before ply `max_ply` of the array's count. `opening_plies`: leading moves that are
// no player's. Errors: other rules, a bad start, a game that began from no opening (an earlier
// game's position, a thinned army). The moves are not checked.
absl::StatusOr<OpeningPath> MakeOpeningPath(const Rules& rules, const GameRecord& record,
                                            int opening_plies, int max_ply);

std::string EncodeOpeningPath(const OpeningPath& path);
// Believes nothing.
absl::StatusOr<OpeningPath> DecodeOpeningPath(absl::string_view bytes);

// The positions before each step, with the step's number. Returns false to stop.
using PathVisitor = absl::FunctionRef<bool(size_t step, const Position& position)>;
// Errors: a bad start, an illegal move.
absl::Status ReplayOpeningPath(const Rules& rules, const OpeningPath& path, PathVisitor visit);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_OPENINGS_OPENING_PATH_H_
