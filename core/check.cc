#include "core/check.h"

#include <cstdio>
#include <cstdlib>

namespace crossriver::internal {

void CheckFailed(const char* file, int line, const std::string& what) {
  std::fprintf(stderr, "%s:%d: check failed: %s\n", file, line, what.c_str());
  std::abort();
}

}  // namespace crossriver::internal
