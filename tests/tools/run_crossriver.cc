#include "tests/tools/run_crossriver.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <sstream>

namespace crossriver::testing {

std::string TempFile(const std::string& name) {
  return ::testing::TempDir() + "/" + std::to_string(getpid()) + "_" + name;
}

Finished RunCrossriver(const std::string& arguments) {
  return RunShell(std::string("\"") + CROSSRIVER_BINARY + "\" " + arguments);
}

Finished RunShell(const std::string& shell_command) {
  // Progress of slow builds goes to standard error, too.
  const std::string errors = TempFile("errors.txt");
  // Tests say which network they mean; they don't depend on those that come with the program.
  const std::string command =
      "export CROSSRIVER_NETS=${CROSSRIVER_NETS-none}; (" + shell_command + ") 2> " + errors;
  Finished run;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return run;
  char chunk[4096];
  while (const size_t n = fread(chunk, 1, sizeof(chunk), pipe)) run.output.append(chunk, n);
  const int status = pclose(pipe);
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  std::ostringstream text;
  text << std::ifstream(errors).rdbuf();
  run.errors = text.str();
  return run;
}

nlohmann::json RunForJson(const std::string& arguments) {
  const Finished run = RunCrossriver(arguments + " --json");
  EXPECT_EQ(run.status, 0) << run.errors;
  return nlohmann::json::parse(run.output, nullptr, false);
}

nlohmann::json WithoutSpeed(nlohmann::json report) {
  for (const char* name : {"seconds", "games_played", "evaluations", "evaluator_calls"}) {
    report.erase(name);
  }
  return report;
}

}  // namespace crossriver::testing
