#include "core/durable_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace crossriver {
namespace {

absl::Status SystemError(const std::string& what, const std::string& path) {
  return absl::ErrnoToStatus(errno, absl::StrCat(path, ": ", what));
}

// Closes at the end of a scope; a failed close of a file just synced loses nothing.
class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  ~Descriptor() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return descriptor_; }
  bool ok() const { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

// All of `content` to an open file.
absl::Status WriteAll(int file, absl::string_view content, const std::string& path) {
  while (!content.empty()) {
    const ssize_t written = write(file, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return SystemError("can't be written", path);
    content.remove_prefix(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

// What gives a file its content.
using Writer = absl::FunctionRef<absl::Status(int file, const std::string& path)>;

absl::Status WriteAndSync(const std::string& path, Writer write_content) {
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file.ok()) return SystemError("can't be created", path);
  if (absl::Status status = write_content(file.get(), path); !status.ok()) return status;
  if (fsync(file.get()) != 0) return SystemError("can't be brought to the disk", path);
  return absl::OkStatus();
}

absl::Status SyncFolder(const std::string& folder) {
  const Descriptor descriptor(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!descriptor.ok()) return SystemError("can't be opened", folder);
  if (fsync(descriptor.get()) != 0) return SystemError("can't be brought to the disk", folder);
  return absl::OkStatus();
}

absl::Status PutDurably(const std::string& path, Writer write_content) {
  const std::string temporary = absl::StrCat(path, ".", getpid(), ".tmp");
  absl::Status status = WriteAndSync(temporary, write_content);
  if (status.ok() && rename(temporary.c_str(), path.c_str()) != 0) {
    status = SystemError("can't be put in place", path);
  }
  if (!status.ok()) {
    unlink(temporary.c_str());
    return status;
  }
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return SyncFolder(folder.empty() ? "." : folder);
}

}  // namespace

absl::Status WriteFileDurably(const std::string& path, absl::string_view content) {
  return PutDurably(
      path, [content](int file, const std::string& name) { return WriteAll(file, content, name); });
}

absl::Status CopyFileDurably(const std::string& source, const std::string& target) {
  const Descriptor from(open(source.c_str(), O_RDONLY | O_CLOEXEC));
  if (!from.ok()) return SystemError("can't be opened", source);
  struct stat facts = {};
  if (fstat(from.get(), &facts) != 0) return SystemError("can't be read", source);
  if (!S_ISREG(facts.st_mode)) {
    return absl::InvalidArgumentError(absl::StrCat(source, ": is not a regular file"));
  }
  return PutDurably(target, [&](int file, const std::string& name) {
    std::string buffer(1 << 18, '\0');
    while (true) {
      const ssize_t count = read(from.get(), buffer.data(), buffer.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return SystemError("can't be read", source);
      if (count == 0) return absl::OkStatus();
      const absl::string_view content(buffer.data(), static_cast<size_t>(count));
      if (absl::Status status = WriteAll(file, content, name); !status.ok()) return status;
    }
  });
}

absl::StatusOr<std::string> ReadWholeFile(const std::string& path, size_t max_bytes) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.ok()) return SystemError("can't be opened", path);
  struct stat facts = {};
  if (fstat(file.get(), &facts) != 0) return SystemError("can't be read", path);
  if (!S_ISREG(facts.st_mode)) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": is not a regular file"));
  }
  if (static_cast<uintmax_t>(facts.st_size) > max_bytes) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": has ", facts.st_size, " bytes; at most ", max_bytes, " are read"));
  }
  std::string content(static_cast<size_t>(facts.st_size), '\0');
  size_t done = 0;
  while (done < content.size()) {
    const ssize_t count = read(file.get(), content.data() + done, content.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return SystemError("can't be read", path);
    if (count == 0) break;
    done += static_cast<size_t>(count);
  }
  content.resize(done);
  return content;
}

}  // namespace crossriver
