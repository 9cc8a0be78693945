// crossriver status: how a run stands, from another terminal or when it is over.
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "absl/strings/str_join.h"
#include "selfplay/run_reader.h"
#include "tools/command.h"
#include "tools/run_folder.h"

namespace crossriver {
namespace {

struct StatusFlags {
  std::string run;
  bool json = false;
};

struct RunStatus {
  std::vector<std::string> variants;
  bool training = false;  // a process holds the run
  GameCounts counts;
  std::vector<CheckpointRow> checkpoints;
  std::map<std::string, Metric> metrics;  // the newest of each name
};

absl::StatusOr<RunStatus> ReadStatus(const RunDirectory& run) {
  RunStatus status;
  const absl::StatusOr<std::vector<std::string>> variants = VariantNamesOfRun(run);
  if (!variants.ok()) return variants.status();
  status.variants = *variants;
  status.training = run.IsHeld();
  const absl::StatusOr<std::unique_ptr<RunReader>> reader = RunReader::Open(run);
  // A run that was killed before it made its database has nothing to show yet.
  if (absl::IsNotFound(reader.status())) return status;
  if (!reader.ok()) return reader.status();
  const auto counts = (*reader)->Counts();
  const auto checkpoints = (*reader)->ListCheckpoints();
  const auto names = (*reader)->MetricNames();
  for (const absl::Status& error : {counts.status(), checkpoints.status(), names.status()}) {
    if (!error.ok()) return error;
  }
  status.counts = *counts;
  status.checkpoints = *checkpoints;
  for (const std::string& name : *names) {
    const absl::StatusOr<std::vector<Metric>> values = (*reader)->ReadMetrics(name);
    if (!values.ok()) return values.status();
    if (!values->empty()) status.metrics[name] = values->back();
  }
  return status;
}

void PrintJson(const StatusFlags& flags, const RunStatus& status) {
  nlohmann::ordered_json metrics = nlohmann::ordered_json::object();
  for (const auto& [name, metric] : status.metrics) metrics[name] = metric.value;
  nlohmann::ordered_json object = {
      {"run", flags.run},
      {"variant", status.variants.front()},
      {"also", std::vector(status.variants.begin() + 1, status.variants.end())},
      {"training", status.training},
      {"games", status.counts.games},
      {"rows", status.counts.rows},
      {"first_wins", status.counts.first_wins},
      {"draws", status.counts.draws},
      {"second_wins", status.counts.second_wins},
      {"truncated", status.counts.truncated},
      {"resigned", status.counts.resigned},
      {"duplicates", status.counts.duplicates},
      {"quarantined", status.counts.quarantined},
      {"checkpoint", status.checkpoints.empty() ? -1 : status.checkpoints.back().number},
      {"step", status.checkpoints.empty() ? 0 : status.checkpoints.back().step},
      {"metrics", metrics}};
  std::printf("%s\n", object.dump(2).c_str());
}

void PrintText(const StatusFlags& flags, const RunStatus& status) {
  const GameCounts& counts = status.counts;
  std::printf("%s: %s, %s\n", flags.run.c_str(), absl::StrJoin(status.variants, ", ").c_str(),
              status.training ? "a process is at work" : "nobody is at work");
  std::printf(
      "games        %lld: first player %lld, draws %lld, second player %lld, "
      "truncated %lld (%lld resigned, %lld copies of others)\n",
      static_cast<long long>(counts.games), static_cast<long long>(counts.first_wins),
      static_cast<long long>(counts.draws), static_cast<long long>(counts.second_wins),
      static_cast<long long>(counts.truncated), static_cast<long long>(counts.resigned),
      static_cast<long long>(counts.duplicates));
  std::printf("rows         %lld\n", static_cast<long long>(counts.rows));
  if (counts.quarantined > 0) {
    std::printf("set aside    %lld games (crossriver doctor %s)\n",
                static_cast<long long>(counts.quarantined), flags.run.c_str());
  }
  if (status.checkpoints.empty()) {
    std::printf("checkpoints  none yet\n");
    return;
  }
  const CheckpointRow& last = status.checkpoints.back();
  std::printf("checkpoint   %lld, step %lld, %s\n", static_cast<long long>(last.number),
              static_cast<long long>(last.step), LocalTime(last.time).c_str());
  for (const auto& [name, metric] : status.metrics) {
    std::printf("%-32s %12.4g   generation %lld\n", name.c_str(), metric.value,
                static_cast<long long>(metric.generation));
  }
}

absl::Status RunStatusCommand(const StatusFlags& flags) {
  const absl::StatusOr<RunDirectory> run = RunDirectory::OpenReadOnly(flags.run);
  if (!run.ok()) return run.status();
  const absl::StatusOr<RunStatus> status = ReadStatus(*run);
  if (!status.ok()) return status.status();
  if (flags.json) {
    PrintJson(flags, *status);
  } else {
    PrintText(flags, *status);
  }
  return absl::OkStatus();
}

}  // namespace

void AddStatusCommand(CLI::App* app, Action* action) {
  auto flags = std::make_shared<StatusFlags>();
  CLI::App* command = app->add_subcommand("status", "How a run of training stands");
  command->add_option("run", flags->run, kRunHelp)->required();
  command->add_flag("--json", flags->json, "Print JSON");
  command->footer("Example:\n  crossriver status runs/quickstart");
  SetAction(command, flags, action, RunStatusCommand);
}

}  // namespace crossriver
