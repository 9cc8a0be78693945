#include "selfplay/checksum.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace crossriver {
namespace {

absl::StatusOr<FileChecksum> ChecksumOfDescriptor(int file, const std::string& path) {
  struct stat facts = {};
  if (fstat(file, &facts) != 0) return absl::ErrnoToStatus(errno, path + ": can't be read");
  if (!S_ISREG(facts.st_mode)) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": is not a regular file"));
  }
  const std::unique_ptr<XXH64_state_t, decltype(&XXH64_freeState)> state(XXH64_createState(),
                                                                         &XXH64_freeState);
  XXH64_reset(state.get(), 0);
  std::vector<char> buffer(1 << 18);
  FileChecksum result;
  while (true) {
    const ssize_t count = read(file, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return absl::ErrnoToStatus(errno, path + ": can't be read");
    if (count == 0) break;
    XXH64_update(state.get(), buffer.data(), static_cast<size_t>(count));
    result.bytes += count;
  }
  result.checksum = XXH64_digest(state.get());
  return result;
}

}  // namespace

uint64_t Checksum(absl::string_view bytes) { return XXH64(bytes.data(), bytes.size(), 0); }

absl::StatusOr<FileChecksum> ChecksumOfFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return absl::ErrnoToStatus(errno, path + ": can't be opened");
  absl::StatusOr<FileChecksum> result = ChecksumOfDescriptor(file, path);
  close(file);
  return result;
}

}  // namespace crossriver
