// The kinds of players and their options, as tables.
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "selfplay/players/player_spec.h"

namespace crossriver {
namespace {

constexpr double kMostVisits = 1e8;
constexpr double kMostNodes = 1e12;
constexpr double kMostTreeMegabytes = 1 << 16;
constexpr double kMostSeconds = 86400;

std::string RangeOf(const SpecOption& option) {
  switch (option.type) {
    case OptionType::kCount:
      return absl::StrCat(static_cast<int64_t>(option.least), " to ",
                          static_cast<int64_t>(option.most));
    case OptionType::kReal:
      return absl::StrCat(option.least, " to ", option.most);
    case OptionType::kSwitch:
    case OptionType::kWord:
      return absl::StrJoin(option.words, ", ");
  }
  return "";
}

SpecOption Count(const char* name, double least, double most, const char* otherwise,
                 const char* help) {
  return {name, OptionType::kCount, least, most, {}, otherwise, help};
}

SpecOption Real(const char* name, double least, double most, const char* otherwise,
                const char* help) {
  return {name, OptionType::kReal, least, most, {}, otherwise, help};
}

// The first word is the default.
SpecOption Words(const char* name, OptionType type, std::vector<std::string> words,
                 const char* help) {
  const std::string otherwise = words.front();
  return {name, type, 0, 0, std::move(words), otherwise, help};
}

// What all searches have, but for how much they search.
std::vector<std::string> SearchOptionsAnd(std::vector<std::string> more) {
  for (const char* const name : {"nodes", "policy", "sampled_moves", "reuse", "draw_score",
                                 "tree_mb", "temperature", "temperature_plies"}) {
    more.emplace_back(name);
  }
  return more;
}

}  // namespace

const std::vector<SpecOption>& SpecOptions() {
  static const auto& options = *new std::vector<SpecOption>{
      Count("visits", 0, kMostVisits, "400",
            "of a search, a move; 0: the likeliest move by the evaluator alone. "
            "Where nodes alone is given, that is the limit"),
      Count("nodes", 1, kMostNodes, "", "positions a move, as the player counts them"),
      Words("policy", OptionType::kWord, {"puct", "gumbel"},
            "how visits are spread at the root; gumbel, without noise, is for some 200 at most"),
      Count("sampled_moves", 1, 10000, "16",
            "with policy=gumbel: moves that the search begins with"),
      Words("reuse", OptionType::kSwitch, {"true", "false"},
            "with policy=puct: whether a search goes on from the one before"),
      Real("draw_score", 0, 1, "0.5", "what a draw is worth to the player"),
      Count("tree_mb", 1, kMostTreeMegabytes, "64",
            "most MiB of memory of a search, of which each game has its own"),
      Real("temperature", 0, 10, "0",
           "of drawing among the moves in the first plies; 0: the best one always"),
      Count("temperature_plies", 0, 1e6, "16",
            "with temperature: for so many plies from the player's first move of a game"),
      Count("rollouts", 1, 100000, "4", "random games a position"),
      Count("movetime", 1, kMostSeconds * 1000, "", "milliseconds a move"),
      Count("depth", 1, 1000, "", "plies that a move is searched"),
      Real("timeout", 0.01, kMostSeconds, "60",
           "seconds that the program may take for any answer; then it has lost the game"),
  };
  return options;
}

const std::vector<SpecKind>& SpecKinds() {
  static const auto& engine =
      *new std::vector<std::string>{"nodes", "movetime", "depth", "timeout"};
  static const auto& kinds = *new std::vector<SpecKind>{
      {"net", TargetType::kNetwork, "net:FILE, net:RUN, net:RUN@latest, net:RUN@12",
       "a network's file, or a run's newest or numbered checkpoint", SearchOptionsAnd({"visits"}),
       "", false},
      {"random", TargetType::kNone, "random", "any legal move", {}, "", false},
      {"alphabeta",
       TargetType::kCount,
       "alphabeta:NODES",
       "an engine that counts material and searches so many positions a move",
       {},
       "nodes",
       false},
      {"mcts", TargetType::kCount, "mcts:VISITS", "a search that values positions by random games",
       SearchOptionsAnd({"rollouts"}), "visits", false},
      {"uniform", TargetType::kCount, "uniform:VISITS",
       "a search that knows the rules alone, and plays what it can prove", SearchOptionsAnd({}),
       "visits", false},
      {"uci", TargetType::kCommand, "uci:COMMAND",
       "another program, by the UCI protocol; options of other names are its own", engine, "",
       true},
      {"usi", TargetType::kCommand, "usi:COMMAND",
       "another program, by the USI protocol of shogi; options of other names are its own", engine,
       "", true},
  };
  return kinds;
}

const SpecKind* FindSpecKind(absl::string_view name) {
  for (const SpecKind& kind : SpecKinds()) {
    if (name == absl::string_view(kind.name)) return &kind;
  }
  return nullptr;
}

std::string PlayerSpecHelp() {
  std::string help = "Players: KIND[:TARGET][?name=value&name=value...], %XX for any byte\n";
  for (const SpecKind& kind : SpecKinds()) {
    absl::StrAppend(&help, "  ", kind.form, "\n      ", kind.help, "\n");
    if (kind.options.empty()) continue;
    absl::StrAppend(&help, "      options: ", absl::StrJoin(kind.options, ", "), "\n");
  }
  absl::StrAppend(&help, "Options:\n");
  for (const SpecOption& option : SpecOptions()) {
    absl::StrAppend(
        &help, "  ", option.name, "=", RangeOf(option),
        option.otherwise.empty() ? "" : absl::StrCat(" (default ", option.otherwise, ")"), "\n",
        "      ", option.help, "\n");
  }
  return help;
}

}  // namespace crossriver
