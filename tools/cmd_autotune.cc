// crossriver autotune: measures this machine for a run.
#include <cstdio>
#include <filesystem>
#include <memory>

#include "nn/inference_bench.h"
#include "nn/random_network.h"
#include "tools/network_commands.h"
#include "tools/network_config.h"
#include "tools/variant_files.h"

namespace crossriver {
namespace {

struct AutotuneFlags {
  std::string run;
  double seconds = 0.5;
};

absl::Status RunAutotune(const AutotuneFlags& flags) {
  const std::filesystem::path run(flags.run);
  const absl::StatusOr<NetworkConfig> config =
      ReadNetworkConfig((run / "config.toml").string(), /*needs_variant=*/true);
  if (!config.ok()) return config.status();
  const absl::StatusOr<std::shared_ptr<const Rules>> rules = LoadVariantArgument(config->variant);
  if (!rules.ok()) return rules.status();
  const absl::StatusOr<DeviceChoice> device = ChooseDevice(config->device);
  if (!device.ok()) return device.status();
  TuneMalloc();
  SetIntraOpThreads(1);
  InferenceBenchOptions options;
  options.device = *device;
  options.seconds = flags.seconds;
  options.repeats = 1;
  options.max_workers = DefaultWorkers(*device);
  const absl::StatusOr<InferenceBenchReport> report = RunInferenceBench(
      *RandomNetwork(config->network, **rules, /*seed=*/1), *rules, options,
      [](const InferenceBenchRow& row) {
        std::printf("%-46s %d workers %8.0f positions/s\n", ToString(row.settings).c_str(),
                    row.workers, row.positions_per_second);
        std::fflush(stdout);
      });
  if (!report.ok()) return report.status();
  const std::string file = (run / "machine.toml").string();
  const MachineConfig machine = {report->best.settings, report->best.workers,
                                 report->best.positions_per_second, WriteOptions(config->network)};
  absl::Status status = WriteMachineConfig(file, machine);
  if (!status.ok()) return status;
  std::printf("%s: %s, %d workers\n", file.c_str(), ToString(machine.inference).c_str(),
              machine.workers);
  return absl::OkStatus();
}

}  // namespace

void AddAutotuneCommand(CLI::App* app, Action* action) {
  auto flags = std::make_shared<AutotuneFlags>();
  CLI::App* command = app->add_subcommand("autotune", kAutotuneHelp);
  command->add_option("run", flags->run, "A run's folder; its machine.toml is written anew")
      ->required();
  command->add_option("--seconds", flags->seconds, "A measurement, default 0.5")
      ->check(CLI::Range(0.01, 60.0));
  command->footer("Example:\n  crossriver autotune runs/switchback");
  SetAction(command, flags, action, RunAutotune);
}

}  // namespace crossriver
