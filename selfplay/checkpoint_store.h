// Which checkpoints a run has, and that their files are what they were.
#ifndef CROSSRIVER_SELFPLAY_CHECKPOINT_STORE_H_
#define CROSSRIVER_SELFPLAY_CHECKPOINT_STORE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "selfplay/run_directory.h"
#include "selfplay/run_reader.h"
#include "selfplay/run_rows.h"
#include "selfplay/run_store.h"

namespace crossriver {

// Names inside checkpoints/, such as "000012.network.safetensors".
std::string NetworkFileName(int64_t checkpoint);
std::string OptimizerFileName(int64_t checkpoint);

// Stores the row of a checkpoint whose files are complete and in place: only rows count. Fills in
// checksums, sizes and the time. `row.optimizer_file` may be empty: a network alone. Errors: a file
// that can't be read, a number that is there already.
absl::Status RegisterCheckpoint(const RunDirectory& run, RunStore* store, CheckpointRow row);

// Reads the files and compares sizes and checksums. The error names the file.
absl::Status VerifyCheckpoint(const RunDirectory& run, const CheckpointRow& row);

struct NewestCheckpoint {
  std::optional<CheckpointRow> row;   // empty where the run has none that is whole
  bool any = false;                   // whether there are rows with files at all, whole or not
  std::vector<std::string> messages;  // one for each newer checkpoint that is not
};
// The newest checkpoint whose files are whole.
absl::StatusOr<NewestCheckpoint> NewestValidCheckpoint(const RunDirectory& run, RunReader* reader);

struct RetentionOptions {
  int keep_newest = 3;    // at least 1
  int keep_every = 0;     // also those whose number it divides; 0: none
  int64_t max_bytes = 0;  // of all files: the oldest go first, the newest stays; 0: no limit
  std::vector<int64_t> needed = {};  // numbers that stay whatever the rest says
};

struct RetentionReport {
  std::vector<int64_t> deleted;       // numbers
  std::vector<std::string> messages;  // files that could not be deleted; the next call tries again
  int64_t bytes_kept = 0;
};
// Marks rows, then deletes files: what a kill in between leaves over, the next call deletes.
absl::StatusOr<RetentionReport> ApplyRetention(const RunDirectory& run, RunStore* store,
                                               RunReader* reader, const RetentionOptions& options);
// The same decision alone: numbers to delete, oldest first. `rows` by rising number.
std::vector<int64_t> ChooseDeletions(const std::vector<CheckpointRow>& rows,
                                     const RetentionOptions& options);

// Files in checkpoints/ that no row speaks of or whose row says that they are deleted; sorted.
absl::StatusOr<std::vector<std::string>> ListOrphans(const RunDirectory& run, RunReader* reader);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_CHECKPOINT_STORE_H_
