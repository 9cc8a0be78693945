#include "tools/evaluator_choice.h"

#include "absl/strings/str_cat.h"
#include "mcts/rollout_evaluator.h"
#include "mcts/uniform_evaluator.h"

namespace crossriver {

void AddEvaluatorFlags(CLI::App* command, EvaluatorFlags* flags) {
  command->add_option("--net", flags->net, "Network to evaluate positions with");
  command
      ->add_option("--evaluator", flags->evaluator,
                   "Without a network: uniform (default; proofs alone count) or rollout")
      ->check(CLI::IsMember({"uniform", "rollout"}));
  command->add_option("--rollouts", flags->rollouts, "Random games a position, default 4")
      ->check(CLI::Range(1, 100000));
}

absl::StatusOr<ChosenEvaluator> ChooseEvaluator(const EvaluatorFlags& flags, const Rules&) {
  if (!flags.net.empty()) {
    return absl::UnimplementedError(
        absl::StrCat("--net ", flags.net, ": this program was built without networks"));
  }
  if (flags.evaluator == "rollout") {
    RolloutOptions options;
    options.games = flags.rollouts;
    options.seed = static_cast<uint64_t>(flags.seed);
    return ChosenEvaluator{std::make_unique<RolloutEvaluator>(options), true};
  }
  return ChosenEvaluator{std::make_unique<UniformEvaluator>(), true};
}

}  // namespace crossriver
