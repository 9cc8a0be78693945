#include "selfplay/backup.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <set>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "selfplay/checkpoint_store.h"
#include "selfplay/run_reader.h"

namespace crossriver {
namespace {

namespace fs = std::filesystem;

// Removes a file at the end of a scope.
class Removal {
 public:
  explicit Removal(std::string path) : path_(std::move(path)) {}
  ~Removal() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  Removal(const Removal&) = delete;
  Removal& operator=(const Removal&) = delete;

 private:
  std::string path_;
};

struct FreeArchive {
  void operator()(archive* writer) const { archive_write_free(writer); }
};
struct FreeEntry {
  void operator()(archive_entry* entry) const { archive_entry_free(entry); }
};

// A tar.zst being written.
class TarWriter {
 public:
  explicit TarWriter(std::string path) : path_(std::move(path)), archive_(archive_write_new()) {}

  absl::Status Open() {
    archive_write_set_format_pax_restricted(archive_.get());
    if (archive_write_add_filter_zstd(archive_.get()) != ARCHIVE_OK) return Error();
    return Check(archive_write_open_filename(archive_.get(), path_.c_str()));
  }

  // Adds the file at `source`. Its size is that of the beginning: one that changes is an error.
  absl::Status Add(const std::string& source, const std::string& name) {
    const int file = open(source.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return absl::ErrnoToStatus(errno, source + ": can't be opened");
    absl::Status status = AddDescriptor(file, source, name);
    close(file);
    return status;
  }

  absl::Status Close() { return Check(archive_write_close(archive_.get())); }

 private:
  absl::Status AddDescriptor(int file, const std::string& source, const std::string& name) {
    struct stat facts = {};
    if (fstat(file, &facts) != 0) return absl::ErrnoToStatus(errno, source + ": can't be read");
    const std::unique_ptr<archive_entry, FreeEntry> entry(archive_entry_new());
    archive_entry_set_pathname(entry.get(), name.c_str());
    archive_entry_set_size(entry.get(), facts.st_size);
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0644);
    archive_entry_set_mtime(entry.get(), facts.st_mtime, 0);
    if (archive_write_header(archive_.get(), entry.get()) != ARCHIVE_OK) return Error();
    std::string buffer(1 << 18, '\0');
    for (int64_t left = facts.st_size; left > 0;) {
      const ssize_t count = read(file, buffer.data(), buffer.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return absl::ErrnoToStatus(errno, source + ": can't be read");
      if (count == 0) return absl::DataLossError(source + ": became shorter while it was read");
      const size_t size = static_cast<size_t>(std::min<int64_t>(count, left));
      if (archive_write_data(archive_.get(), buffer.data(), size) !=
          static_cast<la_ssize_t>(size)) {
        return Error();
      }
      left -= count;
    }
    return absl::OkStatus();
  }

  absl::Status Check(int code) { return code == ARCHIVE_OK ? absl::OkStatus() : Error(); }
  absl::Status Error() {
    const char* what = archive_error_string(archive_.get());
    return absl::UnavailableError(
        absl::StrCat(path_, ": can't be written: ", what == nullptr ? "unknown error" : what,
                     ". Check that there is room and that the folder may be written"));
  }

  std::string path_;
  std::unique_ptr<archive, FreeArchive> archive_;
};

absl::Status SyncFile(const std::string& path, int flags) {
  const int file = open(path.c_str(), flags | O_CLOEXEC);
  if (file < 0) return absl::ErrnoToStatus(errno, path + ": can't be opened");
  const int code = fsync(file);
  close(file);
  if (code != 0) return absl::ErrnoToStatus(errno, path + ": can't be brought to the disk");
  return absl::OkStatus();
}

// Never over a file that is there.
absl::Status PutInPlace(const std::string& temporary, const std::string& file) {
  if (absl::Status status = SyncFile(temporary, O_RDONLY); !status.ok()) return status;
  if (link(temporary.c_str(), file.c_str()) != 0) {
    const bool has_links = errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS;
    if (has_links || rename(temporary.c_str(), file.c_str()) != 0) {
      return absl::ErrnoToStatus(errno, file + ": can't be put in place");
    }
  }
  const std::string folder = fs::path(file).parent_path().string();
  return SyncFile(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY);
}

std::string RunName(const RunDirectory& run) {
  std::error_code error;
  const std::string name = fs::canonical(run.path(), error).filename().string();
  return error || name.empty() ? "run" : name;
}

// Config, machine and database; `copy` is the database's copy.
absl::Status AddRun(const RunDirectory& run, const std::string& copy, const std::string& folder,
                    TarWriter* tar) {
  absl::Status status = tar->Add(run.config_path(), folder + "config.toml");
  std::error_code error;
  if (status.ok() && fs::exists(run.machine_path(), error)) {
    status = tar->Add(run.machine_path(), folder + "machine.toml");
  }
  return status.ok() ? tar->Add(copy, folder + "run.db") : status;
}

// The files of the rows in the database's copy.
absl::Status AddCheckpoints(const RunDirectory& run, const std::vector<CheckpointRow>& rows,
                            const std::string& folder, TarWriter* tar, BackupReport* report) {
  std::set<std::string> added;
  for (const CheckpointRow& row : rows) {
    if (!row.kept) continue;
    if (const absl::Status whole = VerifyCheckpoint(run, row); !whole.ok()) {
      report->messages.push_back(
          absl::StrCat("checkpoint ", row.number, " is left out: ", whole.message()));
      continue;
    }
    for (const std::string& name : {row.network_file, row.optimizer_file}) {
      if (name.empty() || !added.insert(name).second) continue;
      absl::Status status = tar->Add(absl::StrCat(run.checkpoints_path(), "/", name),
                                     absl::StrCat(folder, "checkpoints/", name));
      if (!status.ok()) return status;
    }
    ++report->checkpoints;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<BackupReport> BackupRun(const RunDirectory& run, const std::string& file) {
  std::error_code error;
  if (fs::exists(file, error)) {
    return absl::AlreadyExistsError(
        absl::StrCat(file, ": is there already; give the backup a new name"));
  }
  const std::string stem = absl::StrCat(file, ".", getpid());
  const std::string copy = stem + ".db.tmp";
  const std::string temporary = stem + ".tmp";
  const Removal remove_copy(copy);
  const Removal remove_temporary(temporary);
  absl::StatusOr<std::unique_ptr<RunReader>> reader = RunReader::Open(run);
  if (!reader.ok()) return reader.status();
  if (absl::Status status = (*reader)->CopyTo(copy); !status.ok()) return status;

  BackupReport report;
  // What the copy says, not what the run says by now.
  absl::StatusOr<std::unique_ptr<RunReader>> copied = RunReader::OpenFile(copy);
  if (!copied.ok()) return copied.status();
  const absl::StatusOr<GameCounts> counts = (*copied)->Counts();
  if (!counts.ok()) return counts.status();
  report.games = counts->games;
  const absl::StatusOr<std::vector<CheckpointRow>> rows = (*copied)->ListCheckpoints();
  if (!rows.ok()) return rows.status();

  const std::string folder = RunName(run) + "/";
  TarWriter tar(temporary);
  absl::Status status = tar.Open();
  if (status.ok()) status = AddRun(run, copy, folder, &tar);
  if (status.ok()) status = AddCheckpoints(run, *rows, folder, &tar, &report);
  if (status.ok()) status = tar.Close();
  if (status.ok()) status = PutInPlace(temporary, file);
  if (!status.ok()) return status;
  report.bytes = static_cast<int64_t>(fs::file_size(file, error));
  return report;
}

}  // namespace crossriver
