// A run in one file.
#ifndef CROSSRIVER_SELFPLAY_BACKUP_H_
#define CROSSRIVER_SELFPLAY_BACKUP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "selfplay/run_directory.h"

namespace crossriver {

struct BackupReport {
  int64_t games = 0;
  int64_t checkpoints = 0;
  int64_t bytes = 0;                  // of the file
  std::vector<std::string> messages;  // checkpoints that were left out, and why
};

// Writes a tar archive, compressed with zstd, of config.toml, machine.toml, the database as of now
// and the checkpoints' files, all in a folder of the run's name. The run may be training meanwhile,
// in this process or another. `file` must not exist; it is complete or not there, and needs room
// for a copy of the database beside it while it is made. Checkpoints whose files are damaged are
// left out with a message.
//
// To restore: `tar xf FILE` makes the run's folder, which `crossriver train` goes on with.
absl::StatusOr<BackupReport> BackupRun(const RunDirectory& run, const std::string& file);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_BACKUP_H_
