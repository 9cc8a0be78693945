// The folders are layers: a file includes only what its folder may use.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "tests/test_data.h"

namespace crossriver {
namespace {

namespace fs = std::filesystem;

const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"core", {"core"}},
    {"mcts", {"mcts", "core"}},
    {"nn", {"nn", "core"}},
    {"selfplay", {"selfplay", "mcts", "nn", "core"}},
    {"tools", {"tools", "selfplay", "mcts", "nn", "core"}},
    {"tests", {"tests", "tools", "selfplay", "mcts", "nn", "core"}},
};

// The folder of an include of ours, such as `core` of `#include "core/types.h"`; empty for others.
std::string IncludedFolder(const std::string& line) {
  const std::string start = "#include \"";
  const size_t slash = line.find('/');
  if (line.rfind(start, 0) != 0 || slash == std::string::npos) return "";
  const std::string folder = line.substr(start.size(), slash - start.size());
  return kMayInclude.count(folder) != 0 ? folder : "";
}

TEST(LayeringTest, NoUpwardInclude) {
  int includes = 0;
  for (const auto& [folder, allowed] : kMayInclude) {
    const fs::path root = testing::SourcePath(folder);
    if (!fs::exists(root)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
      const std::string extension = entry.path().extension();
      if (extension != ".h" && extension != ".cc") continue;
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) {
        const std::string included = IncludedFolder(line);
        if (included.empty()) continue;
        ++includes;
        EXPECT_TRUE(allowed.count(included) != 0)
            << entry.path() << ": " << line << ": " << folder << " may not use " << included;
      }
    }
  }
  EXPECT_GT(includes, 50);
}

}  // namespace
}  // namespace crossriver
