// One run of training is one folder that can be killed at any moment and resumed:
//
//   config.toml    the settings, resolved; written once
//   machine.toml   what was measured on this machine; may change
//   LOCK           held by the process that writes
//   run.db         games, checkpoints, metrics (selfplay/run_store.h)
//   checkpoints/   files of networks and optimisers (selfplay/checkpoint_store.h)
//   UNFINISHED     while the folder is being made, before it is a run
#ifndef CROSSRIVER_SELFPLAY_RUN_DIRECTORY_H_
#define CROSSRIVER_SELFPLAY_RUN_DIRECTORY_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace crossriver {

// A run that this process has opened, and locked if it is to write. Movable. Const members may be
// called from several threads.
class RunDirectory {
 public:
  // A new run in `path`, which must not exist or be empty, or hold what a killed Create or Prepare
  // left behind. config.toml comes last and makes the folder a run. Locked for writing.
  static absl::StatusOr<RunDirectory> Create(const std::string& path, absl::string_view config);
  // The same in two steps, for runs that begin with files: until Complete the folder is no run, and
  // the file UNFINISHED says that what is in it is in nobody's way.
  static absl::StatusOr<RunDirectory> Prepare(const std::string& path);
  absl::Status Complete(absl::string_view config) const;
  // Errors, each saying what to do: no such folder, a folder that is no run, one that can't be
  // written, one on a network file system, one that another process holds. A lock ends with its
  // process, however that ends: a LOCK file left behind holds nobody up.
  static absl::StatusOr<RunDirectory> OpenForWriting(const std::string& path);
  // Writes nothing, and holds nobody up.
  static absl::StatusOr<RunDirectory> OpenReadOnly(const std::string& path);

  RunDirectory(RunDirectory&& other) noexcept;
  RunDirectory& operator=(RunDirectory&& other) noexcept;
  ~RunDirectory();

  const std::string& path() const { return path_; }
  bool is_writable() const { return lock_ >= 0; }
  // Whether a process, this one or another, has the run open for writing just now.
  bool IsHeld() const;
  std::string config_path() const { return path_ + "/config.toml"; }
  std::string machine_path() const { return path_ + "/machine.toml"; }
  std::string lock_path() const { return path_ + "/LOCK"; }
  std::string database_path() const { return path_ + "/run.db"; }
  std::string checkpoints_path() const { return path_ + "/checkpoints"; }

  absl::StatusOr<std::string> ReadConfig() const;
  // Empty where nothing was measured yet.
  absl::StatusOr<std::string> ReadMachine() const;
  absl::Status WriteMachine(absl::string_view text) const;

 private:
  explicit RunDirectory(std::string path) : path_(std::move(path)) {}
  absl::Status Lock();
  absl::Status MakeCheckpointsFolder() const;
  std::string unfinished_path() const { return path_ + "/UNFINISHED"; }
  // What a killed Prepare was followed by.
  absl::Status RemoveUnfinished() const;

  std::string path_;
  int lock_ = -1;  // descriptor of LOCK
};

// Bytes that this user may still write to the file system of `path`.
absl::StatusOr<int64_t> FreeDiskBytes(const std::string& path);
// An error where fewer than `least` are left; 0 asks for none.
absl::Status CheckFreeDisk(const std::string& path, int64_t least);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_RUN_DIRECTORY_H_
