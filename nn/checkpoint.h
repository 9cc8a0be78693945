// Networks and training states in files.
//
// A network file holds the weights to play with and what says what they mean. A training checkpoint
// is two files: a network file, whose played weights are the averaged ones and which also holds the
// trained ones, and a second with the state of the optimiser.
#ifndef CROSSRIVER_NN_CHECKPOINT_H_
#define CROSSRIVER_NN_CHECKPOINT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/rules.h"
#include "nn/network_options.h"

namespace crossriver {

class Network;
struct TrainerState;

// What a network file says of itself.
struct CheckpointInfo {
  static constexpr int kFormatVersion = 1;

  NetworkOptions options;
  NetworkShape shape;
  std::string family;
  std::vector<std::string> variants;  // ids of the variants it was trained on
  uint64_t rules_hash = 0;
  uint64_t schema_hash = 0;
  std::vector<std::string> planes;     // names, for messages and to match them
  std::vector<std::string> constants;  //
  int64_t step = 0;                    // training steps done
  std::string run_id;                  // empty outside a run
  std::string time;                    // of writing, RFC 3339, UTC

  // Of the weights to play with; filled in by the writer.
  uint64_t weights_hash = 0;
};

// What a network for these rules is to say of itself, all but step and run.
CheckpointInfo DescribeNetwork(const NetworkOptions& options, const Rules& rules);

// Writes a network file of the network's weights; `info.weights_hash` and `info.time` are set anew.
// Errors: weights that are not finite, and the system's; what was at `path` stays.
absl::Status SaveNetwork(const std::string& path, const Network& network, CheckpointInfo info);

struct LoadedNetwork {
  std::shared_ptr<Network> network;  // in evaluation mode, on the CPU
  CheckpointInfo info;
};

// How far the rules that the network was trained under may be from those it is loaded for. Planes,
// constants and actions must be the same in any case.
enum class RulesMatch : uint8_t {
  kFamily,  // the same rules, or another variant of the same family
  kAny,     // at the user's own request
};

// Errors, each with the file's name: damaged or foreign files (see nn/safetensors.h), a format
// newer than this program's, weights that do not fit the options, are not finite or not those that
// were saved, other features or actions than the variant's (with the names that differ), other
// rules.
absl::StatusOr<LoadedNetwork> LoadNetwork(const std::string& path, const Rules& rules,
                                          RulesMatch match = RulesMatch::kFamily);

// Reads and checks all that can be checked without the variant.
absl::StatusOr<CheckpointInfo> InspectNetwork(const std::string& path);

// A training checkpoint: `exported` is what Trainer::Export made of the state. The optimiser's file
// is written first: a network file is never without its own.
absl::Status SaveTraining(const std::string& network_path, const std::string& optimizer_path,
                          const Network& exported, const TrainerState& state, CheckpointInfo info);

// Errors: as LoadNetwork (the rules must be the same), and an optimiser's file that belongs to
// another network file.
absl::StatusOr<TrainerState> LoadTraining(const std::string& network_path,
                                          const std::string& optimizer_path, const Rules& rules);

}  // namespace crossriver

#endif  // CROSSRIVER_NN_CHECKPOINT_H_
