#include "tools/run_folder.h"

#include "absl/time/time.h"
#include "core/toml_reader.h"
#include "tools/variant_files.h"

namespace crossriver {

absl::StatusOr<std::vector<std::string>> VariantNamesOfRun(const RunDirectory& run) {
  const absl::StatusOr<std::string> text = run.ReadConfig();
  if (!text.ok()) return text.status();
  const absl::StatusOr<toml::table> table = ParseToml(*text, run.config_path());
  if (!table.ok()) return table.status();
  Diagnostics diagnostics;
  TableReader top(*table, "", &diagnostics);
  const std::optional<std::string> variant = top.String("variant");
  const std::vector<std::string> also = top.Strings("also");
  if (!variant.has_value()) top.MissingKey("variant", "the id of a variant, or a file");
  if (!diagnostics.empty()) return diagnostics.status();
  std::vector<std::string> names = {*variant};
  names.insert(names.end(), also.begin(), also.end());
  return names;
}

absl::StatusOr<VariantGroup> VariantsOfRun(const RunDirectory& run) {
  const absl::StatusOr<std::vector<std::string>> names = VariantNamesOfRun(run);
  if (!names.ok()) return names.status();
  return LoadVariantGroup(*names);
}

absl::StatusOr<std::shared_ptr<const Rules>> RulesOfRun(const RunDirectory& run) {
  const absl::StatusOr<std::vector<std::string>> names = VariantNamesOfRun(run);
  if (!names.ok()) return names.status();
  return LoadVariantArgument(names->front());
}

std::string LocalTime(int64_t milliseconds) {
  return absl::FormatTime("%Y-%m-%d %H:%M:%S", absl::FromUnixMillis(milliseconds),
                          absl::LocalTimeZone());
}

}  // namespace crossriver
