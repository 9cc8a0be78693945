// Files of a test's own.
#ifndef CROSSRIVER_TESTS_SCRATCH_FOLDER_H_
#define CROSSRIVER_TESTS_SCRATCH_FOLDER_H_

#include <string>
#include <vector>

namespace crossriver::testing {

// A new folder that is removed with all that is in it.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string File(const std::string& name) const { return path_ + "/" + name; }
  // Names of what is in it, sorted.
  std::vector<std::string> Names() const;

 private:
  std::string path_;
};

std::string ReadBytes(const std::string& path);
void WriteBytes(const std::string& path, const std::string& bytes);

}  // namespace crossriver::testing

#endif  // CROSSRIVER_TESTS_SCRATCH_FOLDER_H_
