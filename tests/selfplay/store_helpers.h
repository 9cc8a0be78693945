// Helpers shared by the tests of a run's files.
#ifndef CROSSRIVER_TESTS_SELFPLAY_STORE_HELPERS_H_
#define CROSSRIVER_TESTS_SELFPLAY_STORE_HELPERS_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "selfplay/database.h"
#include "selfplay/run_directory.h"
#include "selfplay/run_reader.h"
#include "selfplay/run_store.h"

namespace crossriver::testing {

inline constexpr auto kBusyTimeout = std::chrono::milliseconds(1000);

// A random game of minishogi as it comes back from the database.
GameRecord StoredGame(uint64_t id, int plies = 12);

// These abort on errors.
std::unique_ptr<RunStore> OpenStore(const RunDirectory& run, const RunStoreOptions& options = {});
std::unique_ptr<RunReader> OpenReader(const RunDirectory& run,
                                      RunReader::BadGameHandler on_bad = nullptr);
// Past the store, to do damage.
std::unique_ptr<Database> OpenDatabase(const RunDirectory& run);

std::vector<uint64_t> IdsAfter(RunReader* reader, int64_t sequence);

// A run that is open for everything.
class OpenRun {
 public:
  explicit OpenRun(RunDirectory directory);

  // The path of a checkpoint's file.
  std::string File(const std::string& name) const { return run.checkpoints_path() + "/" + name; }
  // Files of 300 bytes in all, and their row.
  void AddCheckpoint(int64_t number);
  // With ids from 1.
  void AddGames(uint64_t count);

  RunDirectory run;
  std::unique_ptr<RunStore> store;
  std::unique_ptr<RunReader> reader;
};

}  // namespace crossriver::testing

#endif  // CROSSRIVER_TESTS_SELFPLAY_STORE_HELPERS_H_
