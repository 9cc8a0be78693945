// Variants named on a command line: built in by id, or a user's file by path.
#ifndef CROSSRIVER_TOOLS_VARIANT_FILES_H_
#define CROSSRIVER_TOOLS_VARIANT_FILES_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/rules.h"
#include "core/variant_group.h"

namespace crossriver {

// Whether an argument is the path of a file: anything with a '/' or ending in ".toml".
bool IsVariantPath(const std::string& argument);
// A file may inherit from files beside it and from the built-in ones, in this order; both are named
// by id, without ".toml".
absl::StatusOr<std::shared_ptr<const Rules>> LoadVariantArgument(const std::string& argument);
// Several of one family. Errors of VariantGroup::Create, too.
absl::StatusOr<VariantGroup> LoadVariantGroup(const std::vector<std::string>& arguments);
// LoadVariantArgument for what is known to be a file, whatever its name.
absl::StatusOr<std::shared_ptr<const Rules>> LoadVariantFile(const std::string& file);

// The first `max_bytes` of a file, which need not be a regular one; errors name it.
absl::StatusOr<std::string> ReadFile(const std::string& path, size_t max_bytes);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_VARIANT_FILES_H_
