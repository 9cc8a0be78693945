// crossriver net: network files.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "nn/checkpoint.h"
#include "nn/checkpoint_metadata.h"
#include "nn/evaluation_difference.h"
#include "nn/network_difference.h"
#include "nn/network_evaluator.h"
#include "nn/random_network.h"
#include "selfplay/players/network_reference.h"
#include "tools/network_commands.h"
#include "tools/network_config.h"
#include "tools/variant_files.h"

namespace crossriver {
namespace {

// Legal moves of a middling position, for the cost of the policy head.
constexpr int kTypicalMoves = 60;

struct InitFlags {
  std::string variant;
  std::string file;
  std::string config;
  uint64_t seed = 1;
  bool force = false;
};

struct InfoFlags {
  std::string file;
  bool json = false;
};

struct ExportFlags {
  std::string from;  // a file, or a run and a checkpoint
  std::string file;
  std::string variant;
  bool force = false;
};

struct DiffFlags {
  std::string first;
  std::string second;
  std::string variant;
  int positions = 1000;
  bool json = false;
};

nlohmann::ordered_json ToJson(const std::string& file, const CheckpointInfo& info) {
  return {{"file", file},
          {"format", CheckpointInfo::kFormatVersion},
          {"family", info.family},
          {"variants", info.variants},
          {"options", WriteOptions(info.options)},
          {"parameters", CountParameters(info.options, info.shape)},
          {"flops_per_position", FlopsPerPosition(info.options, info.shape, kTypicalMoves)},
          {"planes", info.planes},
          {"constants", info.constants},
          {"step", info.step},
          {"run_id", info.run_id},
          {"time", info.time},
          {"rules_hash", WriteHash(info.rules_hash)},
          {"schema_hash", WriteHash(info.schema_hash)},
          {"weights_hash", WriteHash(info.weights_hash)}};
}

void Print(const std::string& file, const CheckpointInfo& info) {
  const NetworkShape& shape = info.shape;
  std::printf("file        %s\n", file.c_str());
  std::printf("variant     %s (family %s)\n", absl::StrJoin(info.variants, ", ").c_str(),
              info.family.c_str());
  std::printf("network     %dx%d, %s\n", info.options.channels, info.options.blocks,
              WriteOptions(info.options).c_str());
  std::printf("input       %d planes of %d x %d, %d constants\n", shape.planes, shape.ranks,
              shape.columns(), shape.constants);
  std::printf("parameters  %lld\n", static_cast<long long>(CountParameters(info.options, shape)));
  std::printf("cost        %.1f million floating-point operations a position\n",
              static_cast<double>(FlopsPerPosition(info.options, shape, kTypicalMoves)) / 1e6);
  std::printf("trained     %lld steps%s%s, written %s\n", static_cast<long long>(info.step),
              info.run_id.empty() ? "" : " in run ", info.run_id.c_str(), info.time.c_str());
  std::printf("hashes      rules %s  schema %s  weights %s\n", WriteHash(info.rules_hash).c_str(),
              WriteHash(info.schema_hash).c_str(), WriteHash(info.weights_hash).c_str());
}

absl::Status CheckMayWrite(const std::string& file, bool force) {
  std::error_code error;
  if (force || !std::filesystem::exists(file, error)) return absl::OkStatus();
  return absl::AlreadyExistsError(absl::StrCat(file, ": is there already; --force replaces it"));
}

// Of `variant`, or where it is empty of what the network was trained on.
absl::StatusOr<std::shared_ptr<const Rules>> RulesFor(const std::string& network,
                                                      const std::string& variant) {
  if (!variant.empty()) return LoadVariantArgument(variant);
  const absl::StatusOr<CheckpointInfo> info = InspectNetwork(network);
  if (!info.ok()) return info.status();
  return LoadVariantArgument(info->variants.empty() ? "" : info->variants.front());
}

absl::Status PrintFile(const std::string& file) {
  const absl::StatusOr<CheckpointInfo> info = InspectNetwork(file);
  if (!info.ok()) return info.status();
  Print(file, *info);
  return absl::OkStatus();
}

absl::Status RunInit(const InitFlags& flags) {
  const absl::StatusOr<std::shared_ptr<const Rules>> rules = LoadVariantArgument(flags.variant);
  if (!rules.ok()) return rules.status();
  const absl::StatusOr<NetworkConfig> config = ReadNetworkConfig(flags.config);
  if (!config.ok()) return config.status();
  absl::Status status = CheckMayWrite(flags.file, flags.force);
  if (!status.ok()) return status;
  status = SaveNetwork(flags.file, *RandomNetwork(config->network, **rules, flags.seed),
                       DescribeNetwork(config->network, **rules));
  return status.ok() ? PrintFile(flags.file) : status;
}

// A checkpoint's file also has the weights that training goes on with, which nobody plays with.
absl::Status RunExport(const ExportFlags& flags) {
  const absl::StatusOr<NetworkReference> from = ResolveNetwork(flags.from);
  if (!from.ok()) return from.status();
  for (const std::string& message : from->messages) {
    std::fprintf(stderr, "note: %s\n", message.c_str());
  }
  const absl::StatusOr<std::shared_ptr<const Rules>> rules = RulesFor(from->file, flags.variant);
  if (!rules.ok()) return rules.status();
  const absl::StatusOr<LoadedNetwork> loaded = LoadNetwork(from->file, **rules);
  if (!loaded.ok()) return loaded.status();
  absl::Status status = CheckMayWrite(flags.file, flags.force);
  if (!status.ok()) return status;
  status = SaveNetwork(flags.file, *loaded->network, loaded->info);
  return status.ok() ? PrintFile(flags.file) : status;
}

absl::Status RunInfo(const InfoFlags& flags) {
  const absl::StatusOr<CheckpointInfo> info = InspectNetwork(flags.file);
  if (!info.ok()) return info.status();
  if (flags.json) {
    std::printf("%s\n", ToJson(flags.file, *info).dump(2).c_str());
  } else {
    Print(flags.file, *info);
  }
  return absl::OkStatus();
}

void PrintTensors(const std::vector<TensorDifference>& tensors) {
  std::printf("%-28s %10s %12s %12s %12s\n", "tensor", "numbers", "mean change", "max change",
              "relative");
  for (const TensorDifference& tensor : tensors) {
    std::printf("%-28s %10lld %12.3g %12.3g %12.3g\n", tensor.name.c_str(),
                static_cast<long long>(tensor.numbers), tensor.mean, tensor.max, tensor.relative);
  }
}

void PrintOutputs(const EvaluationDifference& outputs) {
  std::printf("over %d positions of random games\n", outputs.positions);
  std::printf(
      "policy      divergence %.4f nats, same best move %.1f%%, largest change of a move %.4f\n",
      outputs.mean_divergence, 100 * outputs.same_best, outputs.max_policy);
  std::printf("value       mean change of win - loss %.4f, largest of a probability %.4f\n",
              outputs.mean_value, outputs.max_wdl);
}

nlohmann::ordered_json ToJson(const std::vector<TensorDifference>& tensors,
                              const EvaluationDifference& outputs) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const TensorDifference& tensor : tensors) {
    list.push_back({{"name", tensor.name},
                    {"numbers", tensor.numbers},
                    {"mean", tensor.mean},
                    {"max", tensor.max},
                    {"relative", tensor.relative}});
  }
  return {{"tensors", list},
          {"positions", outputs.positions},
          {"policy_divergence", outputs.mean_divergence},
          {"policy_max", outputs.max_policy},
          {"same_best", outputs.same_best},
          {"value_mean", outputs.mean_value},
          {"wdl_max", outputs.max_wdl}};
}

absl::Status RunDiff(const DiffFlags& flags) {
  const absl::StatusOr<std::shared_ptr<const Rules>> rules = RulesFor(flags.first, flags.variant);
  if (!rules.ok()) return rules.status();
  const absl::StatusOr<LoadedNetwork> first = LoadNetwork(flags.first, **rules);
  if (!first.ok()) return first.status();
  const absl::StatusOr<LoadedNetwork> second = LoadNetwork(flags.second, **rules);
  if (!second.ok()) return second.status();
  const auto evaluator = [&rules](const LoadedNetwork& loaded) {
    return NetworkEvaluator(std::make_shared<InferenceModel>(
        *loaded.network, *rules, loaded.info.weights_hash, DeviceChoice{}, InferenceSettings{}));
  };
  NetworkEvaluator a = evaluator(*first), b = evaluator(*second);
  const absl::StatusOr<EvaluationDifference> outputs =
      CompareEvaluators(&a, &b, RandomPositions(**rules, flags.positions, /*seed=*/1));
  if (!outputs.ok()) return outputs.status();
  const std::vector<TensorDifference> tensors = CompareTensors(*first->network, *second->network);
  if (flags.json) {
    std::printf("%s\n", ToJson(tensors, *outputs).dump(2).c_str());
    return absl::OkStatus();
  }
  PrintTensors(tensors);
  PrintOutputs(*outputs);
  return absl::OkStatus();
}

}  // namespace

void AddNetCommand(CLI::App* app, Action* action) {
  CLI::App* net = app->add_subcommand("net", kNetHelp);
  net->require_subcommand(1);
  net->footer("Example:\n  crossriver net init switchback first.safetensors");

  auto init = std::make_shared<InitFlags>();
  CLI::App* command = net->add_subcommand("init", "Write a network with random weights");
  command->add_option("variant", init->variant, kVariantHelp)->required();
  command->add_option("file", init->file, "The file to write (.safetensors)")->required();
  command->add_option("--config", init->config, "TOML file with a table [network]");
  command->add_option("--seed", init->seed, "Of the weights, default 1");
  command->add_flag("--force", init->force, "Replace a file that is there");
  command->footer(
      "Example:\n  crossriver net init switchback first.safetensors --config "
      "configs/nets/64x6.toml");
  SetAction(command, init, action, RunInit);

  auto info = std::make_shared<InfoFlags>();
  command = net->add_subcommand("info", "Check a network file and say what it is");
  command->add_option("file", info->file, "A network file")->required();
  command->add_flag("--json", info->json, "Print JSON");
  command->footer("Example:\n  crossriver net info first.safetensors");
  SetAction(command, info, action, RunInfo);

  auto exported = std::make_shared<ExportFlags>();
  command = net->add_subcommand("export", "Write the weights to play with, alone, to a file");
  command->add_option("from", exported->from, "A network file, or a run as RUN@12 or RUN@latest")
      ->required();
  command->add_option("file", exported->file, "The file to write (.safetensors)")->required();
  command->add_option("--variant", exported->variant, "Default: what it was trained on");
  command->add_flag("--force", exported->force, "Replace a file that is there");
  command->footer("Example:\n  crossriver net export runs/mine@latest mine.safetensors");
  SetAction(command, exported, action, RunExport);

  auto diff = std::make_shared<DiffFlags>();
  command = net->add_subcommand("diff", "How two networks differ in weights and in outputs");
  command->add_option("first", diff->first, "A network file")->required();
  command->add_option("second", diff->second, "Another")->required();
  command->add_option("--variant", diff->variant, "Default: what the first was trained on");
  command->add_option("--positions", diff->positions, "Positions compared, default 1000")
      ->check(CLI::Range(1, 1000000));
  command->add_flag("--json", diff->json, "Print JSON");
  command->footer("Example:\n  crossriver net diff old.safetensors new.safetensors");
  SetAction(command, diff, action, RunDiff);
}

}  // namespace crossriver
