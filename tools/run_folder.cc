#include "tools/run_folder.h"

#include "absl/time/time.h"
#include "core/toml_reader.h"
#include "tools/variant_files.h"

namespace crossriver {

absl::StatusOr<std::string> VariantOfRun(const RunDirectory& run) {
  const absl::StatusOr<std::string> text = run.ReadConfig();
  if (!text.ok()) return text.status();
  const absl::StatusOr<toml::table> table = ParseToml(*text, run.config_path());
  if (!table.ok()) return table.status();
  Diagnostics diagnostics;
  TableReader top(*table, "", &diagnostics);
  const std::optional<std::string> variant = top.String("variant");
  if (!variant.has_value()) top.MissingKey("variant", "the id of a variant, or a file");
  if (!diagnostics.empty()) return diagnostics.status();
  return *variant;
}

absl::StatusOr<std::shared_ptr<const Rules>> RulesOfRun(const RunDirectory& run) {
  const absl::StatusOr<std::string> variant = VariantOfRun(run);
  if (!variant.ok()) return variant.status();
  return LoadVariantArgument(*variant);
}

std::string LocalTime(int64_t milliseconds) {
  return absl::FormatTime("%Y-%m-%d %H:%M:%S", absl::FromUnixMillis(milliseconds),
                          absl::LocalTimeZone());
}

}  // namespace crossriver
