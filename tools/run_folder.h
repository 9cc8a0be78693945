// Runs as the commands that look at them need them.
#ifndef CROSSRIVER_TOOLS_RUN_FOLDER_H_
#define CROSSRIVER_TOOLS_RUN_FOLDER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/rules.h"
#include "core/variant_group.h"
#include "selfplay/run_directory.h"

namespace crossriver {

inline constexpr char kRunHelp[] = "A run's folder";

// Ids or files of its variants, as its config has them; the first is the one that counts where
// there can only be one.
absl::StatusOr<std::vector<std::string>> VariantNamesOfRun(const RunDirectory& run);
absl::StatusOr<VariantGroup> VariantsOfRun(const RunDirectory& run);
// The first of them.
absl::StatusOr<std::shared_ptr<const Rules>> RulesOfRun(const RunDirectory& run);

// "2026-03-01 14:05:12" of milliseconds since 1970, in local time.
std::string LocalTime(int64_t milliseconds);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_RUN_FOLDER_H_
