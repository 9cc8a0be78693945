// A disk that takes no more, for tests.
#ifndef CROSSRIVER_TESTS_FILE_SIZE_LIMIT_H_
#define CROSSRIVER_TESTS_FILE_SIZE_LIMIT_H_

#include <signal.h>
#include <sys/resource.h>

namespace crossriver::testing {

// No file of this process may grow beyond so many bytes while it lives: a write takes what still
// fits, the next one fails with EFBIG.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    handler_ = signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit = {bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_ = {};
  void (*handler_)(int) = nullptr;
};

}  // namespace crossriver::testing

#endif  // CROSSRIVER_TESTS_FILE_SIZE_LIMIT_H_
