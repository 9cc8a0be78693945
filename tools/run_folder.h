// Runs as the commands that look at them need them.
#ifndef CROSSRIVER_TOOLS_RUN_FOLDER_H_
#define CROSSRIVER_TOOLS_RUN_FOLDER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "core/rules.h"
#include "selfplay/run_directory.h"

namespace crossriver {

inline constexpr char kRunHelp[] = "A run's folder";

// The variant that its config names.
absl::StatusOr<std::string> VariantOfRun(const RunDirectory& run);
absl::StatusOr<std::shared_ptr<const Rules>> RulesOfRun(const RunDirectory& run);

// "2026-03-01 14:05:12" of milliseconds since 1970, in local time.
std::string LocalTime(int64_t milliseconds);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_RUN_FOLDER_H_
