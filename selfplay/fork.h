// A run that begins as a copy of another.
#ifndef CROSSRIVER_SELFPLAY_FORK_H_
#define CROSSRIVER_SELFPLAY_FORK_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "selfplay/run_directory.h"

namespace crossriver {

struct ForkReport {
  int64_t games = 0;
  int64_t checkpoints = 0;
  std::vector<std::string> messages;  // checkpoints that were left out, and why
};

// Makes a run in the folder `to` with this config, the games of `from` as of now, and its
// checkpoints, each compared with its checksums. Those that are not whole are left out with a
// message, and the copy goes on from its newest. `from` may be training meanwhile. config.toml
// comes last and when all else is on the disk: a killed or failed call leaves no run, and the next
// one may have the same folder. Errors: those of RunDirectory::Prepare; no checkpoint that is
// whole, where there are some; the system's.
absl::StatusOr<ForkReport> ForkRun(const RunDirectory& from, const std::string& to,
                                   absl::string_view config);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_FORK_H_
