#include "nn/network_options.h"

#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "core/action_space.h"
#include "core/spelling.h"

namespace crossriver {
namespace {

absl::Status ReadOption(absl::string_view name, absl::string_view value, NetworkOptions* options) {
  std::vector<std::string> names = {"geometry"};
  for (const SizeOption& option : SizeOptions()) {
    names.push_back(option.name);
    if (name != option.name) continue;
    if (absl::SimpleAtoi(value, &(options->*option.member))) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat(option.name, ": '", value, "' is no number"));
  }
  for (const WeightOption& option : WeightOptions()) {
    names.push_back(option.name);
    if (name != option.name) continue;
    if (absl::SimpleAtod(value, &(options->*option.member))) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat(option.name, ": '", value, "' is no number"));
  }
  if (name != "geometry") {
    return absl::InvalidArgumentError(absl::StrCat("unknown network option '", Printable(name), "'",
                                                   Suggestion(std::string(name), names)));
  }
  for (const auto& [word, geometry] : Geometries()) {
    if (value != word) continue;
    options->geometry = geometry;
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat("unknown geometry '", Printable(value), "'"));
}

}  // namespace

const std::vector<SizeOption>& SizeOptions() {
  using Options = NetworkOptions;
  static const auto& options = *new std::vector<SizeOption>{
      {"channels", &Options::channels, 4, 1024},
      {"blocks", &Options::blocks, 0, 100},
      {"pooling_every", &Options::pooling_every, 0, 100},
      {"pooling_channels", &Options::pooling_channels, 1, 1024},
      {"squeeze_units", &Options::squeeze_units, 0, 1024},
      {"policy_channels", &Options::policy_channels, 1, 512},
      {"value_channels", &Options::value_channels, 1, 512},
      {"value_units", &Options::value_units, 1, 1024},
  };
  return options;
}

const std::vector<WeightOption>& WeightOptions() {
  static const auto& options = *new std::vector<WeightOption>{
      {"plies_left_weight", &NetworkOptions::plies_left_weight, 0, 100},
      {"reply_weight", &NetworkOptions::reply_weight, 0, 100},
  };
  return options;
}

const std::vector<std::pair<std::string, Geometry>>& Geometries() {
  static const auto& geometries = *new std::vector<std::pair<std::string, Geometry>>{
      {"unfolded", Geometry::kUnfolded}, {"mixed", Geometry::kMixed}, {"box", Geometry::kBox}};
  return geometries;
}

const char* ToString(Geometry geometry) {
  return Geometries()[static_cast<size_t>(geometry)].first.c_str();
}

absl::Status Validate(const NetworkOptions& options) {
  absl::Status status = CheckRanges(SizeOptions(), options);
  status.Update(CheckRanges(WeightOptions(), options));
  if (!status.ok()) return status;
  if (options.pooling_channels > options.channels) {
    return absl::InvalidArgumentError(absl::StrCat("pooling_channels: ", options.pooling_channels,
                                                   " are more than the trunk's channels, ",
                                                   options.channels));
  }
  return absl::OkStatus();
}

std::string WriteOptions(const NetworkOptions& options) {
  std::string text = absl::StrCat("geometry=", ToString(options.geometry));
  for (const SizeOption& option : SizeOptions()) {
    absl::StrAppend(&text, " ", option.name, "=", options.*option.member);
  }
  for (const WeightOption& option : WeightOptions()) {
    absl::StrAppendFormat(&text, " %s=%.12g", option.name, options.*option.member);
  }
  return text;
}

absl::StatusOr<NetworkOptions> ReadOptions(absl::string_view text) {
  NetworkOptions options;
  for (const absl::string_view field : absl::StrSplit(text, ' ', absl::SkipEmpty())) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(field, absl::MaxSplits('=', 1));
    const absl::Status status = ReadOption(parts.first, parts.second, &options);
    if (!status.ok()) return status;
  }
  const absl::Status status = Validate(options);
  if (!status.ok()) return status;
  return options;
}

NetworkShape ShapeOf(const Rules& rules, const FeatureSchema& schema) {
  NetworkShape shape;
  shape.planes = schema.num_planes();
  shape.constants = schema.num_constants();
  shape.ranks = rules.topology().ranks();
  shape.levels = rules.topology().levels();
  shape.files = rules.topology().files();
  shape.hand_kinds = static_cast<int>(rules.hand_kinds().size());
  shape.promotions = ActionSpace(&rules).has_promotions();
  return shape;
}

namespace {

// Parts of a network that cost: blocks that pool, and levels that are mixed.
int64_t PoolingBlocks(const NetworkOptions& options) {
  return options.pooling_every > 0 ? options.blocks / options.pooling_every : 0;
}
int64_t MixedLevels(const NetworkOptions& options, const NetworkShape& shape) {
  return options.geometry == Geometry::kMixed && shape.levels > 1 ? shape.levels : 0;
}
// Of a 3x3 or 3x3x3 kernel.
int64_t Taps(const NetworkOptions& options) { return options.geometry == Geometry::kBox ? 27 : 9; }

}  // namespace

int64_t CountParameters(const NetworkOptions& options, const NetworkShape& shape) {
  const int64_t channels = options.channels;
  // A convolution and its norm's scale and bias; a matrix and its bias.
  const auto convolution = [](int64_t in, int64_t out, int64_t taps) {
    return in * out * taps + 2 * out;
  };
  const auto dense = [](int64_t in, int64_t out) { return in * out + out; };
  int64_t count = convolution(shape.planes, channels, Taps(options));
  count += dense(shape.constants, channels);
  count += options.blocks * 2 * convolution(channels, channels, Taps(options));
  count += PoolingBlocks(options) * dense(2 * options.pooling_channels, channels);
  if (options.squeeze_units > 0) {
    count += options.blocks *
             (dense(channels, options.squeeze_units) + dense(options.squeeze_units, channels));
  }
  if (const int64_t levels = MixedLevels(options, shape); levels > 0) {
    count += options.blocks * (convolution(levels * channels, channels, 1) +
                               convolution(channels, levels * channels, 1));
  }
  const bool replies = options.reply_weight > 0;
  const int64_t pooled = 2 * options.value_channels;
  count += dense(channels, shape.cell_vectors() * options.policy_channels + options.value_channels +
                               (replies ? 2 : 0));
  if (shape.hand_kinds > 0) {
    count += dense(pooled, shape.hand_kinds * options.policy_channels);
    if (replies) count += dense(pooled, shape.hand_kinds);
  }
  count += dense(pooled, options.value_units) + dense(options.value_units, 3);
  if (options.plies_left_weight > 0) count += dense(options.value_units, 1);
  return count;
}

int64_t FlopsPerPosition(const NetworkOptions& options, const NetworkShape& shape,
                         int legal_moves) {
  const int64_t channels = options.channels;
  const int64_t cells = shape.cells();
  const int64_t taps = Taps(options);
  int64_t products = cells * taps * shape.planes * channels + shape.constants * channels;
  products += options.blocks * 2 * cells * taps * channels * channels;
  products += PoolingBlocks(options) * 2 * options.pooling_channels * channels;
  products += options.blocks * 2 * options.squeeze_units * channels;
  if (MixedLevels(options, shape) > 0) {
    products += options.blocks * 2 * cells * channels * channels;
  }
  const int64_t pooled = 2 * options.value_channels;
  products +=
      cells * channels * (shape.cell_vectors() * options.policy_channels + options.value_channels);
  products += pooled * shape.hand_kinds * options.policy_channels;
  products += pooled * options.value_units + options.value_units * 3;
  products += static_cast<int64_t>(legal_moves) * options.policy_channels;
  return 2 * products;
}

}  // namespace crossriver
