// crossriver solve: how many positions of a suite a network or a search solves.
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "core/notation.h"
#include "selfplay/json_text.h"
#include "selfplay/suites/suite_solver.h"
#include "tools/command.h"
#include "tools/evaluator_choice.h"
#include "tools/interrupt.h"
#include "tools/progress.h"
#include "tools/suite_files.h"

namespace crossriver {
namespace {

using nlohmann::ordered_json;

struct SolveFlags {
  std::vector<std::string> suites;
  EvaluatorFlags evaluator;
  std::string policy = "puct";
  SolveOptions options;
  bool list = false;
  bool json = false;
};

std::string EvaluatorName(const EvaluatorFlags& flags) {
  return flags.net.empty() ? flags.evaluator : flags.net;
}

double Percent(double share) { return 100 * share; }

// For JSON: three digits are what a suite of a hundred positions can tell.
double Rounded(double share) { return std::round(share * 1e3) / 1e3; }

ordered_json VisitsJson(const std::vector<int64_t>& visits, const std::vector<double>& shares) {
  ordered_json object = ordered_json::object();
  for (size_t i = 0; i < visits.size(); ++i) object[absl::StrCat(visits[i])] = Rounded(shares[i]);
  return object;
}

void PrintJson(const Suite& suite, const std::vector<SolvedPosition>& solved,
               const SolveFlags& flags) {
  ordered_json object = {{"variant", suite.rules->definition().id},
                         {"suite", suite.name},
                         {"evaluator", EvaluatorName(flags.evaluator)}};
  object["groups"] = ordered_json::array();
  for (const SolvedGroup& group : GroupSolved(suite, solved)) {
    object["groups"].push_back({{"name", group.name},
                                {"positions", group.positions},
                                {"policy", Rounded(group.policy)},
                                {"visits", VisitsJson(flags.options.visits, group.by_visits)}});
  }
  if (flags.list) {
    object["lines"] = ordered_json::array();
    for (size_t i = 0; i < solved.size(); ++i) {
      object["lines"].push_back(
          {{"line", suite.positions[i].line},
           {"policy", Rounded(solved[i].policy)},
           {"visits", VisitsJson(flags.options.visits, solved[i].by_visits)}});
    }
  }
  std::printf("%s\n", JsonText(object).c_str());
}

void PrintPositions(const Suite& suite, const std::vector<SolvedPosition>& solved,
                    const std::vector<int64_t>& visits) {
  for (size_t i = 0; i < solved.size(); ++i) {
    const SuitePosition& position = suite.positions[i];
    std::vector<std::string> best;
    for (const Move move : position.best) best.push_back(FormatMove(*suite.rules, move));
    std::vector<std::string> by;
    if (solved[i].policy > 0) {
      by.push_back(absl::StrFormat("policy %.0f %%", 100 * solved[i].policy));
    }
    for (size_t j = 0; j < visits.size(); ++j) {
      if (solved[i].by_visits[j] > 0) by.push_back(absl::StrCat(visits[j]));
    }
    const std::string what = position.kind == SuiteKind::kMate
                                 ? absl::StrCat("mate in ", (position.plies + 1) / 2)
                                 : absl::StrFormat("capture, %.1f pawns", position.gain);
    std::printf("%s:%d: %s: %s; solved by: %s\n  %s\n", suite.name.c_str(), position.line,
                what.c_str(), absl::StrJoin(best, " ").c_str(),
                by.empty() ? "nothing" : absl::StrJoin(by, ", ").c_str(),
                FormatFen(position.position).c_str());
  }
}

void PrintTable(const Suite& suite, const std::vector<SolvedPosition>& solved,
                const SolveFlags& flags) {
  std::printf("%s, %s: %% solved by the likeliest move, and by searches of so many visits\n",
              suite.rules->definition().id.c_str(), EvaluatorName(flags.evaluator).c_str());
  std::printf("%-12s %9s %8s", "", "positions", "policy");
  for (const int64_t visits : flags.options.visits) {
    std::printf(" %8lld", static_cast<long long>(visits));
  }
  std::printf("\n");
  for (const SolvedGroup& group : GroupSolved(suite, solved)) {
    std::printf("%-12s %9d %8.1f", group.name.c_str(), group.positions, Percent(group.policy));
    for (const double share : group.by_visits) std::printf(" %8.1f", Percent(share));
    std::printf("\n");
  }
  std::printf("\n");
}

// With flags whose evaluator is resolved.
absl::Status SolveOne(const Suite& suite, const SolveFlags& flags) {
  const absl::StatusOr<ChosenEvaluator> evaluator =
      ChooseEvaluator(flags.evaluator, suite.rules, /*threads=*/1);
  if (!evaluator.ok()) return evaluator.status();
  SolveOptions options = flags.options;
  options.root_policy = flags.policy == "gumbel" ? RootPolicy::kGumbel : RootPolicy::kPuct;
  options.seed = static_cast<uint64_t>(flags.evaluator.seed);
  options.interrupted = Interrupted;
  absl::StatusOr<std::vector<SolvedPosition>> solved;
  {
    Progress progress("searches",
                      static_cast<int64_t>(suite.positions.size() * options.visits.size()));
    options.progress = [&](int64_t done) { progress.Update(done, suite.rules->definition().id); };
    solved = SolveSuite(suite, evaluator->evaluator.get(), options);
  }
  if (!solved.ok()) return solved.status();
  if (flags.json) {
    PrintJson(suite, *solved, flags);
    return absl::OkStatus();
  }
  if (flags.list) PrintPositions(suite, *solved, options.visits);
  PrintTable(suite, *solved, flags);
  return absl::OkStatus();
}

absl::Status RunSolve(const SolveFlags& flags) {
  if (absl::Status valid = Validate(flags.options); !valid.ok()) return valid;
  std::vector<std::string> suites = flags.suites;
  if (suites.empty() && !flags.evaluator.net.empty()) {
    return absl::InvalidArgumentError(
        "--net: a network plays the variants of one family; expected their names");
  }
  if (suites.empty()) {
    for (const BuiltinSuite& suite : BuiltinSuites()) suites.push_back(suite.variant);
  }
  // All evaluators are resolved before anything is printed: another program may take over.
  std::vector<Suite> loaded;
  std::vector<SolveFlags> flags_of;
  for (const std::string& argument : suites) {
    absl::StatusOr<Suite> suite = LoadSuiteArgument(argument);
    if (!suite.ok()) return suite.status();
    flags_of.push_back(flags);
    flags_of.back().evaluator = Resolved(flags.evaluator, *suite->rules);
    loaded.push_back(*std::move(suite));
  }
  CatchInterrupts();
  for (size_t i = 0; i < loaded.size(); ++i) {
    if (absl::Status solved = SolveOne(loaded[i], flags_of[i]); !solved.ok()) return solved;
  }
  return absl::OkStatus();
}

}  // namespace

void AddSolveCommand(CLI::App* app, Action* action) {
  auto flags = std::make_shared<SolveFlags>();
  CLI::App* command = app->add_subcommand(
      "solve", "Percent of mates and winning captures that a network or a search finds");
  command->add_option(
      "suites", flags->suites,
      "Variants with a built-in suite, or files (.jsonl); default all built-in ones");
  AddEvaluatorFlags(command, &flags->evaluator);
  command
      ->add_option("--visits", flags->options.visits,
                   "Of the searches, rising, with commas; default 1,10,100,1000")
      ->delimiter(',')
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 40));
  command->add_option("--policy", flags->policy, "At the root: puct (default) or gumbel")
      ->check(CLI::IsMember({"puct", "gumbel"}));
  command
      ->add_option("--at-a-time", flags->options.at_a_time,
                   "Searches side by side, the size of a network's batches; default 64")
      ->check(CLI::Range(1, 4096));
  command->add_option("--seed", flags->evaluator.seed, "Default 1");
  command->add_flag("--list", flags->list, "Each position as well, and what solved it");
  command->add_flag("--json", flags->json, "Print JSON, one object a suite");
  command->footer(
      "A position counts as solved when the move is one of its best moves: for mates those that "
      "mate\n"
      "soonest. `policy` is the evaluator's likeliest move without a search; of equally likely "
      "ones,\n"
      "each counts for its share. configs/suites/README.md describes the files. Examples:\n"
      "  crossriver solve switchback --net runs/mine@latest\n"
      "  crossriver solve xiangqi shogi --visits 100,1000,10000 --json");
  SetAction(command, flags, action, RunSolve);
}

}  // namespace crossriver
