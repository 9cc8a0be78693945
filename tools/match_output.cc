#include "tools/match_output.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "core/spelling.h"

namespace crossriver {

absl::Status CheckOutput(const std::string& flag, const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::is_directory(path, error)) {
    return absl::InvalidArgumentError(
        absl::StrCat(flag, " ", Printable(path), ": is a folder; expected the name of a file"));
  }
  std::string folder = fs::path(path).parent_path().string();
  if (folder.empty()) folder = ".";
  if (!fs::is_directory(folder, error)) {
    return absl::NotFoundError(
        absl::StrCat(flag, " ", Printable(path), ": there is no folder ", Printable(folder)));
  }
  // A device or a pipe can be written to wherever it lies; of a file the folder decides.
  const bool special = fs::exists(path, error) && !fs::is_regular_file(path, error);
  const bool writable =
      special ? access(path.c_str(), W_OK) == 0 : access(folder.c_str(), W_OK | X_OK) == 0;
  if (writable) return absl::OkStatus();
  return absl::ErrnoToStatus(errno, absl::StrCat(flag, " ", Printable(path), ": can't be written"));
}

absl::StatusOr<GameTextFile> GameTextFile::Create(const std::string& path) {
  GameTextFile file(path);
  if (file.stream_.is_open()) return file;
  return absl::ErrnoToStatus(errno, absl::StrCat(path, ": can't be opened for writing"));
}

absl::Status GameTextFile::Append(const std::string& game) {
  stream_ << game << std::flush;
  if (stream_.good()) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(path_, ": can't be written; is the disk full?"));
}

void AddSeedFlag(CLI::App* command, uint64_t* seed) {
  command->add_option("--seed", *seed, "Of openings and games, default 1")
      ->check(CLI::Validator(
          [](const std::string& text) {
            uint64_t number = 0;
            return absl::SimpleAtoi(text, &number) ? "" : "expected a number from 0 to 2^64-1";
          },
          "SEED"));
}

void AddMaxPliesFlag(CLI::App* command, int* max_plies) {
  command->add_option("--max-plies", *max_plies, "A longer game is a draw; default 600")
      ->check(CLI::Range(1, 1'000'000));
}

void AddResourceFlags(CLI::App* command, int* threads, int* at_a_time, std::string* device) {
  command->add_option("--threads", *threads, "Default one a core")->check(CLI::Range(1, 1024));
  command
      ->add_option("--at-a-time", *at_a_time,
                   "Games of a thread side by side; default what the players are fast with")
      ->check(CLI::Range(1, 10'000));
  command->add_option("--device", *device,
                      "Of networks: cpu, cuda:N or auto, which is the default");
}

}  // namespace crossriver
