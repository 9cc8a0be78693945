// crossriver match: two players against each other.
#include <csignal>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "selfplay/json_text.h"
#include "selfplay/players/player_spec.h"
#include "tools/command.h"
#include "tools/interrupt.h"
#include "tools/match_output.h"
#include "tools/match_report.h"
#include "tools/match_session.h"

namespace crossriver {
namespace {

constexpr int kMostMatchGames = 10'000'000;

absl::Status RunMatch(const MatchFlags& flags) {
  std::signal(SIGPIPE, SIG_IGN);  // an engine that dies is an error, not our end
  absl::StatusOr<std::unique_ptr<MatchSession>> session = MatchSession::Open(flags);
  if (!session.ok()) return session.status();
  CatchInterrupts();
  absl::Status status = (*session)->Run();
  const MatchReport report = (*session)->Report();
  if (flags.json) {
    std::printf("%s\n", JsonText(MatchReportJson(report)).c_str());
  } else {
    std::printf("%s", FormatMatchReport(report).c_str());
  }
  status.Update((*session)->WritePgn());
  return status;
}

void AddEndFlags(CLI::App* command, MatchGameLimits* limits) {
  AddMaxPliesFlag(command, &limits->max_plies);
  command
      ->add_option("--resign", limits->resign_below,
                   "A side has lost when both players give it less than this expected score, from "
                   "0 to 0.5; default 0: play on")
      ->check(CLI::Range(0.0, 0.5));
  command->add_option("--resign-moves", limits->resign_moves, "for so many moves each, default 3")
      ->check(CLI::Range(1, 1000));
  command
      ->add_option("--draw", limits->draw_within,
                   "A game is a draw when both players see an expected score no further from 0.5, "
                   "up to 0.5; default 0: play on")
      ->check(CLI::Range(0.0, 0.5));
  command->add_option("--draw-moves", limits->draw_moves, "for so many moves each, default 8")
      ->check(CLI::Range(1, 1000));
  command->add_option("--draw-after", limits->draw_after_ply, "and so many plies, default 80")
      ->check(CLI::Range(0, 1'000'000));
}

void AddOutputFlags(CLI::App* command, MatchFlags* flags) {
  command->add_option("--store", flags->store,
                      "Keep the games in this file; the same command goes on with what is missing");
  command->add_option("--pgn", flags->pgn,
                      "Write all games to this file as PGN-like text; without --store as they end");
  command->add_flag("--json", flags->json,
                    "Print one JSON object: wins, draws, losses of A, elo, elo_low, elo_high, …");
}

}  // namespace

void AddMatchCommand(CLI::App* app, Action* action) {
  auto flags = std::make_shared<MatchFlags>();
  CLI::App* command = app->add_subcommand("match", "Play two players against each other");
  command->add_option("a", flags->a, "Player A; see below")->required();
  command->add_option("b", flags->b, "Player B")->required();
  command->add_option("--variant", flags->variant, kVariantHelp)->required();
  command
      ->add_option("--games", flags->games,
                   absl::StrCat("An even number, default ", kDefaultGames, ", with --sprt ",
                                kDefaultGamesOfTest))
      ->check(CLI::Range(2, kMostMatchGames));
  command->add_option("--openings", flags->openings,
                      "File with an opening a line: FEN, FEN moves m1 m2 …, or JSON with fen and "
                      "moves; in an order that follows from the seed");
  command
      ->add_option("--plies", flags->plies, "Without a file: random plies of an opening, default 6")
      ->check(CLI::Range(0, 1000));
  AddSeedFlag(command, &flags->seed);
  command
      ->add_option(
          "--sprt", flags->sprt,
          "Stop as soon as it is known whether A leads by ELO0 or less, or by ELO1 or more")
      ->expected(2)
      ->type_name("ELO0 ELO1");
  command
      ->add_option("--sprt-error", flags->sprt_error,
                   "How often that may be wrong, either way; default 0.05")
      ->check(CLI::Range(0.0001, 0.4));
  AddEndFlags(command, &flags->limits);
  AddResourceFlags(command, &flags->threads, &flags->at_a_time, &flags->device);
  AddOutputFlags(command, flags.get());
  command->footer(absl::StrCat(
      "Each opening is played twice with sides swapped. A player that crashes, hangs or plays an\n"
      "illegal move loses that game. In JSON an Elo of 9999 stands for more than can be told.\n\n",
      PlayerSpecHelp(),
      "\nExample:\n"
      "  crossriver match 'net:runs/quickstart@latest?visits=100' random --variant switchback \\\n"
      "      --games 200 --store match.db --pgn match.pgn\n"));
  SetAction(command, flags, action, RunMatch);
}

}  // namespace crossriver
