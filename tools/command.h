// The commands of the program. Each file cmd_*.cc adds one subcommand.
#ifndef CROSSRIVER_TOOLS_COMMAND_H_
#define CROSSRIVER_TOOLS_COMMAND_H_

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"

namespace crossriver {

// What the command line asked for; set by the parsed subcommand and called by main, which prints an
// error on standard error and turns it into exit status 1.
using Action = std::function<absl::Status()>;

void AddAnalyseCommand(CLI::App* app, Action* action);
void AddBenchCommand(CLI::App* app, Action* action);
void AddBookCommand(CLI::App* app, Action* action);
void AddEngineCommands(CLI::App* app, Action* action);  // uci, usi
void AddGamesCommand(CLI::App* app, Action* action);
void AddKeepCommands(CLI::App* app, Action* action);  // backup, doctor
void AddLadderCommand(CLI::App* app, Action* action);
void AddMatchCommand(CLI::App* app, Action* action);
void AddMovesCommand(CLI::App* app, Action* action);
void AddOpeningsCommand(CLI::App* app, Action* action);
void AddPerftCommand(CLI::App* app, Action* action);
void AddPlayCommand(CLI::App* app, Action* action);
void AddRandomCommand(CLI::App* app, Action* action);
void AddReportCommand(CLI::App* app, Action* action);
void AddServeCommand(CLI::App* app, Action* action);
void AddShowCommand(CLI::App* app, Action* action);
void AddSolveCommand(CLI::App* app, Action* action);
void AddStatusCommand(CLI::App* app, Action* action);
void AddSuiteCommand(CLI::App* app, Action* action);
void AddVariantsCommand(CLI::App* app, Action* action);

// Makes `run(*options)` the action of a subcommand. `options` must have been given to its flags.
template <typename Options, typename Run>
void SetAction(CLI::App* command, std::shared_ptr<Options> options, Action* action, Run run) {
  command->callback([options = std::move(options), action, run] {
    *action = [options, run] { return run(*options); };
  });
}

inline constexpr char kVariantHelp[] = "Variant id, or the path of a variant file (.toml)";

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_COMMAND_H_
