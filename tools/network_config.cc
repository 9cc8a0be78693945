#include "tools/network_config.h"

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/durable_file.h"
#include "tools/option_tables.h"
#include "tools/variant_files.h"

namespace crossriver {
namespace {

const std::vector<std::pair<std::string, ElementType>>& Types() {
  static const auto& types = *[] {
    auto* list = new std::vector<std::pair<std::string, ElementType>>;
    for (const ElementType type :
         {ElementType::kFloat32, ElementType::kBFloat16, ElementType::kFloat16}) {
      list->emplace_back(ToString(type), type);
    }
    return list;
  }();
  return types;
}

const std::vector<std::pair<std::string, OptimizerKind>>& Optimizers() {
  static const auto& names = *new std::vector<std::pair<std::string, OptimizerKind>>{
      {"adamw", OptimizerKind::kAdamW}, {"sgd", OptimizerKind::kSgd}};
  return names;
}
const std::vector<std::pair<std::string, Schedule>>& Schedules() {
  static const auto& names = *new std::vector<std::pair<std::string, Schedule>>{
      {"constant", Schedule::kConstant}, {"cosine", Schedule::kCosine}, {"step", Schedule::kStep}};
  return names;
}

absl::StatusOr<toml::table> ReadDocument(const std::string& path) {
  const absl::StatusOr<std::string> text = ReadFile(path, kMaxDocumentBytes + 1);
  if (!text.ok()) return text.status();
  return ParseToml(*text, path);
}

}  // namespace

void ReadNetworkTable(TableReader* table, NetworkOptions* options) {
  ReadNumbers(SizeOptions(), table, options);
  ReadNumbers(WeightOptions(), table, options);
  Set(table->Choice("geometry", Geometries()), &options->geometry);
  if (const absl::Status status = Validate(*options); !status.ok()) {
    table->Error("", std::string(status.message()));
  }
  table->Finish();
}

void ReadTrainingTable(TableReader* table, TrainerOptions* options) {
  ReadNumbers(RateOptions(), table, options);
  ReadNumbers(CountOptions(), table, options);
  Set(table->Choice("optimizer", Optimizers()), &options->optimizer);
  Set(table->Choice("schedule", Schedules()), &options->schedule);
  Set(table->Bool("augment"), &options->augment);
  Set(table->Choice("type", Types()), &options->type);
  table->Finish();
}

absl::Status ReadNetworkSize(const std::string& size, NetworkOptions* network) {
  char end = '\0';
  if (std::sscanf(size.c_str(), "%dx%d%c", &network->channels, &network->blocks, &end) != 2) {
    return absl::InvalidArgumentError(
        absl::StrCat("--size: '", size, "': expected channels x blocks, such as 64x6"));
  }
  network->pooling_channels = std::min(network->pooling_channels, network->channels);
  return Validate(*network);
}

void WriteTraining(const TrainerOptions& options, std::string* text) {
  absl::StrAppend(text, "optimizer = \"", NameOf(Optimizers(), options.optimizer),
                  "\"\nschedule = \"", NameOf(Schedules(), options.schedule),
                  "\"\naugment = ", options.augment ? "true" : "false", "\ntype = \"",
                  ToString(options.type), "\"\n");
  WriteNumbers(RateOptions(), options, text);
  WriteNumbers(CountOptions(), options, text);
}

absl::StatusOr<NetworkConfig> ReadNetworkConfig(const std::string& path, bool needs_variant) {
  if (path.empty()) return NetworkConfig{};
  const absl::StatusOr<toml::table> document = ReadDocument(path);
  if (!document.ok()) return document.status();
  Diagnostics diagnostics;
  TableReader top(*document, "", &diagnostics);
  NetworkConfig config;
  Set(top.String("device"), &config.device);
  Set(top.String("variant"), &config.variant);
  if (needs_variant) top.MissingKey("variant", "the id of a variant");
  if (auto network = top.Table("network")) ReadNetworkTable(&*network, &config.network);
  if (auto training = top.Table("training")) ReadTrainingTable(&*training, &config.trainer);
  if (!diagnostics.empty()) return diagnostics.status();
  return config;
}

absl::Status WriteMachineConfig(const std::string& path, const MachineConfig& config) {
  return WriteFileDurably(
      path, absl::StrFormat("# What crossriver autotune measured on this machine. A run may go on\n"
                            "# elsewhere: run autotune again there, or delete this file.\n"
                            "[inference]\n"
                            "type = \"%s\"\n"
                            "channels_last = %s\n"
                            "prepacked = %s\n"
                            "batch = %d\n"
                            "workers = %d\n"
                            "positions_per_second = %.0f\n"
                            "network = \"%s\"\n",
                            ToString(config.inference.type),
                            config.inference.channels_last ? "true" : "false",
                            config.inference.prepacked ? "true" : "false", config.inference.batch,
                            config.workers, config.positions_per_second, config.network));
}

absl::StatusOr<MachineConfig> ReadMachineConfig(const std::string& path) {
  const absl::StatusOr<toml::table> document = ReadDocument(path);
  if (!document.ok()) return document.status();
  Diagnostics diagnostics;
  TableReader top(*document, "", &diagnostics);
  MachineConfig config;
  if (auto table = top.Table("inference")) {
    Set(table->Choice("type", Types()), &config.inference.type);
    Set(table->Bool("channels_last"), &config.inference.channels_last);
    Set(table->Bool("prepacked"), &config.inference.prepacked);
    Set(table->Int("batch", 1, 1 << 16), &config.inference.batch);
    Set(table->Int("workers", 1, 1024), &config.workers);
    Set(table->Number("positions_per_second", 0, 1e12), &config.positions_per_second);
    Set(table->String("network"), &config.network);
    table->Finish();
  } else {
    top.MissingKey("inference", "a table");
  }
  top.Finish();
  if (!diagnostics.empty()) return diagnostics.status();
  return config;
}

}  // namespace crossriver
