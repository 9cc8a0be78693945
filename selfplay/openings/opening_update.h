// Trees of openings from where games lie.
#ifndef CROSSRIVER_SELFPLAY_OPENINGS_OPENING_UPDATE_H_
#define CROSSRIVER_SELFPLAY_OPENINGS_OPENING_UPDATE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "selfplay/database.h"
#include "selfplay/openings/opening_settings.h"
#include "selfplay/openings/position_classes.h"
#include "selfplay/record.h"
#include "selfplay/run_reader.h"
#include "selfplay/run_store.h"

namespace crossriver {

struct OpeningUpdateOptions {
  // nullopt: those of the tree there is, or the defaults. Other ones than the tree's make it anew.
  std::optional<OpeningSettings> settings = std::nullopt;
  int64_t games_a_transaction = 10000;  // at least 1
  // Called after each transaction with the games so far; returns false to stop there. What is
  // written stays, and the next update goes on from it. May be empty.
  std::function<bool(int64_t games)> progress = nullptr;
};

// Adds the games that a run has stored since the last update. `reader` must be of the store's run.
// Games that can't be read are left out, and told to the reader's handler, which must not use the
// store: its transaction is under way. A kill at any moment leaves a tree of fewer games.
absl::StatusOr<OpeningState> UpdateOpenings(const PositionClasses& classes,
                                            const OpeningUpdateOptions& options, RunReader* reader,
                                            RunStore* store);

// A tree of any games in memory, as an OpeningTree opens it. `each` is called once with what takes
// the games: (record, leading moves that are no player's). Its errors come back.
using OpeningGameTaker =
    absl::FunctionRef<absl::Status(const GameRecord& record, int opening_plies)>;
absl::StatusOr<std::unique_ptr<Database>> BuildOpenings(
    const PositionClasses& classes, const OpeningSettings& settings,
    absl::FunctionRef<absl::Status(OpeningGameTaker take)> each);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_OPENINGS_OPENING_UPDATE_H_
