// Suites named on a command line: built in by variant, or a user's file by path.
#ifndef CROSSRIVER_TOOLS_SUITE_FILES_H_
#define CROSSRIVER_TOOLS_SUITE_FILES_H_

#include <string>

#include "absl/status/statusor.h"
#include "selfplay/suites/suite.h"

namespace crossriver {

// A file is anything with a '/' or ending in ".jsonl"; its variant is an id or the path of a
// variant file. The error for an unknown variant has the nearest spelling.
absl::StatusOr<Suite> LoadSuiteArgument(const std::string& argument);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_SUITE_FILES_H_
