// The one checksum of records and checkpoint files: XXH64 (xxHash), against damage, not malice.
#ifndef CROSSRIVER_SELFPLAY_CHECKSUM_H_
#define CROSSRIVER_SELFPLAY_CHECKSUM_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace crossriver {

uint64_t Checksum(absl::string_view bytes);

struct FileChecksum {
  uint64_t checksum = 0;
  int64_t bytes = 0;
};

// Reads the file in pieces. Errors: the system's, with the path; not a regular file.
absl::StatusOr<FileChecksum> ChecksumOfFile(const std::string& path);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_CHECKSUM_H_
