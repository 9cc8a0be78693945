#include "selfplay/checkpoint_store.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "selfplay/checksum.h"

namespace crossriver {
namespace {

namespace fs = std::filesystem;

// Rows are data too: no name leads out of the folder.
absl::StatusOr<std::string> PathOf(const RunDirectory& run, const std::string& name) {
  if (name.empty() || name.front() == '.' || name.find('/') != std::string::npos) {
    return absl::InvalidArgumentError(
        absl::StrCat(run.database_path(), ": '", name, "' is no name of a checkpoint's file"));
  }
  return absl::StrCat(run.checkpoints_path(), "/", name);
}

absl::Status Measure(const RunDirectory& run, const std::string& name, uint64_t* checksum,
                     int64_t* bytes) {
  const absl::StatusOr<std::string> path = PathOf(run, name);
  if (!path.ok()) return path.status();
  const absl::StatusOr<FileChecksum> file = ChecksumOfFile(*path);
  if (!file.ok()) return file.status();
  *checksum = file->checksum;
  *bytes = file->bytes;
  return absl::OkStatus();
}

absl::Status VerifyFile(const RunDirectory& run, const std::string& name, uint64_t checksum,
                        int64_t bytes) {
  uint64_t found = 0;
  int64_t found_bytes = 0;
  if (absl::Status status = Measure(run, name, &found, &found_bytes); !status.ok()) return status;
  if (found_bytes == bytes && found == checksum) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(
      run.checkpoints_path(), "/", name, ": is damaged (",
      found_bytes != bytes ? absl::StrCat(found_bytes, " bytes instead of ", bytes) : "checksum",
      ")"));
}

int64_t BytesOf(const CheckpointRow& row) { return row.network_bytes + row.optimizer_bytes; }

// Deletes the files of a row; those that are gone are gone.
void DeleteFiles(const RunDirectory& run, const CheckpointRow& row, RetentionReport* report) {
  for (const std::string& name : {row.network_file, row.optimizer_file}) {
    if (name.empty()) continue;
    const absl::StatusOr<std::string> path = PathOf(run, name);
    std::error_code error;
    if (path.ok()) fs::remove(*path, error);
    if (!path.ok()) report->messages.emplace_back(path.status().message());
    if (error) report->messages.push_back(absl::StrCat(*path, ": ", error.message()));
  }
}

}  // namespace

std::string NetworkFileName(int64_t checkpoint) {
  return absl::StrFormat("%06d.network.safetensors", checkpoint);
}

std::string OptimizerFileName(int64_t checkpoint) {
  return absl::StrFormat("%06d.optimizer.safetensors", checkpoint);
}

absl::Status RegisterCheckpoint(const RunDirectory& run, RunStore* store, CheckpointRow row) {
  absl::Status status = Measure(run, row.network_file, &row.network_checksum, &row.network_bytes);
  if (status.ok() && !row.optimizer_file.empty()) {
    status = Measure(run, row.optimizer_file, &row.optimizer_checksum, &row.optimizer_bytes);
  }
  return status.ok() ? store->AddCheckpoint(row) : status;
}

absl::Status VerifyCheckpoint(const RunDirectory& run, const CheckpointRow& row) {
  absl::Status status = VerifyFile(run, row.network_file, row.network_checksum, row.network_bytes);
  if (!status.ok() || row.optimizer_file.empty()) return status;
  return VerifyFile(run, row.optimizer_file, row.optimizer_checksum, row.optimizer_bytes);
}

absl::StatusOr<NewestCheckpoint> NewestValidCheckpoint(const RunDirectory& run, RunReader* reader) {
  const absl::StatusOr<std::vector<CheckpointRow>> rows = reader->ListCheckpoints();
  if (!rows.ok()) return rows.status();
  NewestCheckpoint newest;
  for (auto row = rows->rbegin(); row != rows->rend(); ++row) {
    if (!row->kept) continue;
    newest.any = true;
    const absl::Status status = VerifyCheckpoint(run, *row);
    if (status.ok()) {
      newest.row = *row;
      return newest;
    }
    newest.messages.push_back(
        absl::StrCat("checkpoint ", row->number, " is left out: ", status.message()));
  }
  return newest;
}

std::vector<int64_t> ChooseDeletions(const std::vector<CheckpointRow>& rows,
                                     const RetentionOptions& options) {
  std::vector<CheckpointRow> kept;
  for (const CheckpointRow& row : rows) {
    if (row.kept) kept.push_back(row);
  }
  const std::set<int64_t> needed(options.needed.begin(), options.needed.end());
  int64_t bytes = 0;
  for (const CheckpointRow& row : kept) bytes += BytesOf(row);
  std::set<int64_t> chosen;
  const size_t newest = static_cast<size_t>(std::max(options.keep_newest, 1));
  for (size_t i = 0; i + newest < kept.size(); ++i) {
    if (needed.count(kept[i].number) != 0) continue;
    if (options.keep_every > 0 && kept[i].number % options.keep_every == 0) continue;
    chosen.insert(kept[i].number);
    bytes -= BytesOf(kept[i]);
  }
  for (size_t i = 0; options.max_bytes > 0 && bytes > options.max_bytes && i + 1 < kept.size();
       ++i) {
    if (needed.count(kept[i].number) != 0) continue;
    if (chosen.insert(kept[i].number).second) bytes -= BytesOf(kept[i]);
  }
  return {chosen.begin(), chosen.end()};
}

absl::StatusOr<RetentionReport> ApplyRetention(const RunDirectory& run, RunStore* store,
                                               RunReader* reader, const RetentionOptions& options) {
  absl::StatusOr<std::vector<CheckpointRow>> rows = reader->ListCheckpoints();
  if (!rows.ok()) return rows.status();
  RetentionReport report;
  report.deleted = ChooseDeletions(*rows, options);
  for (const int64_t number : report.deleted) {
    if (absl::Status status = store->MarkDeleted(number); !status.ok()) return status;
  }
  rows = reader->ListCheckpoints();
  if (!rows.ok()) return rows.status();
  // A file may serve several rows.
  std::set<std::string> needed;
  for (const CheckpointRow& row : *rows) {
    if (!row.kept) continue;
    needed.insert({row.network_file, row.optimizer_file});
    report.bytes_kept += BytesOf(row);
  }
  for (CheckpointRow row : *rows) {
    if (row.kept) continue;
    if (needed.count(row.network_file) != 0) row.network_file.clear();
    if (needed.count(row.optimizer_file) != 0) row.optimizer_file.clear();
    DeleteFiles(run, row, &report);
  }
  return report;
}

absl::StatusOr<std::vector<std::string>> ListOrphans(const RunDirectory& run, RunReader* reader) {
  const absl::StatusOr<std::vector<CheckpointRow>> rows = reader->ListCheckpoints();
  if (!rows.ok()) return rows.status();
  std::set<std::string> known;
  for (const CheckpointRow& row : *rows) {
    if (row.kept) known.insert({row.network_file, row.optimizer_file});
  }
  std::vector<std::string> orphans;
  std::error_code error;
  for (fs::directory_iterator entry(run.checkpoints_path(), error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (known.count(name) == 0) orphans.push_back(name);
  }
  if (error) {
    return absl::NotFoundError(absl::StrCat(run.checkpoints_path(), ": ", error.message()));
  }
  std::sort(orphans.begin(), orphans.end());
  return orphans;
}

}  // namespace crossriver
