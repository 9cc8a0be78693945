// crossriver report: what the games of a run say about their variant.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/durable_file.h"
#include "core/spelling.h"
#include "selfplay/json_text.h"
#include "selfplay/report/run_report.h"
#include "tools/command.h"
#include "tools/interrupt.h"
#include "tools/match_output.h"
#include "tools/progress.h"
#include "tools/report_charts.h"
#include "tools/report_json.h"
#include "tools/report_page.h"
#include "tools/report_tables.h"
#include "tools/run_folder.h"

namespace crossriver {
namespace {

constexpr char kCompare[] = "compare";

struct ReportFlags {
  std::vector<std::string> words;  // RUN, or compare RUN RUN …
  std::string variant;             // of those of a run; empty: its first
  std::string out;
  bool json = false;
  int64_t newest = 0;
  bool all_starts = false;
  int64_t replay = kReplayedPlies;
  int threads = 0;
};

absl::StatusOr<std::vector<std::string>> RunsOf(const ReportFlags& flags) {
  const std::vector<std::string>& words = flags.words;
  if (words[0] != kCompare) {
    if (words.size() == 1) return words;
    return absl::InvalidArgumentError(
        absl::StrCat("expected one run, or 'compare' and several, got ", words.size(), " runs"));
  }
  const std::vector<std::string> runs(words.begin() + 1, words.end());
  if (runs.size() < 2 || runs.size() > static_cast<size_t>(kMaxSeries)) {
    return absl::InvalidArgumentError(
        absl::StrCat("compare: expected 2 to ", kMaxSeries, " runs, got ", runs.size()));
  }
  return runs;
}

// The last part of a path, without what leads there: pages are shown to others.
std::string FolderName(const std::string& path) {
  std::error_code error;
  std::filesystem::path whole = std::filesystem::weakly_canonical(path, error);
  if (error) whole = path;
  return whole.has_filename() ? whole.filename().string() : path;
}

// Runs by the names of their variants where these tell them apart, otherwise by their folders, and
// by the paths as they were given where these are alike.
void LabelSubjects(const std::vector<std::string>& runs, std::vector<ReportSubject>* subjects) {
  std::set<std::string> variants;
  std::set<std::string> folders;
  for (size_t i = 0; i < runs.size(); ++i) {
    variants.insert((*subjects)[i].report.rules->definition().name);
    folders.insert(FolderName(runs[i]));
  }
  for (size_t i = 0; i < runs.size(); ++i) {
    std::string& label = (*subjects)[i].label;
    label = (*subjects)[i].report.rules->definition().name;
    if (variants.size() == runs.size()) continue;
    label = folders.size() == runs.size() ? FolderName(runs[i]) : runs[i];
  }
}

absl::StatusOr<size_t> ChooseVariant(const VariantGroup& variants, const std::string& id,
                                     const std::string& run) {
  if (id.empty()) return 0;
  if (const std::optional<size_t> found = variants.FindById(id); found.has_value()) return *found;
  std::vector<std::string> ids;
  for (const Rules* rules : variants.pointers()) ids.push_back(rules->definition().id);
  return absl::NotFoundError(absl::StrCat("--variant ", Printable(id), ": ", run, " is a run of ",
                                          absl::StrJoin(ids, ", "), Suggestion(id, ids)));
}

absl::StatusOr<RunReport> ReportOf(const ReportFlags& flags, const std::string& path) {
  const absl::StatusOr<RunDirectory> run = RunDirectory::OpenReadOnly(path);
  if (!run.ok()) return run.status();
  const absl::StatusOr<VariantGroup> variants = VariantsOfRun(*run);
  if (!variants.ok()) return variants.status();
  const absl::StatusOr<size_t> variant = ChooseVariant(*variants, flags.variant, path);
  if (!variant.ok()) return variant.status();
  std::unique_ptr<Progress> progress;
  RunReportOptions options;
  for (size_t i = 0; i < variants->size(); ++i) {
    if (i != *variant) options.other_variants.insert((*variants)[i]->definition().id);
  }
  options.newest = flags.newest;
  options.all_starts = flags.all_starts;
  options.replayed_plies = flags.replay;
  options.threads = flags.threads > 0
                        ? flags.threads
                        : static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
  options.stop = Interrupted;
  options.progress = [&progress](int64_t done, int64_t total) {
    if (progress == nullptr) progress = std::make_unique<Progress>("games", total);
    progress->Update(done);
  };
  return MakeRunReport(*run, (*variants)[*variant], options);
}

absl::Status RunReportCommand(const ReportFlags& flags) {
  const absl::StatusOr<std::vector<std::string>> runs = RunsOf(flags);
  if (!runs.ok()) return runs.status();
  if (!flags.out.empty()) {
    if (absl::Status status = CheckOutput("--out", flags.out); !status.ok()) return status;
  }
  CatchInterrupts();
  std::vector<ReportSubject> subjects;
  for (const std::string& run : *runs) {
    absl::StatusOr<RunReport> report = ReportOf(flags, run);
    if (!report.ok()) return report.status();
    subjects.push_back({run, *std::move(report)});
  }
  LabelSubjects(*runs, &subjects);
  if (flags.json) {
    std::printf("%s\n", JsonText(ReportJson(subjects)).c_str());
  } else if (flags.out.empty()) {
    std::printf("%s", FormatReport(subjects).c_str());
  }
  if (flags.out.empty()) return absl::OkStatus();
  return WriteFileDurably(flags.out, ReportPage(subjects));
}

}  // namespace

void AddReportCommand(CLI::App* app, Action* action) {
  auto flags = std::make_shared<ReportFlags>();
  CLI::App* command =
      app->add_subcommand("report", "What the games of a run say about their variant");
  command
      ->add_option("words", flags->words,
                   "RUN, the folder of one; or compare RUN RUN …, several side by side")
      ->required()
      ->expected(1, 1 + kMaxSeries);
  command->add_option("--variant", flags->variant,
                      "Of a run of several variants, the id of the one to report of; default the "
                      "first");
  command->add_option("--out", flags->out,
                      "Write a page for browsers to this file (.html), complete in itself");
  command->add_flag("--json", flags->json, "Print JSON rather than tables");
  command
      ->add_option("--newest", flags->newest,
                   "Of each run the newest games only, so many; default all")
      ->check(CLI::Range(int64_t{1}, int64_t{1'000'000'000}));
  command->add_flag("--all-starts", flags->all_starts,
                    "Also games that began from thinned armies or in the middle of others");
  command
      ->add_option("--replay", flags->replay,
                   "Of each run replay games of about so many plies in all, evenly spaced, for "
                   "what moves and pieces do; 0 = all games. Default 200,000, a matter of a second")
      ->check(CLI::Range(int64_t{0}, int64_t{1'000'000'000'000}));
  command->add_option("--threads", flags->threads, "Default one a core")
      ->check(CLI::Range(1, 1024));
  command->footer(
      "First player's score, draws and their causes, lengths, legal moves, drops, promotions, what "
      "pieces\ndo, and what they are worth by the games they won. Early games of a run are those "
      "of beginners:\n--newest leaves them out.\n\n"
      "Examples:\n"
      "  crossriver report runs/quickstart --newest 10000 --out report.html\n"
      "  crossriver report compare runs/standard runs/strong --out compare.html\n"
      "  crossriver report runs/quickstart --json");
  SetAction(command, flags, action, RunReportCommand);
}

}  // namespace crossriver
