// The commands that need LibTorch. Loading it takes half a second, so they live in a program of
// their own, crossriver-net, beside crossriver; the latter hands these commands over to it.
#ifndef CROSSRIVER_TOOLS_NETWORK_COMMANDS_H_
#define CROSSRIVER_TOOLS_NETWORK_COMMANDS_H_

#include "tools/command.h"
#include "tools/evaluator_choice.h"

namespace crossriver {

// What the help of both programs says of them.
inline constexpr char kNetHelp[] = "Make, inspect and compare network files";
inline constexpr char kAutotuneHelp[] = "Find the fastest inference settings of this machine";
inline constexpr char kTrainHelp[] = "Train a network by self-play, or go on with a run";
inline constexpr char kForkHelp[] = "Copy a run to go on with other settings";
inline constexpr char kBenchInferHelp[] = "Evaluation by a network, beside its bare loop";
inline constexpr char kBenchSelfPlayHelp[] = "Self-play beside its network alone";
inline constexpr char kBenchTrainHelp[] = "Training steps";
inline constexpr char kBenchTrunkHelp[] = "Which trunk learns most in a given time";

// Adds them to `app`, which must have the subcommand "bench", and sets the NetworkOpener. Two
// implementations: the commands themselves (crossriver-net), or their names, which run
// crossriver-net with the arguments of this program, `argv` (crossriver).
void AddNetworkCommands(CLI::App* app, char** argv, Action* action);

// In crossriver-net:
void AddNetCommand(CLI::App* app, Action* action);
void AddAutotuneCommand(CLI::App* app, Action* action);
void AddTrainCommand(CLI::App* app, Action* action);
void AddForkCommand(CLI::App* app, Action* action);
void AddSelfPlayBench(CLI::App* bench, Action* action);
void AddNetworkBenches(CLI::App* bench, Action* action);
absl::StatusOr<ChosenEvaluator> OpenNetwork(const EvaluatorFlags& flags,
                                            std::shared_ptr<const Rules> rules, int threads);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_NETWORK_COMMANDS_H_
