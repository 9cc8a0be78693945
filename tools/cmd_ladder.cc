// crossriver ladder: ratings of a run's checkpoints and of other players.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "core/durable_file.h"
#include "core/spelling.h"
#include "selfplay/json_text.h"
#include "selfplay/players/player_spec.h"
#include "tools/command.h"
#include "tools/interrupt.h"
#include "tools/ladder_plot.h"
#include "tools/ladder_report.h"
#include "tools/ladder_session.h"
#include "tools/match_output.h"
#include "tools/run_folder.h"

namespace crossriver {
namespace {

constexpr int64_t kMostGames = 10'000'000;
// Of the plot in a terminal.
constexpr int kPlotColumns = 78;
constexpr int kPlotLines = 20;

void Print(const LadderFlags& flags, const LadderReport& report,
           const std::vector<LadderPlot>& plots) {
  if (flags.json) {
    std::printf("%s\n", JsonText(LadderReportJson(report)).c_str());
    return;
  }
  std::printf("%s", FormatLadderReport(report).c_str());
  // The first is Elo over games.
  const size_t shown = flags.plots ? plots.size() : std::min<size_t>(plots.size(), 1);
  for (size_t i = 0; i < shown; ++i) {
    std::printf("\n%s", DrawPlotText(plots[i], kPlotColumns, kPlotLines).c_str());
  }
}

absl::Status WriteSvg(const LadderFlags& flags, const LadderReport& report,
                      const std::vector<LadderPlot>& plots) {
  if (!plots.empty()) {
    return WriteFileDurably(
        flags.svg, DrawPlotsSvg(plots, absl::StrCat(flags.run, ", Elo over ", report.anchor)));
  }
  std::fprintf(stderr,
               "%s is not written: there is nothing to plot of fewer than two checkpoints\n",
               flags.svg.c_str());
  return absl::OkStatus();
}

absl::Status RunLadder(const LadderFlags& flags) {
  std::signal(SIGPIPE, SIG_IGN);  // an engine that dies is an error, not our end
  absl::StatusOr<std::unique_ptr<LadderSession>> session = LadderSession::Open(flags);
  if (!session.ok()) return session.status();
  CatchInterrupts();
  absl::Status status = (*session)->Run();
  const absl::StatusOr<LadderReport> report = (*session)->Report();
  if (!report.ok()) return status.ok() ? report.status() : status;
  const std::vector<LadderPlot> plots = PlotsOf(*report);
  Print(flags, *report, plots);
  const std::string missing = MissingPlots(*report);
  if ((flags.plots || !flags.svg.empty()) && !missing.empty()) {
    std::fprintf(stderr, "%s\n", missing.c_str());
  }
  if (!flags.svg.empty()) status.Update(WriteSvg(flags, *report, plots));
  return status;
}

void AddPlayerFlags(CLI::App* command, LadderFlags* flags) {
  command->add_option("run", flags->run, kRunHelp);
  command
      ->add_option("--with", flags->with, "A further player, see below; may be given several times")
      ->allow_extra_args(false)
      ->type_name("SPEC");
  command->add_option("--variant", flags->variant, absl::StrCat("Without a run: ", kVariantHelp));
  command
      ->add_option("--checkpoints", flags->checkpoints,
                   "How many of the run: the first, the newest, others between; default 8")
      ->check(CLI::Range(1, 1000));
  command->add_flag("--even", flags->even,
                    "Space them evenly by games, rather than by growing steps");
  command
      ->add_option("--visits", flags->visits,
                   "Of a checkpoint's search; 0 plays its likeliest move; default 32")
      ->check(CLI::Range(0, 10'000'000));
  command->add_option("--anchor", flags->anchor,
                      "The player whose rating is 0, by its name or as @12; default the first "
                      "checkpoint, or player");
}

void AddGameFlags(CLI::App* command, LadderFlags* flags) {
  command
      ->add_option("--games", flags->games,
                   "End with so many, those of earlier calls included; 0 shows what there is, "
                   "also while another call plays; default 2000")
      ->check(CLI::Range(int64_t{0}, kMostGames));
  command
      ->add_option("--interval", flags->interval,
                   "End before when the lead of each player over the next one is known to so many "
                   "Elo either way; 0: never; default 50")
      ->check(CLI::Range(0.0, 10'000.0));
  command
      ->add_option("--block", flags->block,
                   "Pairs of games of two players before ratings are made anew; few choose better "
                   "who plays, many fill a network's batches. Default 32, less with few games")
      ->check(CLI::Range(1, 100'000));
  command->add_option("--plies", flags->plies, "Random plies of an opening, default 6")
      ->check(CLI::Range(0, 1000));
  AddSeedFlag(command, &flags->seed);
  AddMaxPliesFlag(command, &flags->max_plies);
  AddResourceFlags(command, &flags->threads, &flags->at_a_time, &flags->device);
}

}  // namespace

void AddLadderCommand(CLI::App* app, Action* action) {
  auto flags = std::make_shared<LadderFlags>();
  CLI::App* command =
      app->add_subcommand("ladder", "Rate a run's checkpoints and other players together");
  AddPlayerFlags(command, flags.get());
  AddGameFlags(command, flags.get());
  command->add_option("--store", flags->store,
                      "Keep the games in this file; the same command goes on with what is missing; "
                      "default ladder.db in the run's folder");
  command->add_option("--svg", flags->svg,
                      "Draw Elo against games, evaluations and hours of training to this file");
  command->add_flag("--plots", flags->plots, "Print all these plots, not that of Elo alone");
  command->add_flag("--json", flags->json,
                    "Print one JSON object: players with elo, elo_low, elo_high, games, score, …");
  command->footer(absl::StrCat(
      "Mostly neighbours play, each opening twice with sides swapped. Columns: rating with its 95 "
      "% "
      "interval,\ngames, score, draws, and how likely the player is stronger than the one "
      "below; of checkpoints what\nthey have cost: games of self-play, positions evaluated in "
      "them, "
      "processor time.\n\n",
      PlayerSpecHelp(),
      "\nExamples:\n"
      "  crossriver ladder runs/quickstart --with random --with uniform:100 --svg ladder.svg\n"
      "  crossriver ladder --variant minishogi --with random --with mcts:50 --with uniform:100\n"));
  SetAction(command, flags, action, RunLadder);
}

}  // namespace crossriver
