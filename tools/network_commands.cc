// crossriver-net's side of the commands that need LibTorch: the commands themselves.
#include "tools/network_commands.h"

namespace crossriver {

void AddNetworkCommands(CLI::App* app, char** /*argv*/, Action* action) {
  SetNetworkOpener(OpenNetwork);
  AddTrainCommand(app, action);
  AddForkCommand(app, action);
  AddNetCommand(app, action);
  AddAutotuneCommand(app, action);
  AddNetworkBenches(app->get_subcommand("bench"), action);
  AddSelfPlayBench(app->get_subcommand("bench"), action);
}

}  // namespace crossriver
