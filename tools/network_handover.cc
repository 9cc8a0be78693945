// crossriver's side of the commands that need LibTorch: their names, handed over.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tools/network_commands.h"
#include "tools/program_folder.h"

namespace crossriver {
namespace {

// The path of crossriver-net, whether there is one or not: beside this program.
std::string NetworkProgram() { return (ProgramFolder() / "crossriver-net").string(); }

// Replaces this process by crossriver-net with the same arguments. Returns only with an error.
absl::Status ContinueAsNetworkProgram(char** argv) {
  const std::string program = NetworkProgram();
  // By default a waiting OpenMP thread spins for so long that two of them on one busy core stand
  // still. This is enough to bridge the gaps between operations.
  setenv("GOMP_SPINCOUNT", "10000", /*overwrite=*/0);
  execv(program.c_str(), argv);
  return absl::UnavailableError(absl::StrCat("this command needs ", program,
                                             ", which can't be run: ", std::strerror(errno),
                                             "; a build without LibTorch has none"));
}

void AddHandover(CLI::App* app, const char* name, const char* help, char** argv, Action* action) {
  CLI::App* command = app->add_subcommand(name, help);
  // Everything behind the name, --help included, is the other program's.
  command->set_help_flag();
  command->prefix_command();
  command->callback(
      [argv, action] { *action = [argv] { return ContinueAsNetworkProgram(argv); }; });
}

}  // namespace

void AddNetworkCommands(CLI::App* app, char** argv, Action* action) {
  SetNetworkOpener([argv](const EvaluatorFlags&, const std::shared_ptr<const Rules>&, int) {
    return absl::StatusOr<ChosenEvaluator>(ContinueAsNetworkProgram(argv));
  });
  SetNetworkHandover([argv] {
    if (access(NetworkProgram().c_str(), X_OK) == 0) ContinueAsNetworkProgram(argv).IgnoreError();
  });
  AddHandover(app, "train", kTrainHelp, argv, action);
  AddHandover(app, "fork", kForkHelp, argv, action);
  AddHandover(app, "net", kNetHelp, argv, action);
  AddHandover(app, "autotune", kAutotuneHelp, argv, action);
  CLI::App* bench = app->get_subcommand("bench");
  AddHandover(bench, "infer", kBenchInferHelp, argv, action);
  AddHandover(bench, "selfplay", kBenchSelfPlayHelp, argv, action);
  AddHandover(bench, "train", kBenchTrainHelp, argv, action);
  AddHandover(bench, "trunk", kBenchTrunkHelp, argv, action);
}

}  // namespace crossriver
