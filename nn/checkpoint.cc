#include "nn/checkpoint.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/spelling.h"
#include "nn/checkpoint_metadata.h"
#include "nn/network.h"
#include "nn/safetensors.h"
#include "nn/tensor_map.h"
#include "nn/trainer_state.h"

namespace crossriver {
namespace {

// Tensors of a file are named by what they are for.
constexpr char kPlayed[] = "net.";       // what a network plays with
constexpr char kTrained[] = "trained.";  // a trainer's weights and running statistics
constexpr char kAverage[] = "average.";  // its averaged parameters
constexpr char kOptimizer[] = "optimizer.";

void Put(const TensorMap& tensors, const char* prefix, SafetensorsFile* file) {
  for (const auto& [name, tensor] : tensors) file->tensors[prefix + name] = tensor;
}

TensorMap Take(const SafetensorsFile& file, const char* prefix) {
  TensorMap tensors;
  for (const auto& [name, tensor] : file.tensors) {
    if (absl::StartsWith(name, prefix)) {
      tensors[name.substr(absl::string_view(prefix).size())] = tensor;
    }
  }
  return tensors;
}

absl::Status InFile(const std::string& path, const absl::Status& status) {
  if (status.ok()) return status;
  return {status.code(), absl::StrCat(path, ": ", absl::string_view(status.message()))};
}

// "missing a, b; new c" of what the file has against what the variant wants.
std::string Difference(std::vector<std::string> have, std::vector<std::string> want) {
  std::sort(have.begin(), have.end());
  std::sort(want.begin(), want.end());
  std::vector<std::string> missing, extra;
  std::set_difference(want.begin(), want.end(), have.begin(), have.end(),
                      std::back_inserter(missing));
  std::set_difference(have.begin(), have.end(), want.begin(), want.end(),
                      std::back_inserter(extra));
  std::string text;
  if (!missing.empty()) absl::StrAppend(&text, " it lacks ", absl::StrJoin(missing, ", "), ";");
  if (!extra.empty()) absl::StrAppend(&text, " it has also ", absl::StrJoin(extra, ", "), ";");
  return text;
}

absl::Status CheckVariant(const CheckpointInfo& info, const Rules& rules, RulesMatch match) {
  const CheckpointInfo want = DescribeNetwork(info.options, rules);
  const std::string& id = rules.definition().id;
  if (info.schema_hash != want.schema_hash || info.shape != want.shape ||
      info.planes != want.planes || info.constants != want.constants) {
    std::string difference = Difference(info.planes, want.planes);
    absl::StrAppend(&difference, Difference(info.constants, want.constants));
    if (difference.empty()) difference = " the board, the moves or the order of planes differ;";
    return absl::FailedPreconditionError(
        absl::StrCat("this network is for other features than those of '", id, "':", difference,
                     " it was made for ", Printable(absl::StrJoin(info.variants, ", "))));
  }
  if (info.rules_hash == want.rules_hash || match == RulesMatch::kAny) return absl::OkStatus();
  if (info.family == want.family) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "this network was trained under other rules (", WriteHash(info.rules_hash), ", family ",
      Printable(info.family), ") than those of '", id, "' (", WriteHash(want.rules_hash),
      ", family ", want.family, "); ask for it explicitly to use it all the same"));
}

// The network of a file that has been read, its weights checked against the options.
absl::StatusOr<std::shared_ptr<Network>> BuildNetwork(const CheckpointInfo& info,
                                                      const TensorMap& weights,
                                                      const std::vector<int64_t>& columns) {
  int64_t numbers = 0;
  for (const auto& [name, tensor] : weights) numbers += tensor.numel();
  const int64_t needed = CountParameters(info.options, info.shape);
  if (numbers < needed) {  // before memory is taken for them
    return absl::DataLossError(absl::StrCat("holds ", numbers, " numbers of a network with ",
                                            needed, " parameters (", WriteOptions(info.options),
                                            ")"));
  }
  auto network = std::make_shared<Network>(info.options, info.shape, columns);
  absl::Status status = SetWeights(weights, network.get());
  if (status.ok() && HashTensors(weights) != info.weights_hash) {
    status = absl::DataLossError("its weights are not those that its metadata name");
  }
  if (!status.ok()) return status;
  network->eval();
  return network;
}

// What LibTorch throws for sizes that no memory holds.
template <typename Work>
auto Guarded(Work work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::exception& error) {
    return absl::InternalError(absl::StrCat("can't be loaded: ", error.what()));
  }
}

struct ReadNetwork {
  SafetensorsFile file;
  CheckpointInfo info;
};

absl::StatusOr<ReadNetwork> ReadNetworkFile(const std::string& path) {
  absl::StatusOr<SafetensorsFile> file = ReadSafetensors(path);
  if (!file.ok()) return file.status();
  absl::StatusOr<CheckpointInfo> info = ReadMetadata(file->metadata);
  if (!info.ok()) return InFile(path, info.status());
  return ReadNetwork{*std::move(file), *std::move(info)};
}

// The network that plays, for a variant whose features are those of the file.
absl::StatusOr<std::shared_ptr<Network>> PlayedNetwork(const ReadNetwork& read,
                                                       const std::vector<int64_t>& columns) {
  return Guarded([&] { return BuildNetwork(read.info, Take(read.file, kPlayed), columns); });
}

// Error: weights that are not finite; what was at the path stays.
absl::StatusOr<SafetensorsFile> NetworkFile(const Network& network, CheckpointInfo info) {
  const TensorMap weights = CopyWeights(network);
  const absl::Status status = CheckFinite(weights);
  if (!status.ok()) return status;
  info.weights_hash = HashTensors(weights);
  info.time = absl::FormatTime(absl::RFC3339_sec, absl::Now(), absl::UTCTimeZone());
  SafetensorsFile file;
  file.metadata = WriteMetadata(info);
  Put(weights, kPlayed, &file);
  return file;
}

// What pairs an optimiser's file with its network file.
constexpr char kTrainedHash[] = "trained_hash";
constexpr char kAverageHash[] = "average_hash";

Metadata PairMetadata(const TrainerState& state) {
  return {{"kind", kOptimizerKind},
          {"format", absl::StrCat(CheckpointInfo::kFormatVersion)},
          {"step", absl::StrCat(state.step)},
          {kTrainedHash, WriteHash(HashTensors(state.weights))},
          {kAverageHash, WriteHash(HashTensors(state.average))}};
}

absl::Status CheckPair(const Metadata& metadata, const TrainerState& state,
                       const std::string& network_path) {
  const absl::Status status = CheckKind(metadata, kOptimizerKind);
  if (!status.ok()) return status;
  for (const auto& [name, expected] : PairMetadata(state)) {
    const absl::StatusOr<std::string> text = ReadText(metadata, name);
    if (!text.ok()) return text.status();
    if (*text == expected) continue;
    return absl::FailedPreconditionError(
        absl::StrCat("belongs to another state of the training than ", network_path, ": its ", name,
                     " is ", Printable(*text), ", not ", expected));
  }
  return absl::OkStatus();
}

}  // namespace

CheckpointInfo DescribeNetwork(const NetworkOptions& options, const Rules& rules) {
  const FeatureSchema schema(rules);
  CheckpointInfo info;
  info.options = options;
  info.shape = ShapeOf(rules, schema);
  info.family = rules.definition().family;
  info.variants = {rules.definition().id};
  info.rules_hash = rules.hash();
  info.schema_hash = schema.hash();
  info.planes = schema.planes();
  info.constants = schema.constants();
  return info;
}

absl::Status SaveNetwork(const std::string& path, const Network& network, CheckpointInfo info) {
  const absl::StatusOr<SafetensorsFile> file = NetworkFile(network, std::move(info));
  if (!file.ok()) return InFile(path, file.status());
  return WriteSafetensors(path, *file);
}

absl::StatusOr<LoadedNetwork> LoadNetwork(const std::string& path, const Rules& rules,
                                          RulesMatch match) {
  absl::StatusOr<ReadNetwork> read = ReadNetworkFile(path);
  if (!read.ok()) return read.status();
  const absl::Status status = CheckVariant(read->info, rules, match);
  if (!status.ok()) return InFile(path, status);
  const absl::StatusOr<std::shared_ptr<Network>> network =
      PlayedNetwork(*read, MixingColumns(read->info.options, rules.topology()));
  if (!network.ok()) return InFile(path, network.status());
  return LoadedNetwork{*network, read->info};
}

absl::StatusOr<CheckpointInfo> InspectNetwork(const std::string& path) {
  const absl::StatusOr<ReadNetwork> read = ReadNetworkFile(path);
  if (!read.ok()) return read.status();
  // Which column comes where is the variant's to say and changes no weight.
  std::vector<int64_t> columns;
  if (read->info.options.geometry == Geometry::kMixed && read->info.shape.levels > 1) {
    for (int column = 0; column < read->info.shape.columns(); ++column) columns.push_back(column);
  }
  const absl::StatusOr<std::shared_ptr<Network>> network = PlayedNetwork(*read, columns);
  if (!network.ok()) return InFile(path, network.status());
  return read->info;
}

absl::Status SaveTraining(const std::string& network_path, const std::string& optimizer_path,
                          const Network& exported, const TrainerState& state, CheckpointInfo info) {
  info.step = state.step;
  absl::StatusOr<SafetensorsFile> network_file = NetworkFile(exported, std::move(info));
  for (const TensorMap* tensors : {&state.weights, &state.average, &state.optimizer}) {
    const absl::Status finite = CheckFinite(*tensors);
    if (!finite.ok()) return InFile(network_path, finite);
  }
  if (!network_file.ok()) return InFile(network_path, network_file.status());
  Put(state.weights, kTrained, &*network_file);
  Put(state.average, kAverage, &*network_file);
  SafetensorsFile optimizer_file;
  optimizer_file.metadata = PairMetadata(state);
  Put(state.optimizer, kOptimizer, &optimizer_file);
  const absl::Status status = WriteSafetensors(optimizer_path, optimizer_file);
  if (!status.ok()) return status;
  return WriteSafetensors(network_path, *network_file);
}

absl::StatusOr<TrainerState> LoadTraining(const std::string& network_path,
                                          const std::string& optimizer_path, const Rules& rules) {
  const absl::StatusOr<ReadNetwork> read = ReadNetworkFile(network_path);
  if (!read.ok()) return read.status();
  absl::Status status = CheckVariant(read->info, rules, RulesMatch::kFamily);
  if (status.ok() && read->info.rules_hash != rules.hash()) {
    status = absl::FailedPreconditionError(
        "the training it is of was under other rules; start anew from the network instead");
  }
  if (status.ok()) {
    status = PlayedNetwork(*read, MixingColumns(read->info.options, rules.topology())).status();
  }
  TrainerState state;
  state.step = read->info.step;
  state.weights = Take(read->file, kTrained);
  state.average = Take(read->file, kAverage);
  if (status.ok() && state.weights.empty()) {
    status =
        absl::FailedPreconditionError("holds a network to play with but no training to go on with");
  }
  if (!status.ok()) return InFile(network_path, status);
  const absl::StatusOr<SafetensorsFile> optimizer = ReadSafetensors(optimizer_path);
  if (!optimizer.ok()) return optimizer.status();
  status = CheckPair(optimizer->metadata, state, network_path);
  if (!status.ok()) return InFile(optimizer_path, status);
  state.optimizer = Take(*optimizer, kOptimizer);
  return state;
}

}  // namespace crossriver
