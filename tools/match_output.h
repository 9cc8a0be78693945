// What matches and ladders share at the command line: files they write, flags.
#ifndef CROSSRIVER_TOOLS_MATCH_OUTPUT_H_
#define CROSSRIVER_TOOLS_MATCH_OUTPUT_H_

#include <cstdint>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace CLI {
class App;
}

namespace crossriver {

// Whether a file can be written to `path` later on: looked at before hours of games rather than
// behind them. Changes nothing. `flag` is the one that gave the path, for the error.
absl::Status CheckOutput(const std::string& flag, const std::string& path);

// Games as text, one behind the other.
class GameTextFile {
 public:
  // Empties a file that is there. Errors name it.
  static absl::StatusOr<GameTextFile> Create(const std::string& path);
  // Handed to the system when it returns.
  absl::Status Append(const std::string& game);

 private:
  explicit GameTextFile(const std::string& path) : path_(path), stream_(path) {}

  std::string path_;
  std::ofstream stream_;
};

// --seed, of openings and games.
void AddSeedFlag(CLI::App* command, uint64_t* seed);
// --max-plies, after which a game is a draw.
void AddMaxPliesFlag(CLI::App* command, int* max_plies);
// What games are played on: --threads, --at-a-time and --device.
void AddResourceFlags(CLI::App* command, int* threads, int* at_a_time, std::string* device);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_MATCH_OUTPUT_H_
