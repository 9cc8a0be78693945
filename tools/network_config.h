// The tables [network] and [training] of a configuration, and machine.toml.
#ifndef CROSSRIVER_TOOLS_NETWORK_CONFIG_H_
#define CROSSRIVER_TOOLS_NETWORK_CONFIG_H_

#include <string>

#include "absl/status/statusor.h"
#include "core/toml_reader.h"
#include "nn/network_evaluator.h"
#include "nn/network_options.h"
#include "nn/trainer_options.h"

namespace crossriver {

struct NetworkConfig {
  NetworkOptions network;
  TrainerOptions trainer;
  std::string device = "auto";  // see ChooseDevice
  std::string variant;          // an id, or a path as seen from where the program is started
};

// Reads the keys of each table into what is there; keys that are absent leave it. Mistakes go to
// the reader's diagnostics.
void ReadNetworkTable(TableReader* table, NetworkOptions* options);
void ReadTrainingTable(TableReader* table, TrainerOptions* options);

// "64x6", channels x blocks of the trunk, from a flag --size.
absl::Status ReadNetworkSize(const std::string& size, NetworkOptions* network);

// The options of ReadTrainingTable as lines "name = value".
void WriteTraining(const TrainerOptions& options, std::string* text);

// The `[network]` and `[training]` tables, `device` and `variant` of a TOML file; whatever else it
// holds is for others. The defaults where `path` is empty. Errors name file, line and field; one is
// a missing variant, if it is needed.
absl::StatusOr<NetworkConfig> ReadNetworkConfig(const std::string& path,
                                                bool needs_variant = false);

// What autotune found on one machine: a run's machine.toml.
struct MachineConfig {
  InferenceSettings inference;
  int workers = 1;
  double positions_per_second = 0;  // when it was measured
  std::string network;              // options of the network it was measured with
};

absl::Status WriteMachineConfig(const std::string& path, const MachineConfig& config);
absl::StatusOr<MachineConfig> ReadMachineConfig(const std::string& path);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_NETWORK_CONFIG_H_
