#include "tools/network_config.h"

#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "nn/durable_file.h"
#include "tools/variant_files.h"

namespace crossriver {
namespace {

constexpr int kMany = 1 << 30;
constexpr double kMaxWeight = 100;

const std::vector<std::pair<std::string, ElementType>>& Types() {
  static const auto& types =
      *new std::vector<std::pair<std::string, ElementType>>{{"float32", ElementType::kFloat32},
                                                            {"bfloat16", ElementType::kBFloat16},
                                                            {"float16", ElementType::kFloat16}};
  return types;
}

void Set(std::optional<int> value, int* target) { *target = value.value_or(*target); }
void Set(std::optional<bool> value, bool* target) { *target = value.value_or(*target); }
void Set(std::optional<double> value, double* target) { *target = value.value_or(*target); }
template <typename T>
void Set(std::optional<T> value, T* target) {
  *target = value.value_or(*target);
}

absl::StatusOr<toml::table> ReadDocument(const std::string& path) {
  const absl::StatusOr<std::string> text = ReadFile(path, kMaxDocumentBytes + 1);
  if (!text.ok()) return text.status();
  return ParseToml(*text, path);
}

}  // namespace

void ReadNetworkTable(TableReader* table, NetworkOptions* options) {
  for (const OptionRange& option : IntegerOptions()) {
    Set(table->Int(option.name, option.min, option.max), &(options->*option.member));
  }
  Set(table->Choice("geometry", Geometries()), &options->geometry);
  Set(table->Number("plies_left_weight", 0, kMaxWeight), &options->plies_left_weight);
  Set(table->Number("reply_weight", 0, kMaxWeight), &options->reply_weight);
  if (const absl::Status status = Validate(*options); !status.ok()) {
    table->Error("", std::string(status.message()));
  }
  table->Finish();
}

void ReadTrainingTable(TableReader* table, TrainerOptions* options) {
  Set(table->Choice<OptimizerKind>(
          "optimizer", {{"adamw", OptimizerKind::kAdamW}, {"sgd", OptimizerKind::kSgd}}),
      &options->optimizer);
  Set(table->Number("learning_rate", 0, 10), &options->learning_rate);
  Set(table->Number("weight_decay", 0, 1), &options->weight_decay);
  Set(table->Number("momentum", 0, 0.9999), &options->momentum);
  Set(table->Number("beta1", 0, 0.9999), &options->beta1);
  Set(table->Number("beta2", 0, 0.99999), &options->beta2);
  Set(table->Int("warmup_steps", 0, kMany), &options->warmup_steps);
  Set(table->Choice<Schedule>("schedule", {{"constant", Schedule::kConstant},
                                           {"cosine", Schedule::kCosine},
                                           {"step", Schedule::kStep}}),
      &options->schedule);
  Set(table->Int("schedule_steps", 1, kMany), &options->schedule_steps);
  Set(table->Number("final_share", 0, 1), &options->final_share);
  Set(table->Int("step_every", 1, kMany), &options->step_every);
  Set(table->Number("step_factor", 0, 1), &options->step_factor);
  Set(table->Number("gradient_clip", 0, 1e6), &options->gradient_clip);
  Set(table->Number("ema_decay", 0, 0.999999), &options->ema_decay);
  Set(table->Number("value_weight", 0, kMaxWeight), &options->value_weight);
  Set(table->Number("search_share", 0, 1), &options->search_share);
  Set(table->Bool("augment"), &options->augment);
  Set(table->Choice("type", Types()), &options->type);
  Set(table->Int("threads", 1, 1024), &options->threads);
  table->Finish();
}

absl::StatusOr<NetworkConfig> ReadNetworkConfig(const std::string& path) {
  const absl::StatusOr<toml::table> document = ReadDocument(path);
  if (!document.ok()) return document.status();
  Diagnostics diagnostics;
  TableReader top(*document, "", &diagnostics);
  NetworkConfig config;
  Set(top.String("device"), &config.device);
  if (auto network = top.Table("network")) ReadNetworkTable(&*network, &config.network);
  if (auto training = top.Table("training")) ReadTrainingTable(&*training, &config.trainer);
  if (!diagnostics.empty()) return diagnostics.status();
  return config;
}

absl::Status WriteMachineConfig(const std::string& path, const MachineConfig& config) {
  std::string type;
  for (const auto& [name, known] : Types()) {
    if (known == config.inference.type) type = name;
  }
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
                            type, config.inference.channels_last ? "true" : "false",
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
