#include "selfplay/players/open_player.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/check.h"
#include "core/spelling.h"
#include "mcts/rollout_evaluator.h"
#include "mcts/uniform_evaluator.h"
#include "selfplay/players/alphabeta_player.h"
#include "selfplay/players/command_words.h"
#include "selfplay/players/engine_player.h"
#include "selfplay/players/network_reference.h"
#include "selfplay/players/random_player.h"
#include "selfplay/players/search_player.h"

namespace crossriver {
namespace {

using OpenedPlayer = absl::StatusOr<std::unique_ptr<Player>>;

// Walks that end in a known result evaluate nothing. Where nodes alone are limited, a search ends
// after so many visits a node.
constexpr int64_t kVisitsPerNode = 16;

SearchPlayerOptions SearchOptionsOf(const PlayerSpec& spec) {
  SearchPlayerOptions options;
  const int64_t visits = spec.Count("visits");
  options.raw_policy = visits == 0;
  options.search.root_policy =
      spec.Word("policy") == "gumbel" ? RootPolicy::kGumbel : RootPolicy::kPuct;
  options.search.gumbel.sampled_moves = static_cast<int>(spec.Count("sampled_moves"));
  options.search.draw_score = static_cast<float>(spec.Real("draw_score"));
  options.search.tree_bytes = static_cast<size_t>(spec.Count("tree_mb")) << 20;
  options.limits.visits = visits;
  if (spec.Has("nodes")) {
    options.limits.nodes = spec.Count("nodes");
    if (!spec.Has("visits")) options.limits.visits = options.limits.nodes * kVisitsPerNode;
  }
  options.reuse = spec.Switch("reuse");
  options.temperature = spec.Real("temperature");
  options.temperature_plies = spec.Count("temperature_plies");
  return options;
}

OpenedPlayer OpenSearch(const PlayerSpec& spec, std::string name, const PlayerContext& context,
                        ChosenEvaluator evaluator) {
  const SearchPlayerOptions options = SearchOptionsOf(spec);
  if (absl::Status status = Validate(options); !status.ok()) return status;
  return std::make_unique<SearchPlayer>(std::move(name), context.rules, std::move(evaluator),
                                        options);
}

OpenedPlayer OpenNetwork(const PlayerSpec& spec, const PlayerContext& context) {
  if (!context.open_network) {
    return absl::UnimplementedError("this program was built without networks");
  }
  const absl::StatusOr<NetworkReference> network = ResolveNetwork(spec.target);
  if (!network.ok()) return network.status();
  if (context.notify) {
    for (const std::string& message : network->messages) context.notify(message);
  }
  absl::StatusOr<ChosenEvaluator> evaluator = context.open_network(network->file, context.threads);
  if (!evaluator.ok()) return evaluator.status();
  const size_t question = spec.text.find('?');
  std::string name = absl::StrCat(spec.kind, ":", EscapedTarget(network->name));
  if (question != std::string::npos) name += spec.text.substr(question);
  return OpenSearch(spec, std::move(name), context, *std::move(evaluator));
}

OpenedPlayer OpenRandom(const PlayerSpec& spec, const PlayerContext& /*context*/) {
  return std::make_unique<RandomPlayer>(spec.text);
}

OpenedPlayer OpenMcts(const PlayerSpec& spec, const PlayerContext& context) {
  RolloutOptions options;
  options.games = static_cast<int>(spec.Count("rollouts"));
  return OpenSearch(
      spec, spec.text, context,
      {std::make_unique<RolloutEvaluator>(options), /*is_thread_safe=*/true, /*batch=*/1});
}

OpenedPlayer OpenAlphaBeta(const PlayerSpec& spec, const PlayerContext& context) {
  AlphaBetaOptions options;
  options.nodes = spec.Count("nodes");
  return std::make_unique<AlphaBetaPlayer>(spec.text, context.rules, options);
}

OpenedPlayer OpenUniform(const PlayerSpec& spec, const PlayerContext& context) {
  return OpenSearch(spec, spec.text, context,
                    {std::make_unique<UniformEvaluator>(), /*is_thread_safe=*/true, /*batch=*/1});
}

OpenedPlayer OpenEngine(const PlayerSpec& spec, const PlayerContext& context,
                        EngineProtocol protocol) {
  EngineSettings settings;
  settings.protocol = protocol;
  absl::StatusOr<std::vector<std::string>> command = SplitCommand(spec.target);
  if (!command.ok()) return command.status();
  settings.command = *std::move(command);
  settings.options = spec.PassedOptions();
  settings.timeout = absl::Seconds(spec.Real("timeout"));
  settings.nodes = spec.Count("nodes");
  settings.milliseconds = spec.Count("movetime");
  settings.depth = spec.Count("depth");
  settings.other_options = FindSpecKind(spec.kind)->options;
  absl::StatusOr<std::unique_ptr<EnginePlayer>> player =
      EnginePlayer::Open(spec.text, context.rules, settings);
  if (!player.ok()) return player.status();
  return *std::move(player);
}

OpenedPlayer OpenUci(const PlayerSpec& spec, const PlayerContext& context) {
  return OpenEngine(spec, context, EngineProtocol::kUci);
}

OpenedPlayer OpenUsi(const PlayerSpec& spec, const PlayerContext& context) {
  return OpenEngine(spec, context, EngineProtocol::kUsi);
}

struct Opener {
  const char* kind;  // as in SpecKinds()
  OpenedPlayer (*open)(const PlayerSpec& spec, const PlayerContext& context);
};

// Every kind of SpecKinds() has a row.
constexpr Opener kOpeners[] = {
    {"net", OpenNetwork},          //
    {"random", OpenRandom},        //
    {"alphabeta", OpenAlphaBeta},  //
    {"mcts", OpenMcts},            //
    {"uniform", OpenUniform},      //
    {"uci", OpenUci},              //
    {"usi", OpenUsi},              //
};

}  // namespace

OpenedPlayer OpenPlayer(const PlayerSpec& spec, const PlayerContext& context) {
  CR_CHECK(context.rules != nullptr && context.threads >= 1);
  const auto* const opener =
      std::find_if(std::begin(kOpeners), std::end(kOpeners),
                   [&spec](const Opener& row) { return spec.kind == row.kind; });
  CR_CHECK(opener != std::end(kOpeners));
  OpenedPlayer player = opener->open(spec, context);
  if (player.ok()) return player;
  return absl::Status(player.status().code(), absl::StrCat("player '", Printable(spec.text),
                                                           "': ", player.status().message()));
}

}  // namespace crossriver
