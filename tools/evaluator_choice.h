// The evaluator that the command line asks for.
#ifndef CROSSRIVER_TOOLS_EVALUATOR_CHOICE_H_
#define CROSSRIVER_TOOLS_EVALUATOR_CHOICE_H_

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "core/evaluator.h"
#include "core/rules.h"

namespace crossriver {

struct EvaluatorFlags {
  std::string net;                    // file of a network; empty = none
  std::string evaluator = "uniform";  // or "rollout"; where there is no network
  int rollouts = 4;                   // games a position
  int seed = 1;
};

void AddEvaluatorFlags(CLI::App* command, EvaluatorFlags* flags);

struct ChosenEvaluator {
  std::unique_ptr<Evaluator> evaluator;
  bool is_thread_safe = false;
};

// Errors: a network that can't be loaded.
absl::StatusOr<ChosenEvaluator> ChooseEvaluator(const EvaluatorFlags& flags, const Rules& rules);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_EVALUATOR_CHOICE_H_
