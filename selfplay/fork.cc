#include "selfplay/fork.h"

#include <memory>
#include <optional>

#include "absl/strings/str_cat.h"
#include "core/durable_file.h"
#include "selfplay/checkpoint_store.h"
#include "selfplay/run_reader.h"
#include "selfplay/run_store.h"

namespace crossriver {
namespace {

absl::Status CopyFiles(const RunDirectory& from, const RunDirectory& to, const CheckpointRow& row) {
  for (const std::string& file : {row.network_file, row.optimizer_file}) {
    if (file.empty()) continue;
    absl::Status status = CopyFileDurably(absl::StrCat(from.checkpoints_path(), "/", file),
                                          absl::StrCat(to.checkpoints_path(), "/", file));
    if (!status.ok()) return status;
  }
  return VerifyCheckpoint(to, row);
}

// An error ends the fork; `fault` says what is wrong with a checkpoint that can't be had.
absl::Status CopyCheckpoint(const RunDirectory& from, const RunDirectory& to,
                            const CheckpointRow& row, absl::Status* fault) {
  // This also looks at the names.
  *fault = VerifyCheckpoint(from, row);
  if (!fault->ok()) return absl::OkStatus();
  absl::Status status = CopyFiles(from, to, row);
  if (status.ok()) return status;
  // A run that is training may have deleted it meanwhile.
  *fault = VerifyCheckpoint(from, row);
  return fault->ok() ? status : absl::OkStatus();
}

// The checkpoints that the copied database speaks of. Older ones that can't be copied are marked as
// deleted, which they may be by now; newer ones than the newest whole one are forgotten, because
// their numbers will come again.
absl::Status CopyCheckpoints(const RunDirectory& from, const RunDirectory& to, RunReader* reader,
                             RunStore* store, ForkReport* report) {
  const absl::StatusOr<std::vector<CheckpointRow>> rows = reader->ListCheckpoints();
  if (!rows.ok()) return rows.status();
  std::optional<int64_t> newest;
  std::vector<int64_t> missing;
  for (const CheckpointRow& row : *rows) {
    if (!row.kept) continue;
    absl::Status fault;
    if (absl::Status status = CopyCheckpoint(from, to, row, &fault); !status.ok()) return status;
    if (fault.ok()) {
      newest = row.number;
      ++report->checkpoints;
      continue;
    }
    missing.push_back(row.number);
    report->messages.push_back(
        absl::StrCat("checkpoint ", row.number, " is left out: ", fault.message()));
  }
  if (missing.empty()) return absl::OkStatus();
  if (!newest.has_value()) {
    return absl::DataLossError(
        absl::StrCat(from.path(), ": has no checkpoint that is whole; ", report->messages.back()));
  }
  for (const int64_t number : missing) {
    if (absl::Status status = store->MarkDeleted(number); !status.ok()) return status;
  }
  return missing.back() > *newest ? store->DropCheckpointsAfter(*newest) : absl::OkStatus();
}

}  // namespace

absl::StatusOr<ForkReport> ForkRun(const RunDirectory& from, const std::string& to,
                                   absl::string_view config) {
  absl::StatusOr<std::unique_ptr<RunReader>> source = RunReader::Open(from);
  if (!source.ok()) return source.status();
  const absl::StatusOr<RunDirectory> copy = RunDirectory::Prepare(to);
  if (!copy.ok()) return copy.status();
  absl::Status status = (*source)->CopyTo(copy->database_path());
  if (!status.ok()) return status;
  ForkReport report;
  {
    // What the copy says, not what the run says by now.
    const absl::StatusOr<std::unique_ptr<RunStore>> store = RunStore::Open(*copy);
    if (!store.ok()) return store.status();
    const absl::StatusOr<std::unique_ptr<RunReader>> reader = RunReader::Open(*copy);
    if (!reader.ok()) return reader.status();
    const absl::StatusOr<GameTotals> totals = (*reader)->CountGames();
    if (!totals.ok()) return totals.status();
    report.games = totals->games;
    status = CopyCheckpoints(from, *copy, reader->get(), store->get(), &report);
    if (!status.ok()) return status;
  }
  if (status = copy->Complete(config); !status.ok()) return status;
  return report;
}

}  // namespace crossriver
