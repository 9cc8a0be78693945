// crossriver analyse: what the search thinks of positions.
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "core/notation.h"
#include "mcts/parallel_search.h"
#include "selfplay/json_text.h"
#include "tools/command.h"
#include "tools/evaluator_choice.h"
#include "tools/game_input.h"
#include "tools/interrupt.h"
#include "tools/line_reader.h"
#include "tools/variant_files.h"

namespace crossriver {
namespace {

using nlohmann::ordered_json;

constexpr int64_t kDefaultVisits = 10'000;

struct AnalyseFlags {
  std::string variant;
  std::string fen;
  std::string moves;
  EvaluatorFlags evaluator;
  int64_t visits = 0;  // 0 = not given
  double seconds = 0;  // as visits
  std::string policy = "puct";
  int threads = 1;
  int64_t mate_nodes = 20'000;
  int memory_mb = 256;
  int lines = 5;
  bool json = false;
};

SearchOptions OptionsOf(const AnalyseFlags& flags) {
  SearchOptions options;
  options.concurrent = flags.threads > 1;
  options.tree_bytes = static_cast<size_t>(flags.memory_mb) << 20;
  options.seed = static_cast<uint64_t>(flags.evaluator.seed);
  if (flags.policy == "gumbel") {
    options.root_policy = RootPolicy::kGumbel;
    options.gumbel.noise = false;
  }
  return options;
}

SearchLimits LimitsOf(const AnalyseFlags& flags) {
  SearchLimits limits;
  if (flags.visits > 0) limits.visits = flags.visits;
  if (flags.seconds > 0) limits.time = absl::Seconds(flags.seconds);
  if (flags.visits == 0 && flags.seconds == 0) limits.visits = kDefaultVisits;
  return limits;
}

// One search and its driver, for one position after the other.
class Analyst {
 public:
  static absl::StatusOr<std::unique_ptr<Analyst>> Create(const AnalyseFlags& flags) {
    auto rules = LoadVariantArgument(flags.variant);
    if (!rules.ok()) return rules.status();
    auto evaluator = ChooseEvaluator(flags.evaluator, *rules, flags.threads);
    if (!evaluator.ok()) return evaluator.status();
    const SearchOptions options = OptionsOf(flags);
    if (absl::Status valid = Validate(options); !valid.ok()) return valid;
    if (absl::Status valid = Validate(LimitsOf(flags), options); !valid.ok()) return valid;
    return std::unique_ptr<Analyst>(new Analyst(flags, *std::move(rules), *std::move(evaluator)));
  }

  const Rules& rules() const { return *rules_; }

  absl::StatusOr<SearchResult> Analyse(const GameInput& game) {
    if (absl::Status set = search_.SetGame(game.start, game.moves); !set.ok()) return set;
    return driver_.Run(limits_);
  }

 private:
  Analyst(const AnalyseFlags& flags, std::shared_ptr<const Rules> rules, ChosenEvaluator evaluator)
      : rules_(std::move(rules)),
        evaluator_(std::move(evaluator.evaluator)),
        limits_(LimitsOf(flags)),
        search_(OptionsOf(flags), StartPosition(*rules_)),
        driver_(&search_, evaluator_.get(),
                {flags.threads, evaluator.batch, evaluator.is_thread_safe, flags.mate_nodes,
                 Interrupted}) {}

  std::shared_ptr<const Rules> rules_;
  std::unique_ptr<Evaluator> evaluator_;
  const SearchLimits limits_;
  Search search_;
  ParallelSearch driver_;
};

double Rounded(float value) { return std::round(static_cast<double>(value) * 1e4) / 1e4; }

ordered_json ToJson(const Wdl& wdl) {
  return {Rounded(wdl.win), Rounded(wdl.draw), Rounded(wdl.loss)};
}

ordered_json ToJson(const Proof& proof) {
  if (proof.result == Result::kNone) return nullptr;
  ordered_json object = {{"result", std::string(ToString(proof.result))}};
  if (proof.distance >= 0) object["plies"] = proof.distance;
  if (proof.depends_on_path) object["depends_on_history"] = true;
  return object;
}

ordered_json ToJson(const Rules& rules, const MoveResult& line) {
  ordered_json pv = ordered_json::array();
  for (const Move move : line.pv) pv.push_back(FormatMove(rules, move));
  return {{"move", FormatMove(rules, line.move)},
          {"visits", line.visits},
          {"wdl", ToJson(line.wdl)},
          {"prior", Rounded(line.prior)},
          {"proven", ToJson(line.proof)},
          {"pv", pv}};
}

ordered_json ToJson(const Rules& rules, const GameInput& game, const SearchResult& result,
                    int lines) {
  ordered_json object;
  object["fen"] = FormatFen(game.position);
  object["best"] =
      result.best.is_null() ? ordered_json(nullptr) : ordered_json(FormatMove(rules, result.best));
  object["wdl"] = ToJson(result.wdl);
  if (result.outcome.is_over()) {
    object["result"] = std::string(ToString(result.outcome.result));
    object["reason"] = std::string(ToString(result.outcome.reason));
  }
  object["visits"] = result.visits;
  object["proven"] = ToJson(result.proof);
  object["lines"] = ordered_json::array();
  for (const MoveResult& line : result.moves) {
    if (static_cast<int>(object["lines"].size()) == lines) break;
    object["lines"].push_back(ToJson(rules, line));
  }
  return object;
}

std::string Percentages(const Wdl& wdl) {
  char text[64];
  std::snprintf(text, sizeof(text), "%5.1f %5.1f %5.1f", 100 * static_cast<double>(wdl.win),
                100 * static_cast<double>(wdl.draw), 100 * static_cast<double>(wdl.loss));
  return text;
}

std::string ProofText(const Proof& proof) {
  if (proof.result == Result::kNone) return "";
  std::string text = absl::StrCat(ToString(proof.result));
  if (proof.distance >= 0) absl::StrAppend(&text, " in ", proof.distance);
  return absl::StrCat(text, proof.depends_on_path ? " by history" : "");
}

void PrintText(const Rules& rules, const GameInput& game, const SearchResult& result, int lines,
               double seconds) {
  std::printf("%s\n", FormatFen(game.position).c_str());
  if (result.outcome.is_over()) {
    std::printf("the game is over: %s by %s for the side to move\n",
                std::string(ToString(result.outcome.result)).c_str(),
                std::string(ToString(result.outcome.reason)).c_str());
    return;
  }
  std::printf("best %s, %lld visits in %.2f s, tree of %.1f MB\n",
              FormatMove(rules, result.best).c_str(), static_cast<long long>(result.visits),
              seconds, static_cast<double>(result.tree_bytes) / (1 << 20));
  std::printf("%-8s %9s   %%win %%draw %%loss  %-14s %s\n", "move", "visits", "proven", "line");
  std::printf("%-8s %9lld  %s  %-14s\n", "(all)", static_cast<long long>(result.tree_visits),
              Percentages(result.wdl).c_str(), ProofText(result.proof).c_str());
  for (const MoveResult& line : result.moves) {
    if (lines-- == 0) break;
    std::vector<std::string> pv;
    for (const Move move : line.pv) pv.push_back(FormatMove(rules, move));
    std::printf("%-8s %9lld  %s  %-14s %s\n", pv[0].c_str(), static_cast<long long>(line.visits),
                Percentages(line.wdl).c_str(), ProofText(line.proof).c_str(),
                absl::StrJoin(pv, " ").c_str());
  }
}

absl::Status RunOne(const AnalyseFlags& flags, Analyst* analyst) {
  const std::string fen = flags.fen == "start" ? "" : flags.fen;
  const absl::StatusOr<GameInput> game =
      ParseGame(analyst->rules(), Notation::kFen, fen, flags.moves);
  if (!game.ok()) return game.status();
  const auto begin = std::chrono::steady_clock::now();
  const absl::StatusOr<SearchResult> result = analyst->Analyse(*game);
  if (!result.ok()) return result.status();
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  if (flags.json) {
    std::printf("%s\n", ToJson(analyst->rules(), *game, *result, flags.lines).dump().c_str());
  } else {
    PrintText(analyst->rules(), *game, *result, flags.lines, spent.count());
  }
  return absl::OkStatus();
}

absl::StatusOr<ordered_json> Answer(absl::string_view line, int lines, Analyst* analyst) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(line, absl::MaxSplits(" moves", 1));
  if (parts.first.empty()) return absl::InvalidArgumentError("expected FEN, or FEN moves m1 m2 …");
  const absl::StatusOr<GameInput> game =
      ParseGame(analyst->rules(), Notation::kFen, parts.first, parts.second);
  if (!game.ok()) return game.status();
  const absl::StatusOr<SearchResult> result = analyst->Analyse(*game);
  if (!result.ok()) return result.status();
  return ToJson(analyst->rules(), *game, *result, lines);
}

absl::Status RunBatch(const AnalyseFlags& flags, Analyst* analyst) {
  LineReader reader(STDIN_FILENO);
  std::string line;
  while (reader.Next(&line)) {
    const absl::string_view text = absl::StripAsciiWhitespace(line);
    absl::StatusOr<ordered_json> answer = Answer(text, flags.lines, analyst);
    if (!answer.ok()) {
      answer = ordered_json{{"fen", std::string(text)},
                            {"error", std::string(answer.status().message())}};
    }
    // Flushed for dialogues.
    std::printf("%s\n", JsonText(*answer).c_str());
    if (std::fflush(stdout) != 0) return absl::UnavailableError("standard output can't be written");
  }
  return Interrupted() ? absl::CancelledError("interrupted") : absl::OkStatus();
}

absl::Status RunAnalyse(const AnalyseFlags& flags) {
  absl::StatusOr<std::unique_ptr<Analyst>> analyst = Analyst::Create(flags);
  if (!analyst.ok()) return analyst.status();
  CatchInterrupts();
  const bool batch = flags.fen.empty() && flags.moves.empty() && isatty(STDIN_FILENO) == 0;
  return batch ? RunBatch(flags, analyst->get()) : RunOne(flags, analyst->get());
}

}  // namespace

void AddAnalyseCommand(CLI::App* app, Action* action) {
  auto flags = std::make_shared<AnalyseFlags>();
  CLI::App* command = app->add_subcommand("analyse", "Search positions; print the best lines");
  command->add_option("variant", flags->variant, kVariantHelp)->required();
  command->add_option("--fen", flags->fen, "Position; 'start' for the start position");
  command->add_option("--moves", flags->moves, "Moves played from it, in quotes");
  command->add_option("--visits", flags->visits, "Default 10000 where no --time is given")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 60));
  command->add_option("--time", flags->seconds, "Seconds a position")
      ->check(CLI::Range(0.001, 1e9));
  AddEvaluatorFlags(command, &flags->evaluator);
  command->add_option("--policy", flags->policy, "At the root: puct (default) or gumbel")
      ->check(CLI::IsMember({"puct", "gumbel"}));
  command->add_option("--threads", flags->threads, "Default 1")->check(CLI::Range(1, 64));
  command
      ->add_option("--mate-nodes", flags->mate_nodes,
                   "Positions to look for a forced mate in first, default 20000; 0 = none")
      ->check(CLI::Range(int64_t{0}, int64_t{1} << 40));
  command->add_option("--memory", flags->memory_mb, "Megabytes of the tree at most, default 256")
      ->check(CLI::Range(1, 1 << 20));
  command->add_option("--seed", flags->evaluator.seed, "Default 1");
  command->add_option("--lines", flags->lines, "Moves to show, best first, default 5")
      ->check(CLI::Range(1, 1000));
  command->add_flag("--json", flags->json, "Print one JSON object");
  command->footer(
      "Without --fen and --moves, and with input that is no terminal, each line of the input, FEN "
      "or\n"
      "FEN moves m1 m2 …, is answered with a line of JSON: best, wdl (win, draw and loss of the\n"
      "side to move), lines (move, visits, wdl, pv); a bad line with an error. Ctrl-C ends a "
      "search\n"
      "and shows what it found. Examples:\n"
      "  crossriver analyse switchback --fen start --moves 'b1c3' --visits 50000\n"
      "  echo '3k5/9/9/9/9/9/9/9/R8/4K4 w 0 1' | crossriver analyse xiangqi --visits 1000");
  SetAction(command, flags, action, RunAnalyse);
}

}  // namespace crossriver
