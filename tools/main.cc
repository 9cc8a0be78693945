// crossriver: the command line.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>

#include "tools/build_info.h"
#include "tools/command.h"
#include "tools/network_commands.h"

namespace crossriver {
namespace {

constexpr int kUsageError = 2;

int Main(int argc, char** argv) {
  CLI::App app("Self-play reinforcement learning for board games between xiangqi and shogi");
  app.name("crossriver");
  app.require_subcommand(1);
  app.set_version_flag("--version", BuildInfo);
  Action action;
  AddVariantsCommand(&app, &action);
  AddShowCommand(&app, &action);
  AddMovesCommand(&app, &action);
  AddAnalyseCommand(&app, &action);
  AddSolveCommand(&app, &action);
  AddSuiteCommand(&app, &action);
  AddPlayCommand(&app, &action);
  AddPerftCommand(&app, &action);
  AddRandomCommand(&app, &action);
  AddBenchCommand(&app, &action);
  AddEngineCommands(&app, &action);
  AddNetworkCommands(&app, argv, &action);
  AddMatchCommand(&app, &action);
  AddLadderCommand(&app, &action);
  AddServeCommand(&app, &action);
  AddStatusCommand(&app, &action);
  AddReportCommand(&app, &action);
  AddGamesCommand(&app, &action);
  AddOpeningsCommand(&app, &action);
  AddBookCommand(&app, &action);
  AddKeepCommands(&app, &action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsageError;
  }
  if (!action) return kUsageError;
  absl::Status status = action();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    status.Update(absl::UnavailableError("standard output can't be written"));
  }
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
  return 1;
}

}  // namespace
}  // namespace crossriver

int main(int argc, char** argv) {
  try {
    return crossriver::Main(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "crossriver: %s\n", error.what());
    return 1;
  }
}
