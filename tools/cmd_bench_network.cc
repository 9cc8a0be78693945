// crossriver bench infer, train and trunk: speeds of networks.
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "nn/checkpoint.h"
#include "nn/inference_bench.h"
#include "nn/random_network.h"
#include "nn/training_bench.h"
#include "tools/network_commands.h"
#include "tools/network_config.h"
#include "tools/variant_files.h"

namespace crossriver {
namespace {

// What all three need: a variant and a network.
struct NetworkFlags {
  std::string variant = "shoxiang-sh-standard";
  std::string config;
  std::string size;  // "64x6"; empty = the config's
  std::string device = "cpu";
  bool json = false;
};

struct InferFlags : NetworkFlags {
  std::string net;
  double seconds = 1;
  int repeats = 5;
  int workers = 0;
};

struct BenchTrainFlags : NetworkFlags {
  int threads = 0;
  int batch = 256;
  int steps = 10;
  int repeats = 5;
};

struct TrunkFlags : NetworkFlags {
  double seconds = 240;
  int rows = 60000;
  uint64_t seed = 1;
};

// What the flags name, read and checked.
struct BenchInput {
  std::shared_ptr<const Rules> rules;
  NetworkConfig config;
  DeviceChoice device;

  const std::string& variant() const { return rules->definition().id; }
};

absl::StatusOr<BenchInput> ReadInput(const NetworkFlags& flags) {
  const absl::StatusOr<std::shared_ptr<const Rules>> rules = LoadVariantArgument(flags.variant);
  if (!rules.ok()) return rules.status();
  absl::StatusOr<NetworkConfig> config = ReadNetworkConfig(flags.config);
  if (!config.ok()) return config.status();
  if (!flags.size.empty()) {
    const absl::Status status = ReadNetworkSize(flags.size, &config->network);
    if (!status.ok()) return status;
  }
  const absl::StatusOr<DeviceChoice> device = ChooseDevice(flags.device);
  if (!device.ok()) return device.status();
  return BenchInput{*rules, *std::move(config), *device};
}

nlohmann::ordered_json ToJson(const InferenceBenchRow& row) {
  return {{"type", ToString(row.settings.type)},
          {"layout", row.settings.channels_last ? "channels_last" : "planar"},
          {"prepacked", row.settings.prepacked},
          {"batch", row.settings.batch},
          {"workers", row.workers},
          {"positions_per_second", row.positions_per_second}};
}

void PrintRow(const InferenceBenchRow& row) {
  std::printf("%-46s %7d %12.0f\n", ToString(row.settings).c_str(), row.workers,
              row.positions_per_second);
  std::fflush(stdout);
}

struct NamedNetwork {
  std::shared_ptr<Network> network;
  NetworkOptions options;
};

// The network of a file, or one with random weights.
absl::StatusOr<NamedNetwork> NetworkOf(const InferFlags& flags, const NetworkConfig& config,
                                       const Rules& rules) {
  if (flags.net.empty()) {
    return NamedNetwork{RandomNetwork(config.network, rules, /*seed=*/1), config.network};
  }
  const absl::StatusOr<LoadedNetwork> loaded = LoadNetwork(flags.net, rules);
  if (!loaded.ok()) return loaded.status();
  return NamedNetwork{loaded->network, loaded->info.options};
}

nlohmann::ordered_json ToJson(const InferenceBenchReport& report) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const InferenceBenchRow& row : report.rows) rows.push_back(ToJson(row));
  nlohmann::ordered_json best = ToJson(report.best);
  best["bare_positions_per_second"] = report.bare_positions_per_second;
  best["ratio_to_bare_loop"] = report.ratio_to_bare_loop;
  best["max_policy_difference"] = report.max_policy_difference;
  best["max_wdl_difference"] = report.max_wdl_difference;
  return {{"bench", "infer"}, {"rows", rows}, {"best", best}};
}

void PrintBest(const InferenceBenchReport& report) {
  std::printf("best: %s, %d workers: %.0f positions/s, %.3f of its bare loop (%.0f)\n",
              ToString(report.best.settings).c_str(), report.best.workers,
              report.best.positions_per_second, report.ratio_to_bare_loop,
              report.bare_positions_per_second);
  std::printf("against fp32: at most %.4f in a move's probability, %.4f in a result's\n",
              report.max_policy_difference, report.max_wdl_difference);
}

absl::Status RunBenchInfer(const InferFlags& flags) {
  const absl::StatusOr<BenchInput> input = ReadInput(flags);
  if (!input.ok()) return input.status();
  const absl::StatusOr<NamedNetwork> network = NetworkOf(flags, input->config, *input->rules);
  if (!network.ok()) return network.status();
  InferenceBenchOptions options;
  options.device = input->device;
  options.seconds = flags.seconds;
  options.repeats = flags.repeats;
  options.max_workers = flags.workers > 0 ? flags.workers : DefaultWorkers(input->device);
  TuneMalloc();
  SetIntraOpThreads(1);
  if (!flags.json) {
    std::printf("%dx%d on %s, %s\n%-46s %7s %12s\n", network->options.channels,
                network->options.blocks, input->variant().c_str(), ToString(input->device).c_str(),
                "setting", "workers", "positions/s");
  }
  const absl::StatusOr<InferenceBenchReport> report = RunInferenceBench(
      *network->network, input->rules, options, [&](const InferenceBenchRow& row) {
        if (!flags.json) PrintRow(row);
      });
  if (!report.ok()) return report.status();
  if (!flags.json) {
    PrintBest(*report);
    return absl::OkStatus();
  }
  nlohmann::ordered_json object = ToJson(*report);
  object["variant"] = input->variant();
  object["network"] = WriteOptions(network->options);
  object["device"] = ToString(input->device);
  std::printf("%s\n", object.dump(2).c_str());
  return absl::OkStatus();
}

absl::Status RunBenchTrain(const BenchTrainFlags& flags) {
  const absl::StatusOr<BenchInput> input = ReadInput(flags);
  if (!input.ok()) return input.status();
  TrainingBenchOptions options;
  options.network = input->config.network;
  options.trainer = input->config.trainer;
  options.trainer.threads = flags.threads > 0 ? flags.threads : DefaultWorkers(DeviceChoice{});
  options.device = input->device;
  options.batch = flags.batch;
  options.steps = flags.steps;
  options.repeats = flags.repeats;
  TuneMalloc();
  const absl::StatusOr<std::vector<TrainingBenchRow>> rows =
      RunTrainingBench(input->rules, options);
  if (!rows.ok()) return rows.status();
  if (flags.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const TrainingBenchRow& row : *rows) {
      list.push_back({{"type", ToString(row.type)},
                      {"threads", row.threads},
                      {"batch", row.batch},
                      {"rows_per_second", row.rows_per_second}});
    }
    const nlohmann::ordered_json object = {{"bench", "train"},
                                           {"variant", input->variant()},
                                           {"network", WriteOptions(input->config.network)},
                                           {"device", ToString(input->device)},
                                           {"rows", list}};
    std::printf("%s\n", object.dump(2).c_str());
    return absl::OkStatus();
  }
  std::printf("%dx%d on %s, %s\n%-10s %8s %6s %8s\n", input->config.network.channels,
              input->config.network.blocks, input->variant().c_str(),
              ToString(input->device).c_str(), "type", "threads", "batch", "rows/s");
  for (const TrainingBenchRow& row : *rows) {
    std::printf("%-10s %8d %6d %8.0f\n", ToString(row.type), row.threads, row.batch,
                row.rows_per_second);
  }
  return absl::OkStatus();
}

nlohmann::ordered_json ToJson(const TrunkBenchRow& row) {
  return {{"geometry", ToString(row.geometry)},
          {"seconds", row.seconds},
          {"steps", row.steps},
          {"policy_loss", row.held_out.policy},
          {"agreement", row.held_out.agreement},
          {"value_loss", row.held_out.value},
          {"value_error", row.held_out.value_error}};
}

absl::Status RunBenchTrunk(const TrunkFlags& flags) {
  const absl::StatusOr<BenchInput> input = ReadInput(flags);
  if (!input.ok()) return input.status();
  TrunkBenchOptions options;
  options.network = input->config.network;
  options.trainer = input->config.trainer;
  options.trainer.seed = flags.seed;
  if (ProcessorHasBFloat16()) options.trainer.type = ElementType::kBFloat16;
  options.rows = flags.rows;
  options.seconds = flags.seconds;
  TuneMalloc();
  if (!flags.json) {
    std::printf("%dx%d on %s, practice games\n%-10s %8s %8s %12s %10s %11s\n",
                input->config.network.channels, input->config.network.blocks,
                input->variant().c_str(), "geometry", "seconds", "steps", "policy loss",
                "agreement", "value loss");
  }
  const absl::StatusOr<std::vector<TrunkBenchRow>> rows =
      RunTrunkBench(input->rules, options, [&](const TrunkBenchRow& row) {
        if (flags.json) return;
        std::printf("%-10s %8.0f %8lld %12.4f %10.4f %11.4f\n", ToString(row.geometry), row.seconds,
                    static_cast<long long>(row.steps), row.held_out.policy, row.held_out.agreement,
                    row.held_out.value);
        std::fflush(stdout);
      });
  if (!rows.ok()) return rows.status();
  if (!flags.json) return absl::OkStatus();
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const TrunkBenchRow& row : *rows) list.push_back(ToJson(row));
  const nlohmann::ordered_json object = {{"bench", "trunk"},
                                         {"variant", input->variant()},
                                         {"network", WriteOptions(input->config.network)},
                                         {"rows", list}};
  std::printf("%s\n", object.dump(2).c_str());
  return absl::OkStatus();
}

void AddNetworkFlags(CLI::App* command, NetworkFlags* flags) {
  command->add_option("--variant", flags->variant, "Default " + flags->variant);
  command->add_option("--config", flags->config, "TOML file with [network] and [training]");
  command->add_option("--size", flags->size, "Channels x blocks, such as 64x6, over the config's");
  command->add_flag("--json", flags->json, "Print JSON");
}

}  // namespace

void AddNetworkBenches(CLI::App* bench, Action* action) {
  const CLI::Range positive(1, 1 << 20);
  auto infer = std::make_shared<InferFlags>();
  CLI::App* command = bench->add_subcommand("infer", kBenchInferHelp);
  AddNetworkFlags(command, infer.get());
  command->add_option("--net", infer->net, "A network file instead of a random network");
  command->add_option("--device", infer->device, "cpu, cuda:N or auto; default cpu");
  command->add_option("--workers", infer->workers, "At most; default one a core, on a GPU 1")
      ->check(positive);
  command->add_option("--seconds", infer->seconds, "A measurement, default 1")
      ->check(CLI::Range(0.01, 3600.0));
  command->add_option("--repeats", infer->repeats, "Of the comparison with the bare loop")
      ->check(positive);
  command->footer("Example:\n  crossriver bench infer --variant switchback --size 48x4 --json");
  SetAction(command, infer, action, RunBenchInfer);

  auto train = std::make_shared<BenchTrainFlags>();
  command = bench->add_subcommand("train", kBenchTrainHelp);
  AddNetworkFlags(command, train.get());
  command->add_option("--device", train->device, "cpu, cuda:N or auto; default cpu");
  command->add_option("--threads", train->threads, "Default one a core")->check(positive);
  command->add_option("--batch", train->batch, "Default 256")->check(positive);
  command->add_option("--steps", train->steps, "A measurement, default 10")->check(positive);
  command->add_option("--repeats", train->repeats, "Default 5")->check(positive);
  command->footer("Example:\n  crossriver bench train --size 64x6 --batch 256");
  SetAction(command, train, action, RunBenchTrain);

  auto trunk = std::make_shared<TrunkFlags>();
  trunk->variant = "switchback";
  command = bench->add_subcommand("trunk", kBenchTrunkHelp);
  AddNetworkFlags(command, trunk.get());
  command->add_option("--seconds", trunk->seconds, "Of processor time each, default 240")
      ->check(CLI::Range(0.1, 1e6));
  command->add_option("--rows", trunk->rows, "Positions, default 60000")
      ->check(CLI::Range(100, 1 << 24));
  command->add_option("--seed", trunk->seed, "Of the first weights");
  command->footer("Example:\n  crossriver bench trunk --variant switchback --size 32x4");
  SetAction(command, trunk, action, RunBenchTrunk);
}

}  // namespace crossriver
