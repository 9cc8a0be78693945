// The evaluator that the command line asks for.
#ifndef CROSSRIVER_TOOLS_EVALUATOR_CHOICE_H_
#define CROSSRIVER_TOOLS_EVALUATOR_CHOICE_H_

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "core/rules.h"
#include "selfplay/players/chosen_evaluator.h"

namespace crossriver {

struct EvaluatorFlags {
  std::string net;              // a network as in ResolveNetwork; empty = `evaluator` says
  std::string device = "auto";  // of the network
  // "uniform", "rollout", or "auto": the shipped network of the variant, and "uniform" where there
  // is none or the program can't open it.
  std::string evaluator = "auto";
  int rollouts = 4;  // games a position
  int seed = 1;
  // Not a flag: whether the leaves of many searches come in one call, rather than those of one.
  bool many_searches = false;

  friend bool operator==(const EvaluatorFlags&, const EvaluatorFlags&) = default;
};

void AddEvaluatorFlags(CLI::App* command, EvaluatorFlags* flags);

// Whether they can stand for a network.
inline bool MayBeNetwork(const EvaluatorFlags& flags) {
  return !flags.net.empty() || flags.evaluator == "auto";
}

// `flags` without "auto", by what it stands for.
EvaluatorFlags Resolved(EvaluatorFlags flags, const Rules& rules);

// For so many threads. Errors: a network that can't be loaded.
absl::StatusOr<ChosenEvaluator> ChooseEvaluator(const EvaluatorFlags& flags,
                                                std::shared_ptr<const Rules> rules, int threads);

// What ChooseEvaluator does with a network. Each of the two programs sets it once, before it parses
// its arguments: crossriver-net loads the network, crossriver runs crossriver-net instead.
using NetworkOpener = std::function<absl::StatusOr<ChosenEvaluator>(
    const EvaluatorFlags& flags, std::shared_ptr<const Rules> rules, int threads)>;
void SetNetworkOpener(NetworkOpener opener);

// Whether this program can open networks, for those that learn only later whether they shall. Where
// it can't, and there is another program beside it that can, that one takes over with the same
// arguments, and this does not return: call it before anything is read or written.
bool CanOpenNetworks();
// What it does first: crossriver sets it to run crossriver-net, and it returns where there is none.
void SetNetworkHandover(std::function<void()> handover);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_EVALUATOR_CHOICE_H_
