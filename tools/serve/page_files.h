// The files of the page, compiled into the program.
#ifndef CROSSRIVER_TOOLS_SERVE_PAGE_FILES_H_
#define CROSSRIVER_TOOLS_SERVE_PAGE_FILES_H_

#include <string>
#include <vector>

namespace crossriver {

struct PageFile {
  std::string name;  // "board.js"
  std::string type;  // of its content, as HTTP has it
  std::string text;
};

// All of tools/serve/page, by name. The first call makes them; thread-safe.
const std::vector<PageFile>& PageFiles();

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_SERVE_PAGE_FILES_H_
