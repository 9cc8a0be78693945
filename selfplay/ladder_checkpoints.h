// Which checkpoints of a run are worth a place on a ladder, and what they have cost.
#ifndef CROSSRIVER_SELFPLAY_LADDER_CHECKPOINTS_H_
#define CROSSRIVER_SELFPLAY_LADDER_CHECKPOINTS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "selfplay/run_directory.h"
#include "selfplay/run_reader.h"
#include "selfplay/run_rows.h"

namespace crossriver {

enum class LadderSpacing : uint8_t {
  kGeometric,  // steps grow with the games: a run learns most at its beginning
  kEven,
};

// Training until a checkpoint.
struct TrainingEffort {
  int64_t games = 0;  // stored by then
  // Positions that networks have evaluated in self-play; hours by the clock, of whole generations
  // where the run has them ("loop/seconds"), else of self-play and training; hours of processor
  // time of the whole process. Each is nullopt where the run has no metric of a generation. Of a
  // generation that was interrupted they count what came after.
  std::optional<double> evaluations;
  std::optional<double> hours;
  std::optional<double> cpu_hours;
};

struct LadderCheckpoint {
  int64_t number = 0;
  uint64_t identity = 0;  // of the network: the checksum of its file
  TrainingEffort effort;
};

// By rising number.
struct LadderCheckpoints {
  std::vector<LadderCheckpoint> chosen;
  std::vector<std::string> messages;  // one for each checkpoint that is damaged
};

// `count` indices, or all, rising: the first and the last (of one, the last), and between them
// those nearest to equal steps. Of those no further than half a step away one that is `preferred`
// comes before others. `games` rises; `preferred` is as long, or empty.
std::vector<size_t> ChooseSpaced(std::span<const int64_t> games, size_t count,
                                 LadderSpacing spacing, const std::vector<bool>& preferred = {});

// `count` of the checkpoints whose networks are whole: the first, the newest, others between. Those
// with `has_games`, which may be null, are preferred, so that a run may grow and the games of its
// ladder still count. Errors: a run without any.
absl::StatusOr<LadderCheckpoints> ChooseCheckpoints(
    const RunDirectory& run, RunReader* reader, size_t count, LadderSpacing spacing,
    const std::function<bool(const CheckpointRow&)>& has_games = nullptr);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_LADDER_CHECKPOINTS_H_
