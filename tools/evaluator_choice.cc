#include "tools/evaluator_choice.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "mcts/rollout_evaluator.h"
#include "mcts/uniform_evaluator.h"
#include "tools/shipped_networks.h"

namespace crossriver {
namespace {

NetworkOpener& Opener() {
  static NetworkOpener opener;
  return opener;
}

std::function<void()>& Handover() {
  static std::function<void()> handover;
  return handover;
}

// Leaves that a thread gathers where evaluation costs nothing, for a shorter way to shared memory.
// Random games cost so much that a search would hear of its clock too late.
constexpr int kCheapBatch = 16;

}  // namespace

void AddEvaluatorFlags(CLI::App* command, EvaluatorFlags* flags) {
  command->add_option(
      "--net", flags->net,
      "Network to evaluate positions with: a file, or a run as RUN@12 or RUN@latest");
  command->add_option("--device", flags->device,
                      "Of the network: cpu, cuda:N or auto, which is the default");
  command
      ->add_option("--evaluator", flags->evaluator,
                   "Without --net: uniform (proofs alone count), rollout, or auto, which is the "
                   "default: the network that comes with the program, or uniform where there is "
                   "none for the variant")
      ->check(CLI::IsMember({"auto", "uniform", "rollout"}));
  command->add_option("--rollouts", flags->rollouts, "Random games a position, default 4")
      ->check(CLI::Range(1, 100000));
}

void SetNetworkOpener(NetworkOpener opener) { Opener() = std::move(opener); }

bool CanOpenNetworks() {
  if (Handover() == nullptr) return Opener() != nullptr;
  Handover()();
  return false;
}

void SetNetworkHandover(std::function<void()> handover) { Handover() = std::move(handover); }

EvaluatorFlags Resolved(EvaluatorFlags flags, const Rules& rules) {
  if (!flags.net.empty() || flags.evaluator != "auto") return flags;
  flags.evaluator = "uniform";
  const std::optional<std::string> shipped = ShippedNetwork(rules);
  if (shipped.has_value() && CanOpenNetworks()) flags.net = *shipped;
  return flags;
}

absl::StatusOr<ChosenEvaluator> ChooseEvaluator(const EvaluatorFlags& asked,
                                                std::shared_ptr<const Rules> rules, int threads) {
  const EvaluatorFlags flags = Resolved(asked, *rules);
  if (!flags.net.empty()) {
    if (!Opener()) {
      return absl::UnimplementedError(
          absl::StrCat("--net ", flags.net, ": this program was built without networks"));
    }
    return Opener()(flags, std::move(rules), threads);
  }
  if (flags.evaluator == "rollout") {
    RolloutOptions options;
    options.games = flags.rollouts;
    options.seed = static_cast<uint64_t>(flags.seed);
    return ChosenEvaluator{std::make_unique<RolloutEvaluator>(options), /*is_thread_safe=*/true,
                           /*batch=*/1};
  }
  const int batch = threads > 1 ? kCheapBatch : 1;
  return ChosenEvaluator{std::make_unique<UniformEvaluator>(), true, batch};
}

}  // namespace crossriver
