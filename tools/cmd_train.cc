// crossriver train and fork: runs of training.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "nn/device.h"
#include "nn/features.h"
#include "selfplay/fork.h"
#include "selfplay/run_directory.h"
#include "selfplay/training_run.h"
#include "tools/interrupt.h"
#include "tools/network_commands.h"
#include "tools/network_config.h"
#include "tools/run_config_file.h"
#include "tools/train_reporter.h"
#include "tools/variant_files.h"

namespace crossriver {
namespace {

namespace fs = std::filesystem;

struct TrainFlags {
  std::string config;
  std::string run;
  std::vector<std::string> sets;
  std::string init_from;
  bool json = false;
};

struct ForkFlags {
  std::string from;
  std::string to;
  std::vector<std::string> sets;
};

bool IsRun(const std::string& folder) {
  std::error_code error;
  return fs::exists(fs::path(folder) / "config.toml", error);
}

void MakePathAbsolute(std::string* variant) {
  if (!IsVariantPath(*variant)) return;
  std::error_code error;
  const fs::path path = fs::absolute(*variant, error);
  if (!error) *variant = path.string();
}

// A variant's file is found again wherever the program is started.
void MakePathsAbsolute(RunConfig* config) {
  MakePathAbsolute(&config->variant);
  for (std::string& variant : config->also) MakePathAbsolute(&variant);
}

absl::StatusOr<RunConfig> ConfigOfRun(const RunDirectory& run,
                                      const std::vector<std::string>& sets) {
  const absl::StatusOr<std::string> text = run.ReadConfig();
  if (!text.ok()) return text.status();
  return ParseRunConfig(*text, run.config_path(), sets);
}

// The config that a run goes on with: its own, with what may change.
absl::StatusOr<RunConfig> ConfigToResume(const TrainFlags& flags, const RunDirectory& run) {
  absl::StatusOr<RunConfig> own = ConfigOfRun(run, {});
  if (!own.ok()) return own;
  absl::StatusOr<RunConfig> now =
      flags.config.empty() ? ConfigOfRun(run, flags.sets) : ReadRunConfig(flags.config, flags.sets);
  if (!now.ok()) return now;
  MakePathsAbsolute(&*now);
  const std::vector<std::string> differences = FixedDifferences(*own, *now);
  if (differences.empty()) return now;
  return absl::FailedPreconditionError(absl::StrCat(
      run.path(), ": this run has other settings, which can't change while it goes on:\n  ",
      absl::StrJoin(differences, "\n  "), "\nGo on with its own by `crossriver train --run ",
      run.path(), "`, or with new ones in a copy by `crossriver fork ", run.path(),
      " NEW --set …`"));
}

std::string FolderOf(const TrainFlags& flags) {
  if (!flags.run.empty()) return flags.run;
  return (fs::path("runs") / fs::path(flags.config).stem()).string();
}

struct OpenedRun {
  RunDirectory directory;
  RunConfig config;
  bool is_new = false;
};

absl::StatusOr<OpenedRun> OpenRun(const TrainFlags& flags) {
  const std::string folder = FolderOf(flags);
  if (IsRun(folder)) {
    absl::StatusOr<RunDirectory> directory = RunDirectory::OpenForWriting(folder);
    if (!directory.ok()) return directory.status();
    absl::StatusOr<RunConfig> config = ConfigToResume(flags, *directory);
    if (!config.ok()) return config.status();
    return OpenedRun{*std::move(directory), *std::move(config), false};
  }
  if (flags.config.empty()) {
    return absl::NotFoundError(absl::StrCat(folder,
                                            ": no run; a new one needs a config, such as "
                                            "`crossriver train configs/train/quickstart.toml`"));
  }
  absl::StatusOr<RunConfig> config = ReadRunConfig(flags.config, flags.sets);
  if (!config.ok()) return config.status();
  MakePathsAbsolute(&*config);
  // Variants that can't be loaded, or learnt together, should leave no run behind.
  const absl::StatusOr<VariantGroup> variants = LoadVariantGroup(config->Variants());
  if (!variants.ok()) return variants.status();
  if (absl::Status status = CheckSharedFeatures(*variants); !status.ok()) return status;
  std::error_code error;
  fs::create_directories(fs::path(folder).parent_path(), error);
  absl::StatusOr<RunDirectory> directory = RunDirectory::Create(folder, WriteRunConfig(*config));
  if (!directory.ok()) return directory.status();
  return OpenedRun{*std::move(directory), *std::move(config), true};
}

// What autotune found, if it was for this network.
std::optional<MachineConfig> MachineOf(const RunDirectory& directory, const RunConfig& config) {
  std::error_code error;
  if (!fs::exists(directory.machine_path(), error)) return std::nullopt;
  absl::StatusOr<MachineConfig> machine = ReadMachineConfig(directory.machine_path());
  if (machine.ok() && machine->network == WriteOptions(config.network)) return *machine;
  std::fprintf(stderr, "note: %s is not used: %s\n", directory.machine_path().c_str(),
               machine.ok() ? "it was measured with another network"
                            : std::string(machine.status().message()).c_str());
  return std::nullopt;
}

absl::StatusOr<TrainingRunOptions> OptionsOf(const OpenedRun& opened, const TrainFlags& flags) {
  absl::StatusOr<VariantGroup> group = LoadVariantGroup(opened.config.Variants());
  if (!group.ok()) return group.status();
  TrainingRunOptions options = {.config = opened.config, .variants = *std::move(group)};
  const absl::StatusOr<DeviceChoice> device = ChooseDevice(opened.config.device);
  if (!device.ok()) return device.status();
  options.device = *device;
  const std::optional<MachineConfig> machine = MachineOf(opened.directory, opened.config);
  if (machine.has_value()) options.inference = machine->inference;
  options.workers = opened.config.loop.workers;
  if (options.workers == 0) {
    // On a GPU the workers only play: their network lives elsewhere.
    options.workers =
        machine.has_value() && !device->cuda ? machine->workers : DefaultWorkers(DeviceChoice());
  }
  options.init_from = flags.init_from;
  options.interrupted = Interrupted;
  return options;
}

void PrintDone(const LoopOptions& loop, int64_t generation) {
  if (generation >= loop.generations) {
    std::printf("all %d generations are done; more with --set loop.generations=N\n",
                loop.generations);
  } else {
    std::printf(
        "the run has had its %g minutes of processor time; more with --set "
        "loop.processor_minutes=N\n",
        loop.processor_minutes);
  }
}

std::string NamesOf(const VariantGroup& variants) {
  const auto name = [](std::string* out, const Rules* variant) {
    out->append(variant->definition().name);
  };
  return absl::StrJoin(variants.pointers(), ", ", name);
}

absl::Status RunTrain(const TrainFlags& flags) {
  if (flags.config.empty() && flags.run.empty()) {
    return absl::InvalidArgumentError("expected a config, or --run with a run to go on with");
  }
  const absl::StatusOr<OpenedRun> opened = OpenRun(flags);
  if (!opened.ok()) return opened.status();
  absl::StatusOr<TrainingRunOptions> options = OptionsOf(*opened, flags);
  if (!options.ok()) return options.status();
  CatchInterrupts();
  TrainReporter reporter(flags.json);
  options->observer = &reporter;
  const LoopOptions loop = options->config.loop;
  if (!flags.json) {
    std::printf("%s: %s, %s on %s with %d workers\n", opened->directory.path().c_str(),
                NamesOf(options->variants).c_str(), opened->is_new ? "a new run" : "going on",
                ToString(options->device).c_str(), options->workers);
    std::fflush(stdout);
  }
  absl::StatusOr<std::unique_ptr<TrainingRun>> run =
      TrainingRun::Open(&opened->directory, *std::move(options));
  if (!run.ok()) return run.status();
  const bool was_done = (*run)->IsDone();
  absl::Status status = (*run)->Run();
  if (status.ok() && loop.final_games > 1) {
    const absl::StatusOr<MatchScore> result = (*run)->FinalMatch();
    status = result.status();
    if (result.ok()) reporter.OnFinalMatch((*run)->generation(), loop.final_visits, *result);
  }
  if (absl::IsCancelled(status)) {
    return absl::CancelledError("interrupted; the same command goes on from here");
  }
  if (status.ok() && was_done && !flags.json) PrintDone(loop, (*run)->generation());
  return status;
}

// What a copy can't change: the weights and games of the run would mean something else.
absl::Status CheckFork(const RunConfig& run, const RunConfig& fork) {
  if (run.Variants() != fork.Variants() || run.network != fork.network) {
    return absl::InvalidArgumentError(
        "a fork keeps its variants and [network]; to begin a new run with this run's network, use "
        "`crossriver train CONFIG --init-from FILE`");
  }
  if (run.training.optimizer != fork.training.optimizer) {
    return absl::InvalidArgumentError(
        "training.optimizer: a fork keeps it, because the state of one optimizer is of no use to "
        "another; to begin a new run with this run's network, use "
        "`crossriver train CONFIG --init-from FILE`");
  }
  return absl::OkStatus();
}

absl::Status RunFork(const ForkFlags& flags) {
  const absl::StatusOr<RunDirectory> from = RunDirectory::OpenReadOnly(flags.from);
  if (!from.ok()) return from.status();
  const absl::StatusOr<RunConfig> own = ConfigOfRun(*from, {});
  if (!own.ok()) return own.status();
  const absl::StatusOr<RunConfig> config = ConfigOfRun(*from, flags.sets);
  if (!config.ok()) return config.status();
  if (absl::Status status = CheckFork(*own, *config); !status.ok()) return status;
  const absl::StatusOr<ForkReport> report = ForkRun(*from, flags.to, WriteRunConfig(*config));
  if (!report.ok()) return report.status();
  for (const std::string& message : report->messages) std::printf("note: %s\n", message.c_str());
  std::printf("%s: a copy of %s; go on with `crossriver train --run %s`\n", flags.to.c_str(),
              flags.from.c_str(), flags.to.c_str());
  return absl::OkStatus();
}

}  // namespace

void AddTrainCommand(CLI::App* app, Action* action) {
  auto flags = std::make_shared<TrainFlags>();
  CLI::App* command = app->add_subcommand("train", kTrainHelp);
  command->add_option("config", flags->config, "A file of configs/train, or your own");
  command->add_option("--run", flags->run, "The run's folder; default runs/ and the config's name");
  command->add_option("--set", flags->sets, "table.key=value, over the config; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--init-from", flags->init_from,
                      "Begin with this network instead of random weights");
  command->add_flag("--json", flags->json, "One JSON object a line");
  command->footer(
      "A run that was stopped goes on with the same command. Examples:\n"
      "  crossriver train configs/train/quickstart.toml\n"
      "  crossriver train configs/train/cpu.toml --run runs/mine --set loop.generations=500\n"
      "  crossriver train --run runs/mine");
  SetAction(command, flags, action, RunTrain);
}

void AddForkCommand(CLI::App* app, Action* action) {
  auto flags = std::make_shared<ForkFlags>();
  CLI::App* command = app->add_subcommand("fork", kForkHelp);
  command->add_option("run", flags->from, "The run's folder")->required();
  command->add_option("new", flags->to, "The copy's folder, which must not exist")->required();
  command->add_option("--set", flags->sets, "table.key=value; may be repeated")
      ->allow_extra_args(false);
  command->footer(
      "Example:\n  crossriver fork runs/mine runs/slower --set training.learning_rate=3e-4");
  SetAction(command, flags, action, RunFork);
}

}  // namespace crossriver
