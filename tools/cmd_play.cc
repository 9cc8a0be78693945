// crossriver play: a person at the terminal against a network, a search or another program.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/adjudicator.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "mcts/parallel_search.h"
#include "mcts/random.h"
#include "selfplay/players/open_player.h"
#include "selfplay/players/player_spec.h"
#include "tools/command.h"
#include "tools/evaluator_choice.h"
#include "tools/interrupt.h"
#include "tools/line_reader.h"
#include "tools/play_session.h"
#include "tools/progress.h"
#include "tools/variant_files.h"

namespace crossriver {
namespace {

constexpr char kDefaultOpponent[] = "alphabeta:20000";
// Of a hint, before its search; a mate is the best hint there is.
constexpr int64_t kMateNodes = 20'000;
constexpr size_t kMaxLine = 8192;  // more than any name of a file

struct PlayFlags {
  std::string variant;
  std::string against;
  std::string side = "first";
  std::string fen;
  std::string net;
  std::string device = "auto";
  int64_t hint_visits = 400;
  std::optional<int> seed;  // none = another one each time
};

absl::StatusOr<ChosenEvaluator> OpenNetworkFile(const PlayFlags& flags, const std::string& file,
                                                std::shared_ptr<const Rules> rules, int threads) {
  EvaluatorFlags evaluator;
  evaluator.net = file;
  evaluator.device = flags.device;
  return ChooseEvaluator(evaluator, std::move(rules), threads);
}

absl::StatusOr<std::unique_ptr<Player>> OpenOpponent(const PlayFlags& flags,
                                                     const std::shared_ptr<const Rules>& rules) {
  std::string text = flags.against;
  if (text.empty()) {
    text = flags.net.empty() ? kDefaultOpponent : absl::StrCat("net:", EscapedTarget(flags.net));
  }
  const absl::StatusOr<PlayerSpec> spec = ParsePlayerSpec(text);
  if (!spec.ok()) return spec.status();
  PlayerContext context;
  context.rules = rules;
  context.open_network = [&flags, rules](const std::string& file, int threads) {
    return OpenNetworkFile(flags, file, rules, threads);
  };
  context.notify = [](const std::string& message) {
    std::fprintf(stderr, "%s\n", message.c_str());
  };
  return OpenPlayer(*spec, context);
}

// A search for hints, by the network where there is one, else by random games.
class Advisor {
 public:
  static absl::StatusOr<std::unique_ptr<Advisor>> Create(const PlayFlags& flags,
                                                         std::shared_ptr<const Rules> rules) {
    EvaluatorFlags evaluator;
    evaluator.net = flags.net;
    evaluator.device = flags.device;
    evaluator.evaluator = "rollout";
    absl::StatusOr<ChosenEvaluator> chosen = ChooseEvaluator(evaluator, rules, /*threads=*/1);
    if (!chosen.ok()) return chosen.status();
    return std::unique_ptr<Advisor>(
        new Advisor(std::move(rules), *std::move(chosen), flags.hint_visits));
  }

  absl::StatusOr<SearchResult> Advise(const Turn& turn) {
    if (absl::Status set = search_.SetGame(*turn.start, turn.moves); !set.ok()) return set;
    return driver_.Run(limits_);
  }

 private:
  Advisor(std::shared_ptr<const Rules> rules, ChosenEvaluator evaluator, int64_t visits)
      : rules_(std::move(rules)),
        evaluator_(std::move(evaluator.evaluator)),
        search_(SearchOptions(), StartPosition(*rules_)),
        driver_(
            &search_, evaluator_.get(),
            {/*threads=*/1, evaluator.batch, evaluator.is_thread_safe, kMateNodes, Interrupted}) {
    limits_.visits = visits;
  }

  const std::shared_ptr<const Rules> rules_;
  const std::unique_ptr<Evaluator> evaluator_;
  SearchLimits limits_;
  Search search_;
  ParallelSearch driver_;
};

absl::StatusOr<Position> StartOf(const PlayFlags& flags, const Rules& rules) {
  if (flags.fen.empty()) return StartPosition(rules);
  absl::StatusOr<Position> start = ParseFen(rules, flags.fen);
  if (!start.ok()) return start.status();
  const Outcome outcome = Adjudicate(*start, History(*start), HasLegalMove(*start));
  if (!outcome.is_over()) return start;
  return absl::InvalidArgumentError(
      absl::StrCat("--fen: the game is over there: ", ToString(outcome.reason)));
}

Side PersonsSide(const PlayFlags& flags, uint64_t seed) {
  if (flags.side != "random") return flags.side == "first" ? Side::kFirst : Side::kSecond;
  return RandomStream(seed).Below(kNumSides) == 0 ? Side::kFirst : Side::kSecond;
}

absl::Status RunPlay(PlayFlags flags) {
  // An engine that dies is an error, not our end; and the system shall say how it has ended.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);
  const auto rules = LoadVariantArgument(flags.variant);
  if (!rules.ok()) return rules.status();
  // Here and for the adviser's network another program may have to take over: before an engine is
  // started.
  if (flags.net.empty()) flags.net = Resolved(EvaluatorFlags(), **rules).net;
  const absl::StatusOr<Position> start = StartOf(flags, **rules);
  if (!start.ok()) return start.status();
  const absl::StatusOr<std::unique_ptr<Advisor>> advisor = Advisor::Create(flags, *rules);
  if (!advisor.ok()) return advisor.status();
  const absl::StatusOr<std::unique_ptr<Player>> opponent = OpenOpponent(flags, *rules);
  if (!opponent.ok()) return opponent.status();
  CatchInterrupts();
  LineReader input(STDIN_FILENO, kMaxLine);
  PlayIo io;
  io.read = [&input](std::string* line) { return input.Next(line); };
  io.write = [](absl::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  };
  io.interrupted = Interrupted;
  io.coloured = MayColour(STDOUT_FILENO);
  const uint64_t seed = flags.seed.has_value() ? static_cast<uint64_t>(*flags.seed)
                                               : static_cast<uint64_t>(std::random_device()());
  PlayOptions options{*start, PersonsSide(flags, seed), seed};
  PlaySession session(options, std::move(io), opponent->get(),
                      [&advisor](const Turn& turn) { return (*advisor)->Advise(turn); });
  return session.Run();
}

}  // namespace

void AddPlayCommand(CLI::App* app, Action* action) {
  auto flags = std::make_shared<PlayFlags>();
  CLI::App* command =
      app->add_subcommand("play", "Play at the terminal against a network, a search or an engine");
  command->add_option("variant", flags->variant, kVariantHelp)->required();
  command->add_option("--against", flags->against,
                      "Who plays against you, see below; default the network of --net, or where "
                      "there is none " +
                          std::string(kDefaultOpponent));
  command->add_option("--side", flags->side, "Yours: first (default), second or random")
      ->check(CLI::IsMember({"first", "second", "random"}));
  command->add_option("--fen", flags->fen, "Position to begin from");
  command->add_option("--net", flags->net,
                      "Network file that gives hints; default the one that comes with the program, "
                      "where there is none for the variant hints come from random games");
  command->add_option("--device", flags->device, "Of networks: cpu, cuda:N or auto (default)");
  command->add_option("--hint-visits", flags->hint_visits, "Of the search for a hint, default 400")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 40));
  command->add_option("--seed", flags->seed, "Of random choices; default another one each time")
      ->check(CLI::Range(0, 1 << 30));
  command->footer(absl::StrCat(
      "Type moves such as b1c3, or as much of them as is clear; 'help' lists the rest: moves, "
      "hint,\n"
      "undo, new, side, flip, save … Ctrl-C ends, twice at once.\n",
      PlayerSpecHelp(),
      "Examples:\n"
      "  crossriver play switchback --net runs/quickstart/checkpoints/000020.network.safetensors\n"
      "  crossriver play minishogi --against 'net:runs/mine@latest?visits=800' --side random\n"
      "  crossriver play xiangqi --against alphabeta:1000"));
  SetAction(command, flags, action, RunPlay);
}

}  // namespace crossriver
