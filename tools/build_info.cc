#include "tools/build_info.h"

#include "absl/strings/str_cat.h"
#include "build_facts.h"  // generated

#ifdef CROSSRIVER_WITH_TORCH
#include <torch/version.h>
#endif

namespace crossriver {
namespace {

std::string TorchFacts() {
#ifdef CROSSRIVER_WITH_TORCH
  return absl::StrCat(TORCH_VERSION, " (compiled against)");
#else
  return "none (built with CROSSRIVER_TORCH=OFF)";
#endif
}

}  // namespace

std::string BuildInfo() {
  return absl::StrCat("crossriver ", CROSSRIVER_VERSION, "\n",                    //
                      "revision:   ", CROSSRIVER_REVISION, "\n",                  //
                      "compiler:   ", CROSSRIVER_COMPILER, "\n",                  //
                      "build:      ", CROSSRIVER_BUILD_TYPE,                      //
                      CROSSRIVER_NATIVE ? ", for this machine's processor" : "",  //
                      sizeof(CROSSRIVER_SANITIZE) > 1 ? ", sanitizers " : "",     //
                      CROSSRIVER_SANITIZE, "\n",                                  //
                      "LibTorch:   ", TorchFacts());
}

}  // namespace crossriver
