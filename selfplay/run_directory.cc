#include "selfplay/run_directory.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "core/durable_file.h"

namespace crossriver {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxTextBytes = 16 << 20;

// The system's last error at `path`.
absl::Status SystemError(const std::string& path, absl::string_view what) {
  const int code = errno;
  absl::string_view advice = "";
  if (code == EROFS || code == EACCES || code == EPERM) {
    advice = "; this user may not write there: choose another folder or change its permissions";
  }
  if (code == ENOSPC || code == EDQUOT) advice = "; free some space and try again";
  const absl::Status status = absl::ErrnoToStatus(code, absl::StrCat(path, ": ", what));
  return absl::Status(status.code(), absl::StrCat(status.message(), advice));
}

absl::Status CheckFolder(const std::string& path) {
  struct stat facts = {};
  if (stat(path.c_str(), &facts) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) {
      return absl::NotFoundError(
          absl::StrCat(path,
                       ": there is no such folder. A run begins with `crossriver train "
                       "CONFIG --run DIR`"));
    }
    return SystemError(path, "can't be looked at");
  }
  if (!S_ISDIR(facts.st_mode)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": is a file; a run is a folder, such as runs/NAME"));
  }
  return absl::OkStatus();
}

absl::Status CheckRun(const std::string& path) {
  if (absl::Status status = CheckFolder(path); !status.ok()) return status;
  std::error_code error;
  if (fs::is_regular_file(path + "/config.toml", error)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(path,
                   ": is not a run: it has no config.toml. Give the folder that "
                   "`crossriver train` made, or start a run in a new one"));
}

// SQLite's log needs memory that all processes share, which network file systems do not give.
absl::Status CheckLocalDisk(const std::string& path) {
  constexpr int64_t kCifs = 0xFF534D42;  // not in every linux/magic.h
  constexpr int64_t kSmb2 = 0xFE534D42;
  struct statfs facts = {};
  if (statfs(path.c_str(), &facts) != 0) return SystemError(path, "can't be looked at");
  const auto type = static_cast<int64_t>(facts.f_type);
  if (type == NFS_SUPER_MAGIC || type == SMB_SUPER_MAGIC || type == kCifs || type == kSmb2) {
    return absl::FailedPreconditionError(
        absl::StrCat(path,
                     ": is on a network file system, where a run's database is not safe. "
                     "Keep runs on a local disk, and copy them with `crossriver backup`"));
  }
  return absl::OkStatus();
}

std::string HostName() {
  std::array<char, 256> name = {};
  if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

// For the message of the second process.
absl::Status WriteHolder(int lock, const std::string& path) {
  const std::string text = absl::StrCat("process ", getpid(), " on ", HostName(), "\n");
  if (ftruncate(lock, 0) != 0 ||
      pwrite(lock, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
    return SystemError(path, "can't be written");
  }
  return absl::OkStatus();
}

std::string ReadHolder(int lock) {
  std::array<char, 300> text = {};
  const ssize_t size = pread(lock, text.data(), text.size() - 1, 0);
  const std::string holder(absl::StripAsciiWhitespace(
      absl::string_view(text.data(), size > 0 ? static_cast<size_t>(size) : 0)));
  return holder.empty() ? "another process" : holder;
}

// Whether a new run may be made in this folder.
absl::Status CheckEmpty(const std::string& path) {
  std::error_code error;
  if (fs::exists(path + "/config.toml", error)) {
    return absl::AlreadyExistsError(
        absl::StrCat(path,
                     ": is a run already; `crossriver train` without changed settings "
                     "goes on with it, `crossriver fork` makes a new one of it"));
  }
  const bool is_unfinished = fs::exists(path + "/UNFINISHED", error);
  for (fs::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const bool is_database = name.rfind("run.db", 0) == 0;
    if (is_database && !is_unfinished) {
      return absl::InvalidArgumentError(absl::StrCat(
          path, ": holds a run's database (", name,
          ") without its config.toml. Put that back, or choose another folder for a new run"));
    }
    const bool is_left_over = name == "LOCK" || name == "checkpoints" || is_database ||
                              name.rfind("config.toml.", 0) == 0 ||
                              name.rfind("UNFINISHED", 0) == 0;
    if (!is_left_over) {
      return absl::InvalidArgumentError(
          absl::StrCat(path, ": is not empty (", name, "); a new run needs a folder of its own"));
    }
  }
  if (error) return absl::InternalError(absl::StrCat(path, ": ", error.message()));
  return absl::OkStatus();
}

// Once more after a moment, because IsHeld may have the lock just now.
bool TryLock(int file) {
  if (flock(file, LOCK_EX | LOCK_NB) == 0) return true;
  if (errno != EWOULDBLOCK) return false;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return flock(file, LOCK_EX | LOCK_NB) == 0;
}

}  // namespace

RunDirectory::RunDirectory(RunDirectory&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

RunDirectory& RunDirectory::operator=(RunDirectory&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(lock_, other.lock_);
  return *this;
}

RunDirectory::~RunDirectory() {
  if (lock_ >= 0) close(lock_);
}

// Takes the lock for a moment, together with others who look.
bool RunDirectory::IsHeld() const {
  if (is_writable()) return true;
  const int file = open(lock_path().c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool held = flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(file);
  return held;
}

absl::Status RunDirectory::Lock() {
  lock_ = open(lock_path().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ < 0) return SystemError(lock_path(), "can't be created");
  if (!TryLock(lock_)) {
    if (errno != EWOULDBLOCK) return SystemError(lock_path(), "can't be locked");
    return absl::UnavailableError(absl::StrCat(path_, ": is in use by ", ReadHolder(lock_),
                                               ". Wait for it or stop it; ",
                                               "`crossriver status` may look on meanwhile"));
  }
  return WriteHolder(lock_, lock_path());
}

absl::Status RunDirectory::MakeCheckpointsFolder() const {
  if (mkdir(checkpoints_path().c_str(), 0777) == 0 || errno == EEXIST) return absl::OkStatus();
  return SystemError(checkpoints_path(), "can't be created");
}

absl::Status RunDirectory::RemoveUnfinished() const {
  std::error_code error;
  if (!fs::exists(unfinished_path(), error)) return absl::OkStatus();
  for (const char* end : {"", "-wal", "-shm", "-journal"}) fs::remove(database_path() + end, error);
  for (fs::directory_iterator entry(checkpoints_path(), error), last; !error && entry != last;
       entry.increment(error)) {
    std::error_code ignored;  // what stays belongs to no checkpoint
    fs::remove(entry->path(), ignored);
  }
  if (!fs::exists(database_path(), error)) return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat(database_path(),
                   ": is left of an unfinished run and can't be removed; choose another folder"));
}

absl::StatusOr<RunDirectory> RunDirectory::Create(const std::string& path,
                                                  absl::string_view config) {
  absl::StatusOr<RunDirectory> run = Prepare(path);
  if (!run.ok()) return run;
  if (absl::Status status = run->Complete(config); !status.ok()) return status;
  return run;
}

absl::StatusOr<RunDirectory> RunDirectory::Prepare(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) {
    errno = error.value();
    return SystemError(path, "can't be created");
  }
  if (absl::Status status = CheckFolder(path); !status.ok()) return status;
  if (absl::Status status = CheckLocalDisk(path); !status.ok()) return status;
  if (absl::Status status = CheckEmpty(path); !status.ok()) return status;
  RunDirectory run(path);
  if (absl::Status status = run.Lock(); !status.ok()) return status;
  // Another process may have been faster.
  if (absl::Status status = CheckEmpty(path); !status.ok()) return status;
  if (absl::Status status = run.RemoveUnfinished(); !status.ok()) return status;
  const absl::Status marked =
      WriteFileDurably(run.unfinished_path(), "This run was not made to the end.\n");
  if (!marked.ok()) return marked;
  if (absl::Status status = run.MakeCheckpointsFolder(); !status.ok()) return status;
  return run;
}

absl::Status RunDirectory::Complete(absl::string_view config) const {
  if (absl::Status status = WriteFileDurably(config_path(), config); !status.ok()) return status;
  std::error_code ignored;  // with a config.toml it says nothing
  fs::remove(unfinished_path(), ignored);
  return absl::OkStatus();
}

absl::StatusOr<RunDirectory> RunDirectory::OpenForWriting(const std::string& path) {
  if (absl::Status status = CheckRun(path); !status.ok()) return status;
  if (absl::Status status = CheckLocalDisk(path); !status.ok()) return status;
  RunDirectory run(path);
  if (absl::Status status = run.Lock(); !status.ok()) return status;
  std::error_code ignored;
  fs::remove(run.unfinished_path(), ignored);  // of a killed Complete
  // A backup of a run without checkpoints has no such folder.
  if (absl::Status status = run.MakeCheckpointsFolder(); !status.ok()) return status;
  return run;
}

absl::StatusOr<RunDirectory> RunDirectory::OpenReadOnly(const std::string& path) {
  if (absl::Status status = CheckRun(path); !status.ok()) return status;
  return RunDirectory(path);
}

absl::StatusOr<std::string> RunDirectory::ReadConfig() const {
  return ReadWholeFile(config_path(), kMaxTextBytes);
}

absl::StatusOr<std::string> RunDirectory::ReadMachine() const {
  std::error_code error;
  if (!fs::exists(machine_path(), error)) return std::string();
  return ReadWholeFile(machine_path(), kMaxTextBytes);
}

absl::Status RunDirectory::WriteMachine(absl::string_view text) const {
  return WriteFileDurably(machine_path(), text);
}

absl::StatusOr<int64_t> FreeDiskBytes(const std::string& path) {
  struct statvfs facts = {};
  if (statvfs(path.c_str(), &facts) != 0) return SystemError(path, "can't be looked at");
  return static_cast<int64_t>(facts.f_bavail) * static_cast<int64_t>(facts.f_frsize);
}

absl::Status CheckFreeDisk(const std::string& path, int64_t least) {
  if (least <= 0) return absl::OkStatus();
  const absl::StatusOr<int64_t> free = FreeDiskBytes(path);
  if (!free.ok()) return free.status();
  if (*free >= least) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat(path, ": only ", *free >> 20, " MiB are free on its disk, and ", least >> 20,
                   " MiB are to stay free; free some space and try again"));
}

}  // namespace crossriver
