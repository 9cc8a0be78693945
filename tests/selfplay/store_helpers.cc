#include "tests/selfplay/store_helpers.h"

#include <gtest/gtest.h>

#include <utility>

#include "core/check.h"
#include "selfplay/checkpoint_store.h"
#include "tests/scratch_folder.h"
#include "tests/selfplay/record_helpers.h"
#include "tests/test_data.h"

namespace crossriver::testing {

GameRecord StoredGame(uint64_t id, int plies) {
  return *DecodeRecord(EncodeRecord(RandomRecord(RulesOf("minishogi"), id, plies)));
}

std::unique_ptr<RunStore> OpenStore(const RunDirectory& run, const RunStoreOptions& options) {
  absl::StatusOr<std::unique_ptr<RunStore>> store = RunStore::Open(run, options);
  CR_CHECK_OK(store.status());
  return *std::move(store);
}

std::unique_ptr<RunReader> OpenReader(const RunDirectory& run, RunReader::BadGameHandler on_bad) {
  absl::StatusOr<std::unique_ptr<RunReader>> reader = RunReader::Open(run, std::move(on_bad));
  CR_CHECK_OK(reader.status());
  return *std::move(reader);
}

std::unique_ptr<Database> OpenDatabase(const RunDirectory& run) {
  absl::StatusOr<std::unique_ptr<Database>> database =
      Database::Open(run.database_path(), Database::Mode::kWrite, kBusyTimeout);
  CR_CHECK_OK(database.status());
  return *std::move(database);
}

std::vector<uint64_t> IdsAfter(RunReader* reader, int64_t sequence) {
  std::vector<uint64_t> ids;
  const absl::Status status =
      reader->ReadGamesAfter(sequence, [&](const GameRow& row, const GameRecord&) {
        ids.push_back(row.id);
        return true;
      });
  EXPECT_TRUE(status.ok()) << status;
  return ids;
}

OpenRun::OpenRun(RunDirectory directory) : run(std::move(directory)) {
  store = OpenStore(run);
  reader = OpenReader(run);
}

void OpenRun::AddCheckpoint(int64_t number) {
  CheckpointRow row;
  row.number = number;
  row.step = 100 * number;
  row.network_file = NetworkFileName(number);
  row.optimizer_file = OptimizerFileName(number);
  WriteBytes(File(row.network_file), std::string(100, static_cast<char>('a' + number)));
  WriteBytes(File(row.optimizer_file), std::string(200, static_cast<char>('A' + number)));
  const absl::Status status = RegisterCheckpoint(run, store.get(), row);
  EXPECT_TRUE(status.ok()) << status;
}

void OpenRun::AddGames(uint64_t count) {
  for (uint64_t id = 1; id <= count; ++id) {
    EXPECT_TRUE(store->Put(RandomRecord(RulesOf("minishogi"), id, 12)).ok());
  }
  EXPECT_TRUE(store->Flush().ok());
}

}  // namespace crossriver::testing
