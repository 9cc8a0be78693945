// Runs the program as a user or a script does.
#ifndef CROSSRIVER_TESTS_TOOLS_RUN_CROSSRIVER_H_
#define CROSSRIVER_TESTS_TOOLS_RUN_CROSSRIVER_H_

#include <nlohmann/json.hpp>
#include <string>

namespace crossriver::testing {

// A file of this test program's own: other processes run tests at the same time.
std::string TempFile(const std::string& name);

struct Finished {
  int status = -1;
  std::string output;
  std::string errors;
};

// Runs `crossriver ARGUMENTS` in a shell.
Finished RunCrossriver(const std::string& arguments);

// The object that `crossriver ARGUMENTS --json` prints. It must succeed.
nlohmann::json RunForJson(const std::string& arguments);

// A report of games without what depends on the machine's speed.
nlohmann::json WithoutSpeed(nlohmann::json report);

// Runs a command in a shell.
Finished RunShell(const std::string& command);

}  // namespace crossriver::testing

#endif  // CROSSRIVER_TESTS_TOOLS_RUN_CROSSRIVER_H_
