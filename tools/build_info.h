// Facts about this build.
#ifndef CROSSRIVER_TOOLS_BUILD_INFO_H_
#define CROSSRIVER_TOOLS_BUILD_INFO_H_

#include <string>

namespace crossriver {

// Several lines: version, revision, compiler, options, LibTorch.
std::string BuildInfo();

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_BUILD_INFO_H_
