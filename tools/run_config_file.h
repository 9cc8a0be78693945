// Training configurations in files.
#ifndef CROSSRIVER_TOOLS_RUN_CONFIG_FILE_H_
#define CROSSRIVER_TOOLS_RUN_CONFIG_FILE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "selfplay/run_config.h"

namespace crossriver {

// Reads a file of configs/train, a user's, or a run's config.toml. A file may say `inherits` with
// the name of another one, looked for beside it; tables are merged key by key. Each of `sets` is
// "table.key=value" (or "key=value") and overrides them. Every mistake is reported with file, line,
// field and the nearest valid spelling.
absl::StatusOr<RunConfig> ReadRunConfig(const std::string& path,
                                        const std::vector<std::string>& sets);
// The same of a text; `label` names it in errors. It may inherit nothing.
absl::StatusOr<RunConfig> ParseRunConfig(const std::string& text, const std::string& label,
                                         const std::vector<std::string>& sets);

// All options, defaults included: what a run's config.toml holds.
std::string WriteRunConfig(const RunConfig& config);

// The lines in which two configs differ, as "reuse = 4" in "[loop]": "[loop] reuse: 4, now 2".
// Options that a run may change when it goes on (how long, with how many workers, on which device,
// what is kept) are left out.
std::vector<std::string> FixedDifferences(const RunConfig& run, const RunConfig& now);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_RUN_CONFIG_FILE_H_
