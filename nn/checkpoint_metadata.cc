#include "nn/checkpoint_metadata.h"

#include <limits>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "core/spelling.h"

namespace crossriver {
namespace {

constexpr int64_t kMaxCount = 1 << 20;

struct ShapeField {
  const char* name;
  int NetworkShape::*member;
};
constexpr ShapeField kShapeFields[] = {
    {"shape.planes", &NetworkShape::planes}, {"shape.constants", &NetworkShape::constants},
    {"shape.ranks", &NetworkShape::ranks},   {"shape.levels", &NetworkShape::levels},
    {"shape.files", &NetworkShape::files},   {"shape.hand_kinds", &NetworkShape::hand_kinds}};
constexpr char kPromotions[] = "shape.promotions";

// Names in one text; they hold no commas.
std::string WriteNames(const std::vector<std::string>& names) { return absl::StrJoin(names, ","); }
std::vector<std::string> ReadNames(const std::string& text) {
  return absl::StrSplit(text, ',', absl::SkipEmpty());
}

absl::Status ReadShape(const Metadata& metadata, NetworkShape* shape) {
  for (const ShapeField& field : kShapeFields) {
    const absl::StatusOr<int64_t> number = ReadNumber(metadata, field.name, 0, kMaxCount);
    if (!number.ok()) return number.status();
    shape->*field.member = static_cast<int>(*number);
  }
  const absl::StatusOr<int64_t> promotions = ReadNumber(metadata, kPromotions, 0, 1);
  if (!promotions.ok()) return promotions.status();
  shape->promotions = *promotions == 1;
  const int64_t cells = int64_t{1} * shape->ranks * shape->levels * shape->files;
  if (cells < 1 || cells > kMaxCells || shape->planes < 1 || shape->constants < 1) {
    return absl::DataLossError("metadata: the shape of the board or the planes is impossible");
  }
  return absl::OkStatus();
}

}  // namespace

std::string WriteHash(uint64_t hash) { return absl::StrFormat("%016x", hash); }

absl::StatusOr<std::string> ReadText(const Metadata& metadata, const std::string& name) {
  const auto found = metadata.find(name);
  if (found != metadata.end()) return found->second;
  return absl::DataLossError(absl::StrCat("metadata have no '", name, "'"));
}

absl::StatusOr<uint64_t> ReadHash(const Metadata& metadata, const std::string& name) {
  const absl::StatusOr<std::string> text = ReadText(metadata, name);
  if (!text.ok()) return text.status();
  uint64_t hash = 0;
  if (text->size() == 16 && absl::SimpleHexAtoi(*text, &hash)) return hash;
  return absl::DataLossError(
      absl::StrCat("metadata '", name, "': '", Printable(*text), "' is no hash"));
}

absl::StatusOr<int64_t> ReadNumber(const Metadata& metadata, const std::string& name, int64_t min,
                                   int64_t max) {
  const absl::StatusOr<std::string> text = ReadText(metadata, name);
  if (!text.ok()) return text.status();
  int64_t number = 0;
  if (absl::SimpleAtoi(*text, &number) && number >= min && number <= max) return number;
  return absl::DataLossError(absl::StrCat("metadata '", name, "': '", Printable(*text),
                                          "' is no number from ", min, " to ", max));
}

absl::Status CheckKind(const Metadata& metadata, const std::string& kind) {
  const absl::StatusOr<std::string> text = ReadText(metadata, "kind");
  if (!text.ok() || *text != kind) {
    return absl::DataLossError(
        absl::StrCat("is no ", kind, " but ", text.ok() ? Printable(*text) : "some other file"));
  }
  const absl::StatusOr<int64_t> version =
      ReadNumber(metadata, "format", 0, std::numeric_limits<int>::max());
  if (!version.ok()) return version.status();
  if (*version != CheckpointInfo::kFormatVersion) {
    return absl::FailedPreconditionError(absl::StrCat("has format version ", *version,
                                                      "; this program reads version ",
                                                      CheckpointInfo::kFormatVersion));
  }
  return absl::OkStatus();
}

Metadata WriteMetadata(const CheckpointInfo& info) {
  Metadata metadata = {{"kind", kNetworkKind},
                       {"format", absl::StrCat(CheckpointInfo::kFormatVersion)},
                       {"options", WriteOptions(info.options)},
                       {"family", info.family},
                       {"variants", WriteNames(info.variants)},
                       {"rules_hash", WriteHash(info.rules_hash)},
                       {"schema_hash", WriteHash(info.schema_hash)},
                       {"weights_hash", WriteHash(info.weights_hash)},
                       {"planes", WriteNames(info.planes)},
                       {"constants", WriteNames(info.constants)},
                       {"step", absl::StrCat(info.step)},
                       {"run_id", info.run_id},
                       {"time", info.time},
                       {kPromotions, info.shape.promotions ? "1" : "0"}};
  for (const ShapeField& field : kShapeFields) {
    metadata[field.name] = absl::StrCat(info.shape.*field.member);
  }
  return metadata;
}

absl::StatusOr<CheckpointInfo> ReadMetadata(const Metadata& metadata) {
  CheckpointInfo info;
  absl::Status status = CheckKind(metadata, kNetworkKind);
  const auto text = [&](const char* name) {
    absl::StatusOr<std::string> value = ReadText(metadata, name);
    status.Update(value.status());
    return value.ok() ? *std::move(value) : std::string();
  };
  const auto hash = [&](const char* name) {
    const absl::StatusOr<uint64_t> value = ReadHash(metadata, name);
    status.Update(value.status());
    return value.ok() ? *value : 0;
  };
  const absl::StatusOr<NetworkOptions> options = ReadOptions(text("options"));
  status.Update(options.status());
  if (options.ok()) info.options = *options;
  info.family = text("family");
  info.variants = ReadNames(text("variants"));
  info.rules_hash = hash("rules_hash");
  info.schema_hash = hash("schema_hash");
  info.weights_hash = hash("weights_hash");
  info.planes = ReadNames(text("planes"));
  info.constants = ReadNames(text("constants"));
  info.run_id = text("run_id");
  info.time = text("time");
  const absl::StatusOr<int64_t> step =
      ReadNumber(metadata, "step", 0, std::numeric_limits<int64_t>::max());
  status.Update(step.status());
  if (step.ok()) info.step = *step;
  status.Update(ReadShape(metadata, &info.shape));
  if (!status.ok()) return status;
  return info;
}

}  // namespace crossriver
