#include "tools/player_argument.h"

#include <cstdio>
#include <utility>

#include "selfplay/players/open_player.h"
#include "tools/evaluator_choice.h"

namespace crossriver {
namespace {

PlayerContext ContextOf(const PlayerArguments& arguments,
                        const std::shared_ptr<const Rules>& rules) {
  PlayerContext context;
  context.rules = rules;
  context.threads = arguments.threads;
  context.open_network = [device = arguments.device, rules](const std::string& file, int threads) {
    EvaluatorFlags flags;
    flags.net = file;
    flags.device = device;
    flags.many_searches = true;
    return ChooseEvaluator(flags, rules, threads);
  };
  context.notify = [](const std::string& message) {
    std::fprintf(stderr, "%s\n", message.c_str());
  };
  return context;
}

bool IsNetwork(const PlayerSpec& spec) {
  return FindSpecKind(spec.kind)->target == TargetType::kNetwork;
}

}  // namespace

absl::StatusOr<std::vector<std::shared_ptr<Player>>> OpenPlayers(
    const PlayerArguments& arguments, const std::shared_ptr<const Rules>& rules) {
  std::vector<PlayerSpec> specs;
  for (const std::string& text : arguments.specs) {
    absl::StatusOr<PlayerSpec> spec = ParsePlayerSpec(text);
    if (!spec.ok()) return spec.status();
    specs.push_back(*std::move(spec));
  }
  const PlayerContext context = ContextOf(arguments, rules);
  std::vector<std::shared_ptr<Player>> players(specs.size());
  for (const bool networks : {true, false}) {
    for (size_t i = 0; i < specs.size(); ++i) {
      if (IsNetwork(specs[i]) != networks || players[i] != nullptr) continue;
      absl::StatusOr<std::unique_ptr<Player>> player = OpenPlayer(specs[i], context);
      if (!player.ok()) return player.status();
      players[i] = *std::move(player);
      for (size_t later = i + 1; later < specs.size(); ++later) {
        if (specs[later].text == specs[i].text) players[later] = players[i];
      }
    }
  }
  return players;
}

}  // namespace crossriver
