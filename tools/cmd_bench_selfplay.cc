// crossriver bench selfplay: whether self-play spends its time in the network.
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "selfplay/selfplay_bench.h"
#include "tools/network_commands.h"
#include "tools/network_config.h"
#include "tools/run_config_file.h"
#include "tools/variant_files.h"

namespace crossriver {
namespace {

struct SelfPlayFlags {
  std::vector<std::string> variants = {"switchback", "shoxiang-sh-standard"};
  std::string config;
  std::string size;
  std::string device = "cpu";
  int workers = 0;
  int games = 0;
  double warm_up = 1;
  double seconds = 3;
  int repeats = 3;
  bool json = false;
};

nlohmann::ordered_json ToJson(const SelfPlayBenchRow& row) {
  return {{"variant", row.variant},
          {"settings", ToString(row.inference.settings)},
          {"workers", row.inference.workers},
          {"inference_positions_per_second", row.inference.positions_per_second},
          {"evaluations_per_second", row.evaluations_per_second},
          {"visits_per_second", row.visits_per_second},
          {"moves_per_second", row.moves_per_second},
          {"games_per_second", row.games_per_second},
          {"ratio_to_inference", row.ratio_to_inference},
          {"match_evaluations_per_second", row.match_evaluations_per_second},
          {"match_ratio", row.match_ratio}};
}

// Network and games of a config, or else a 64x6 network and games as they are by default.
absl::StatusOr<SelfPlayBenchOptions> OptionsOf(const SelfPlayFlags& flags) {
  SelfPlayBenchOptions options;
  if (!flags.config.empty()) {
    const absl::StatusOr<RunConfig> config = ReadRunConfig(flags.config, {});
    if (!config.ok()) return config.status();
    options.network = config->network;
    options.selfplay = config->selfplay;
  }
  if (!flags.size.empty()) {
    const absl::Status status = ReadNetworkSize(flags.size, &options.network);
    if (!status.ok()) return status;
  }
  const absl::StatusOr<DeviceChoice> device = ChooseDevice(flags.device);
  if (!device.ok()) return device.status();
  options.device = *device;
  options.max_workers = flags.workers > 0 ? flags.workers : DefaultWorkers(*device);
  options.games = flags.games;
  options.warm_up_seconds = flags.warm_up;
  options.seconds = flags.seconds;
  options.repeats = flags.repeats;
  return options;
}

absl::Status RunBenchSelfPlay(const SelfPlayFlags& flags) {
  const absl::StatusOr<SelfPlayBenchOptions> options = OptionsOf(flags);
  if (!options.ok()) return options.status();
  TuneMalloc();
  SetIntraOpThreads(1);
  if (!flags.json) {
    std::printf("%dx%d network, every leaf evaluated\n%-24s %10s %10s %7s %10s %9s %8s %10s %7s\n",
                options->network.channels, options->network.blocks, "variant", "network/s",
                "selfplay/s", "ratio", "visits/s", "moves/s", "games/s", "match/s", "ratio");
  }
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const std::string& variant : flags.variants) {
    const auto rules = LoadVariantArgument(variant);
    if (!rules.ok()) return rules.status();
    const absl::StatusOr<SelfPlayBenchRow> row = RunSelfPlayBench(*rules, *options);
    if (!row.ok()) return row.status();
    rows.push_back(ToJson(*row));
    if (flags.json) continue;
    std::printf("%-24s %10.0f %10.0f %7.3f %10.0f %9.1f %8.2f %10.0f %7.3f\n", row->variant.c_str(),
                row->inference.positions_per_second, row->evaluations_per_second,
                row->ratio_to_inference, row->visits_per_second, row->moves_per_second,
                row->games_per_second, row->match_evaluations_per_second, row->match_ratio);
    std::fflush(stdout);
  }
  if (flags.json) {
    const nlohmann::ordered_json report = {
        {"bench", "selfplay"}, {"network", WriteOptions(options->network)}, {"rows", rows}};
    std::printf("%s\n", report.dump(2).c_str());
  }
  return absl::OkStatus();
}

}  // namespace

void AddSelfPlayBench(CLI::App* bench, Action* action) {
  auto flags = std::make_shared<SelfPlayFlags>();
  CLI::App* command = bench->add_subcommand("selfplay", kBenchSelfPlayHelp);
  command->add_option("--variants", flags->variants,
                      "Ids or files; default switchback and shoxiang-sh-standard");
  command->add_option("--config", flags->config, "A training config, for its network and games");
  command->add_option("--size", flags->size,
                      "Channels x blocks over the config's; without a config 64x6");
  command->add_option("--device", flags->device, "cpu, cuda:N or auto; default cpu");
  command->add_option("--workers", flags->workers, "At most; default one a core")
      ->check(CLI::Range(1, 1024));
  command
      ->add_option("--games", flags->games,
                   "Of a worker at a time; default as many as inference is fastest with")
      ->check(CLI::Range(1, 100000));
  command
      ->add_option("--warm-up", flags->warm_up,
                   "Seconds of play before, default 1; games/s needs as many as a game takes")
      ->check(CLI::Range(0.05, 3600.0));
  command->add_option("--seconds", flags->seconds, "A measurement, default 3")
      ->check(CLI::Range(0.05, 3600.0));
  command->add_option("--repeats", flags->repeats, "Default 3")->check(CLI::Range(1, 1000));
  command->add_flag("--json", flags->json, "Print JSON");
  command->footer("Example:\n  crossriver bench selfplay --variants switchback --size 48x4 --json");
  SetAction(command, flags, action, RunBenchSelfPlay);
}

}  // namespace crossriver
