#include "selfplay/openings/opening_update.h"

#include <algorithm>
#include <chrono>

#include "selfplay/openings/opening_builder.h"
#include "selfplay/openings/opening_schema.h"

namespace crossriver {
namespace {

// SQLite's name for a database that is nowhere but in memory.
constexpr char kInMemory[] = ":memory:";
// Of a tree in memory: as much as is gathered before it is written.
constexpr int64_t kGamesAWrite = 20000;

// One transaction's games. `any`: whether there were any.
absl::StatusOr<OpeningState> AddSomeGames(const PositionClasses& classes,
                                          const OpeningSettings& settings, int64_t most,
                                          RunReader* reader, Database* database, bool* any) {
  auto builder = OpeningBuilder::Create(database, &classes, settings);
  if (!builder.ok()) return builder.status();
  int64_t taken = 0;
  absl::Status added;
  const absl::Status read = reader->ReadGamesAfter(
      (*builder)->state().sequence, [&](const GameRow& row, const GameRecord& record) {
        added = (*builder)->Add(record);
        (*builder)->SetSequence(row.sequence);
        return added.ok() && ++taken < most;
      });
  if (!read.ok()) return read;
  if (!added.ok()) return added;
  *any = taken > 0;
  if (absl::Status status = (*builder)->Write(); !status.ok()) return status;
  return (*builder)->state();
}

OpeningSettings SettingsFor(const PositionClasses& classes, const OpeningUpdateOptions& options,
                            Database* database) {
  if (options.settings) return *options.settings;
  const absl::StatusOr<OpeningState> state = ReadOpeningState(classes.rules(), database);
  return state.ok() ? state->settings : OpeningSettings();
}

}  // namespace

absl::StatusOr<OpeningState> UpdateOpenings(const PositionClasses& classes,
                                            const OpeningUpdateOptions& options, RunReader* reader,
                                            RunStore* store) {
  OpeningState state;
  const int64_t most = std::max<int64_t>(1, options.games_a_transaction);
  for (bool any = true; any;) {
    absl::Status status = store->Update([&](Database* database) -> absl::Status {
      const OpeningSettings settings = SettingsFor(classes, options, database);
      absl::StatusOr<OpeningState> reached =
          AddSomeGames(classes, settings, most, reader, database, &any);
      if (reached.ok()) state = *reached;
      return reached.status();
    });
    if (!status.ok()) return status;
    if (options.progress && !options.progress(state.games)) break;
  }
  return state;
}

absl::StatusOr<std::unique_ptr<Database>> BuildOpenings(
    const PositionClasses& classes, const OpeningSettings& settings,
    absl::FunctionRef<absl::Status(OpeningGameTaker take)> each) {
  absl::StatusOr<std::unique_ptr<Database>> database =
      Database::Open(kInMemory, Database::Mode::kCreate, std::chrono::milliseconds(0));
  if (!database.ok()) return database;
  const absl::Status built = (*database)->Transaction([&]() -> absl::Status {
    auto builder = OpeningBuilder::Create(database->get(), &classes, settings);
    if (!builder.ok()) return builder.status();
    const auto take = [&](const GameRecord& record, int opening_plies) -> absl::Status {
      absl::Status status = (*builder)->Add(record, opening_plies);
      if (!status.ok() || (*builder)->state().games % kGamesAWrite != 0) return status;
      return (*builder)->Write();
    };
    if (absl::Status status = each(take); !status.ok()) return status;
    return (*builder)->Write();
  });
  if (!built.ok()) return built;
  return database;
}

}  // namespace crossriver
