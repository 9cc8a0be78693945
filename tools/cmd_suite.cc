// crossriver suite: makes suites of test positions, and looks whether they are right.
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/durable_file.h"
#include "selfplay/players/piece_values.h"
#include "selfplay/suites/puzzle.h"
#include "selfplay/suites/suite_maker.h"
#include "tools/command.h"
#include "tools/interrupt.h"
#include "tools/progress.h"
#include "tools/suite_files.h"
#include "tools/variant_files.h"

namespace crossriver {
namespace {

struct GenerateFlags {
  std::string variant;
  std::string out;
  int seed = 1;
  SuiteMakerOptions options;
};

absl::Status RunGenerate(const GenerateFlags& flags) {
  const auto rules = LoadVariantArgument(flags.variant);
  if (!rules.ok()) return rules.status();
  CatchInterrupts();
  SuiteMakerOptions options = flags.options;
  options.seed = static_cast<uint64_t>(flags.seed);
  options.interrupted = Interrupted;
  absl::StatusOr<Suite> suite;
  {
    Progress progress("positions", options.count);
    options.progress = [&progress](int found, const std::string& note) {
      progress.Update(found, note);
    };
    suite = MakeSuite(*rules, options);
  }
  if (!suite.ok()) return suite.status();
  std::string text;
  for (const SuitePosition& position : suite->positions) {
    text += FormatSuiteLine(position, flags.variant);
  }
  if (absl::Status written = WriteFileDurably(flags.out, text); !written.ok()) return written;
  std::printf("%s: %zu positions\n", flags.out.c_str(), suite->positions.size());
  if (suite->positions.size() < static_cast<size_t>(options.count)) {
    std::fprintf(stderr, "%d games gave no more; try another --seed, --max-games or --mate-nodes\n",
                 options.max_games);
  }
  return absl::OkStatus();
}

struct CheckFlags {
  std::vector<std::string> suites;
  int64_t mate_nodes = 20'000'000;
};

// Returns the number of positions that are wrong.
absl::StatusOr<int> CheckOne(const std::string& argument, int64_t mate_nodes) {
  const absl::StatusOr<Suite> suite = LoadSuiteArgument(argument);
  if (!suite.ok()) return suite.status();
  const PieceValues values(*suite->rules);
  Progress progress("positions", static_cast<int64_t>(suite->positions.size()));
  int wrong = 0;
  int done = 0;
  std::map<std::string, int> counts;
  for (const SuitePosition& position : suite->positions) {
    if (Interrupted()) return absl::CancelledError("interrupted");
    if (absl::Status right = CheckPuzzle(position, values, mate_nodes); !right.ok()) {
      std::fprintf(stderr, "%s:%d: %s\n", suite->name.c_str(), position.line,
                   std::string(right.message()).c_str());
      ++wrong;
    }
    const bool mate = position.kind == SuiteKind::kMate;
    ++counts[mate ? absl::StrCat("mate in ", (position.plies + 1) / 2)
                  : std::string(IsPlainCapture(position, values) ? "plain capture"
                                                                 : "other capture")];
    progress.Update(++done, argument);
  }
  std::string text;
  for (const auto& [name, count] : counts) absl::StrAppend(&text, ", ", count, " ", name);
  std::printf("%s: %zu positions, %d wrong%s\n", suite->name.c_str(), suite->positions.size(),
              wrong, text.c_str());
  return wrong;
}

absl::Status RunCheck(const CheckFlags& flags) {
  std::vector<std::string> suites = flags.suites;
  if (suites.empty()) {
    for (const BuiltinSuite& suite : BuiltinSuites()) suites.push_back(suite.variant);
  }
  CatchInterrupts();
  int wrong = 0;
  for (const std::string& suite : suites) {
    const absl::StatusOr<int> more = CheckOne(suite, flags.mate_nodes);
    if (!more.ok()) return more.status();
    wrong += *more;
  }
  if (wrong > 0) return absl::InvalidArgumentError(absl::StrCat(wrong, " positions are wrong"));
  return absl::OkStatus();
}

void AddGenerate(CLI::App* suite, Action* action) {
  auto flags = std::make_shared<GenerateFlags>();
  CLI::App* command = suite->add_subcommand(
      "generate", "Play games and keep positions with one best move: mates and captures");
  command->add_option("variant", flags->variant, kVariantHelp)->required();
  command->add_option("--out", flags->out, "File to write (.jsonl)")->required();
  command->add_option("--count", flags->options.count, "Positions, default 84")
      ->check(CLI::Range(1, 100000));
  command->add_option("--seed", flags->seed, "Default 1; the same seed gives the same suite")
      ->check(CLI::Range(0, 1 << 30));
  command->add_option("--max-games", flags->options.max_games, "To look through, default 5000")
      ->check(CLI::Range(1, 1 << 30));
  command
      ->add_option("--mate-nodes", flags->options.mate_nodes,
                   "Positions that the mate solver may look at for an answer, default 50000")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 40));
  command->footer(
      "Example:\n  crossriver suite generate switchback --out suite.jsonl --count 60 --seed 7");
  SetAction(command, flags, action, RunGenerate);
}

void AddCheck(CLI::App* suite, Action* action) {
  auto flags = std::make_shared<CheckFlags>();
  CLI::App* command = suite->add_subcommand(
      "check", "Look whether each position has the best moves that its suite says");
  command->add_option("suites", flags->suites,
                      "Variants with a built-in suite, or files; default all built-in ones");
  command
      ->add_option("--mate-nodes", flags->mate_nodes,
                   "Positions that the mate solver may look at for an answer, default 20000000")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 40));
  command->footer("Example:\n  crossriver suite check switchback my-suite.jsonl");
  SetAction(command, flags, action, RunCheck);
}

}  // namespace

void AddSuiteCommand(CLI::App* app, Action* action) {
  CLI::App* suite = app->add_subcommand("suite", "Make and check suites of test positions");
  suite->require_subcommand(1);
  AddGenerate(suite, action);
  AddCheck(suite, action);
  suite->footer("Example:\n  crossriver suite check switchback");
}

}  // namespace crossriver
