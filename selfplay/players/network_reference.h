// Networks by the name of a file, or by a run and the number of a checkpoint.
#ifndef CROSSRIVER_SELFPLAY_PLAYERS_NETWORK_REFERENCE_H_
#define CROSSRIVER_SELFPLAY_PLAYERS_NETWORK_REFERENCE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace crossriver {

struct NetworkReference {
  std::string file;  // of the network
  std::string name;  // that says which one for good: the file, or "RUN@12"
  // For the user: newer checkpoints that are damaged.
  std::vector<std::string> messages;
};

// `text` is "FILE", or for a run's folder "RUN@12", or "RUN@latest" or "RUN" for the newest
// checkpoint whose files are whole. What is there by the whole name comes first, so names may
// contain '@'. Only reads; the run may be training meanwhile. Errors: nothing of that name, a
// folder that is no run, a checkpoint that there is not or that is damaged, with the numbers there
// are.
absl::StatusOr<NetworkReference> ResolveNetwork(const std::string& text);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_PLAYERS_NETWORK_REFERENCE_H_
