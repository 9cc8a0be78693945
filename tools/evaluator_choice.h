// The evaluator that the command line asks for.
#ifndef CROSSRIVER_TOOLS_EVALUATOR_CHOICE_H_
#define CROSSRIVER_TOOLS_EVALUATOR_CHOICE_H_

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "core/evaluator.h"
#include "core/rules.h"

namespace crossriver {

struct EvaluatorFlags {
  std::string net;                    // file of a network; empty = none
  std::string device = "auto";        // of the network
  std::string evaluator = "uniform";  // or "rollout"; where there is no network
  int rollouts = 4;                   // games a position
  int seed = 1;
};

void AddEvaluatorFlags(CLI::App* command, EvaluatorFlags* flags);

struct ChosenEvaluator {
  std::unique_ptr<Evaluator> evaluator;
  bool is_thread_safe = false;
  int batch = 1;  // positions a call that it is fast with
};

// For so many threads. Errors: a network that can't be loaded.
absl::StatusOr<ChosenEvaluator> ChooseEvaluator(const EvaluatorFlags& flags,
                                                std::shared_ptr<const Rules> rules, int threads);

// What ChooseEvaluator does with a network. Each of the two programs sets it once, before it parses
// its arguments: crossriver-net loads the network, crossriver runs crossriver-net instead.
using NetworkOpener = std::function<absl::StatusOr<ChosenEvaluator>(
    const EvaluatorFlags& flags, std::shared_ptr<const Rules> rules, int threads)>;
void SetNetworkOpener(NetworkOpener opener);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_EVALUATOR_CHOICE_H_
