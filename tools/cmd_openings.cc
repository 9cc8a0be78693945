// crossriver openings: what is played at the beginning of games, and how it went.
#include <cstdio>
#include <limits>
#include <memory>
#include <string>

#include "tools/command.h"
#include "tools/openings_report.h"
#include "tools/openings_source.h"

namespace crossriver {
namespace {

constexpr int kPliesOfText = 2;
constexpr int kPliesOfSvg = 6;

struct OpeningsFlags {
  OpeningSourceFlags source;
  OpeningsReportOptions report;
  int plies = 0;  // 0: by the form of the report
  std::string from;
  std::string checkpoints;
  bool json = false;
  bool csv = false;
  bool svg = false;
};

absl::Status RunOpenings(const OpeningsFlags& flags) {
  OpeningsReportOptions options = flags.report;
  if (!flags.checkpoints.empty()) {
    const absl::StatusOr<CheckpointRange> range = ParseCheckpoints(flags.checkpoints);
    if (!range.ok()) return range.status();
    options.checkpoints = *range;
  }
  options.plies = flags.plies > 0 ? flags.plies : flags.svg ? kPliesOfSvg : kPliesOfText;
  absl::StatusOr<OpenedOpenings> opened = OpenOpenings(flags.source);
  if (!opened.ok()) return opened.status();
  for (const std::string& message : opened->messages) {
    std::fprintf(stderr, "%s\n", message.c_str());
  }
  const absl::StatusOr<OpeningPlace> place = ParseOpeningPlace(*opened->rules, flags.from);
  if (!place.ok()) return place.status();
  const absl::StatusOr<OpeningsReport> report =
      MakeOpeningsReport(options, flags.source.source, *place, &*opened);
  if (!report.ok()) return report.status();
  const std::string text = flags.json  ? FormatOpeningsJson(*report)
                           : flags.csv ? FormatOpeningsCsv(*report)
                           : flags.svg ? DrawOpeningsSvg(*report)
                                       : FormatOpeningsText(*report);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return absl::OkStatus();
}

}  // namespace

void AddOpeningsCommand(CLI::App* app, Action* action) {
  auto flags = std::make_shared<OpeningsFlags>();
  CLI::App* command = app->add_subcommand(
      "openings", "The openings of a run, a match or a file of games: tree, main lines, changes");
  AddOpeningSourceFlags(command, &flags->source);
  command->add_option("--ply", flags->plies, "Plies of the tree, default 2, of the picture 6")
      ->check(CLI::Range(1, 1000));
  command
      ->add_option("--min-games", flags->report.min_games,
                   "Moves and lines of fewer games are not shown, default 10")
      ->check(CLI::Range(int64_t{1}, std::numeric_limits<int64_t>::max()));
  command->add_option(
      "--from", flags->from,
      "The position to begin at: moves from the array, a FEN, or FEN moves m1 m2 …");
  command->add_option("--checkpoints", flags->checkpoints,
                      "A..B: moves by the networks A to B alone; default all games");
  command->add_option("--lines", flags->report.lines, "Main lines, default 8")
      ->check(CLI::Range(0, 1000));
  command->add_option("--line-plies", flags->report.line_plies, "Their length, default 12")
      ->check(CLI::Range(1, 1000));
  CLI::Option* json = command->add_flag("--json", flags->json, "Print everything as JSON");
  CLI::Option* csv = command->add_flag("--csv", flags->csv, "Print the tree as a table");
  CLI::Option* svg = command->add_flag("--svg", flags->svg, "Print the tree as a picture");
  json->excludes(csv)->excludes(svg);
  csv->excludes(svg);
  command->footer(
      "Positions are one however they came about, mirror images too. `score` is the mover's, of "
      "the "
      "games,\nwith its 95 % interval; `network` and `search` are the mean opinions of the "
      "networks "
      "that played,\n`popular` the first and the last checkpoint that played the move in a tenth "
      "of "
      "its games or more.\nThe table of changes compares the first with the last quarter of the "
      "checkpoints. Examples:\n"
      "  crossriver openings runs/mine\n"
      "  crossriver openings runs/mine --from 'b1c3 h10g8' --ply 4 --min-games 50\n"
      "  crossriver openings runs/mine --checkpoints 40..60 --json\n"
      "  crossriver openings runs/mine --svg > openings.svg");
  SetAction(command, flags, action, RunOpenings);
}

}  // namespace crossriver
