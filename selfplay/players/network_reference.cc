#include "selfplay/players/network_reference.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/spelling.h"
#include "selfplay/checkpoint_store.h"
#include "selfplay/run_directory.h"
#include "selfplay/run_reader.h"

namespace crossriver {
namespace {

namespace fs = std::filesystem;

constexpr absl::string_view kLatest = "latest";

// "3, 5 to 8", or "none".
std::string KeptNumbers(const std::vector<CheckpointRow>& rows) {
  std::vector<std::pair<int64_t, int64_t>> ranges;
  for (const CheckpointRow& row : rows) {
    if (!row.kept) continue;
    if (!ranges.empty() && row.number == ranges.back().second + 1) {
      ranges.back().second = row.number;
    } else {
      ranges.emplace_back(row.number, row.number);
    }
  }
  if (ranges.empty()) return "none";
  return absl::StrJoin(ranges, ", ", [](std::string* out, const auto& range) {
    absl::StrAppend(out, range.first);
    if (range.second > range.first) absl::StrAppend(out, " to ", range.second);
  });
}

absl::StatusOr<CheckpointRow> NewestRow(const RunDirectory& run, RunReader* reader,
                                        std::vector<std::string>* messages) {
  absl::StatusOr<NewestCheckpoint> newest = NewestValidCheckpoint(run, reader);
  if (!newest.ok()) return newest.status();
  *messages = std::move(newest->messages);
  if (newest->row.has_value()) return *newest->row;
  if (!newest->any) {
    return absl::NotFoundError(absl::StrCat(run.path(), ": the run has no checkpoint yet"));
  }
  return absl::DataLossError(absl::StrCat(
      run.path(), ": no checkpoint of the run is whole: ", absl::StrJoin(*messages, "; ")));
}

absl::StatusOr<CheckpointRow> NumberedRow(const RunDirectory& run, RunReader* reader,
                                          const std::string& number) {
  int64_t wanted = 0;
  if (!absl::SimpleAtoi(number, &wanted)) {
    return absl::InvalidArgumentError(absl::StrCat(
        run.path(), "@", Printable(number), ": expected '", kLatest,
        "' or the number of a checkpoint after the @", Suggestion(number, {std::string(kLatest)})));
  }
  const absl::StatusOr<std::vector<CheckpointRow>> rows = reader->ListCheckpoints();
  if (!rows.ok()) return rows.status();
  for (CheckpointRow row : *rows) {
    if (row.number != wanted || !row.kept) continue;
    row.optimizer_file.clear();  // nobody needs it to play
    if (absl::Status status = VerifyCheckpoint(run, row); !status.ok()) return status;
    return row;
  }
  return absl::NotFoundError(absl::StrCat(run.path(), ": the run has no files of a checkpoint ",
                                          wanted, "; there are: ", KeptNumbers(*rows)));
}

absl::StatusOr<NetworkReference> ResolveInRun(const std::string& path, const std::string& number) {
  const absl::StatusOr<RunDirectory> run = RunDirectory::OpenReadOnly(path);
  if (!run.ok()) return run.status();
  const absl::StatusOr<std::unique_ptr<RunReader>> reader = RunReader::Open(*run);
  if (!reader.ok()) return reader.status();
  NetworkReference reference;
  const absl::StatusOr<CheckpointRow> row =
      absl::string_view(number) == kLatest ? NewestRow(*run, reader->get(), &reference.messages)
                                           : NumberedRow(*run, reader->get(), number);
  if (!row.ok()) return row.status();
  reference.file = absl::StrCat(run->checkpoints_path(), "/", row->network_file);
  reference.name = absl::StrCat(path, "@", row->number);
  return reference;
}

}  // namespace

absl::StatusOr<NetworkReference> ResolveNetwork(const std::string& text) {
  std::error_code error;
  if (fs::is_directory(text, error)) return ResolveInRun(text, std::string(kLatest));
  if (fs::exists(text, error)) return NetworkReference{text, text, {}};
  const size_t at = text.rfind('@');
  if (at != std::string::npos) {
    const std::string run = text.substr(0, at);
    if (fs::is_directory(run, error)) return ResolveInRun(run, text.substr(at + 1));
    return absl::NotFoundError(
        absl::StrCat(Printable(run), ": there is no such run; expected the folder of one, such as ",
                     "runs/NAME, before the @"));
  }
  return absl::NotFoundError(absl::StrCat(
      Printable(text), ": there is no such file; expected a network's file, or a run as RUN@",
      kLatest, " or RUN@12"));
}

}  // namespace crossriver
