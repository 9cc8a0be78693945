// Files that are complete or not there.
#ifndef CROSSRIVER_CORE_DURABLE_FILE_H_
#define CROSSRIVER_CORE_DURABLE_FILE_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace crossriver {

// Writes a temporary file beside `path`, brings it to the disk, renames it and brings the folder to
// the disk. On an error the temporary file is removed and what was at `path` stays.
absl::Status WriteFileDurably(const std::string& path, absl::string_view content);

// Copies a regular file in the same way.
absl::Status CopyFileDurably(const std::string& source, const std::string& target);

// The whole file. Errors: the system's, and a file of more than `max_bytes`.
absl::StatusOr<std::string> ReadWholeFile(const std::string& path, size_t max_bytes);

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_DURABLE_FILE_H_
