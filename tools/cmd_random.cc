// crossriver random: random games, and how they end.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>
#include <vector>

#include "absl/strings/numbers.h"
#include "core/adjudicator.h"
#include "core/fingerprint.h"
#include "core/history.h"
#include "core/movegen.h"
#include "core/mutex.h"
#include "core/notation.h"
#include "tools/command.h"
#include "tools/interrupt.h"
#include "tools/progress.h"
#include "tools/variant_files.h"

namespace crossriver {
namespace {

struct RandomFlags {
  std::string variant;
  int games = 100;
  std::string seed = "1";
  int max_plies = 2000;
  int threads = 1;
  bool list = false;
  bool json = false;
};

struct RandomGame {
  int plies = -1;           // not played
  const char* result = "";  // "first", "second", "draw", "unfinished"
  absl::string_view reason;
};

const char* ResultName(const Outcome& outcome, Side mover) {
  if (outcome.result == Result::kDraw) return "draw";
  const Side winner = outcome.result == Result::kWin ? mover : Other(mover);
  return winner == Side::kFirst ? "first" : "second";
}

// Each game has a random stream of its own, so threads change nothing.
RandomGame PlayRandomGame(const Rules& rules, uint64_t seed, int max_plies) {
  std::mt19937_64 random(seed);
  Position position = StartPosition(rules);
  History history(position);
  std::vector<Move> moves;
  for (;;) {
    GenerateLegalMoves(position, &moves);
    const Outcome outcome = Adjudicate(position, history, !moves.empty());
    if (outcome.is_over()) {
      return {history.plies(), ResultName(outcome, position.side_to_move()),
              ToString(outcome.reason)};
    }
    if (history.plies() >= max_plies) return {max_plies, "unfinished", "max_plies"};
    // The bias of the remainder is below 1e-16.
    const Move move = moves[random() % moves.size()];
    const UndoRecord undo = position.Do(move);
    history.Push(position, undo);
  }
}

std::vector<RandomGame> PlayAll(const Rules& rules, const RandomFlags& flags) {
  std::vector<RandomGame> games(static_cast<size_t>(flags.games));
  std::atomic<size_t> next = 0;
  Mutex mutex;
  int done = 0;
  Progress progress("games", flags.games);
  uint64_t first_seed = 0;
  CR_CHECK(absl::SimpleAtoi(flags.seed, &first_seed));  // the flag's validator has seen it
  const auto work = [&] {
    for (size_t i = next++; i < games.size() && !Interrupted(); i = next++) {
      const uint64_t seed = KeySequence(first_seed + (uint64_t{i} << 32)).Next();
      games[i] = PlayRandomGame(rules, seed, flags.max_plies);
      MutexLock lock(&mutex);
      progress.Update(++done);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 1; i < flags.threads; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return games;
}

nlohmann::ordered_json Summarise(const std::vector<RandomGame>& games) {
  std::vector<int> plies;
  std::map<std::string, int> results = {
      {"first", 0}, {"second", 0}, {"draw", 0}, {"unfinished", 0}};
  std::map<std::string, int> reasons;
  double total = 0;
  for (const RandomGame& game : games) {
    if (game.plies < 0) continue;
    plies.push_back(game.plies);
    total += game.plies;
    ++results[game.result];
    ++reasons[std::string(game.reason)];
  }
  nlohmann::ordered_json summary;
  summary["games"] = plies.size();
  if (plies.empty()) return summary;
  std::sort(plies.begin(), plies.end());
  const auto quantile = [&plies](size_t percent) {
    return plies[(plies.size() - 1) * percent / 100];
  };
  summary["plies"] = {{"mean", total / static_cast<double>(plies.size())},
                      {"min", plies.front()},
                      {"q10", quantile(10)},
                      {"median", quantile(50)},
                      {"q90", quantile(90)},
                      {"max", plies.back()}};
  summary["results"] = results;
  summary["reasons"] = reasons;
  return summary;
}

void PrintCounts(const char* title, const nlohmann::ordered_json& counts, double games) {
  std::printf("%-9s", title);
  for (const auto& [name, count] : counts.items()) {
    std::printf(" %s %d (%.1f%%) ", name.c_str(), count.get<int>(),
                100.0 * count.get<double>() / games);
  }
  std::printf("\n");
}

void PrintSummary(const nlohmann::ordered_json& summary) {
  std::printf("games     %d\n", summary["games"].get<int>());
  if (!summary.contains("plies")) return;
  const auto& plies = summary["plies"];
  std::printf("plies     mean %.1f  min %d  10%% %d  median %d  90%% %d  max %d\n",
              plies["mean"].get<double>(), plies["min"].get<int>(), plies["q10"].get<int>(),
              plies["median"].get<int>(), plies["q90"].get<int>(), plies["max"].get<int>());
  const double games = summary["games"].get<double>();
  PrintCounts("results", summary["results"], games);
  PrintCounts("reasons", summary["reasons"], games);
}

absl::Status RunRandom(const RandomFlags& flags) {
  const absl::StatusOr<std::shared_ptr<const Rules>> rules = LoadVariantArgument(flags.variant);
  if (!rules.ok()) return rules.status();
  CatchInterrupts();
  const std::vector<RandomGame> games = PlayAll(**rules, flags);
  if (flags.list) {
    for (size_t i = 0; i < games.size(); ++i) {
      if (games[i].plies < 0) continue;
      if (flags.json) {
        const nlohmann::ordered_json line = {{"game", i},
                                             {"plies", games[i].plies},
                                             {"result", games[i].result},
                                             {"reason", std::string(games[i].reason)}};
        std::printf("%s\n", line.dump().c_str());
      } else {
        std::printf("game %zu: %d plies, %s, %s\n", i, games[i].plies, games[i].result,
                    std::string(games[i].reason).c_str());
      }
    }
  }
  const nlohmann::ordered_json summary = Summarise(games);
  if (flags.json) {
    std::printf("%s\n", summary.dump().c_str());
  } else {
    PrintSummary(summary);
  }
  return Interrupted() ? absl::CancelledError("interrupted; the figures are of the games played")
                       : absl::OkStatus();
}

}  // namespace

void AddRandomCommand(CLI::App* app, Action* action) {
  auto flags = std::make_shared<RandomFlags>();
  CLI::App* command =
      app->add_subcommand("random", "Play random games; print lengths, results and reasons");
  command->add_option("variant", flags->variant, kVariantHelp)->required();
  command->add_option("--games", flags->games, "Games, default 100")
      ->check(CLI::Range(1, 10000000));
  command->add_option("--seed", flags->seed, "Seed, default 1; the same seed gives the same games")
      ->check(CLI::Validator(
          [](const std::string& text) {
            uint64_t seed = 0;
            return absl::SimpleAtoi(text, &seed) ? "" : "expected a number from 0 to 2^64-1";
          },
          "SEED"));
  command->add_option("--max-plies", flags->max_plies, "Break a game off here, default 2000")
      ->check(CLI::Range(1, 1000000));
  command->add_option("--threads", flags->threads, "Threads, default 1")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--list", flags->list, "Print a line a game as well");
  command->add_flag("--json", flags->json, "Print JSON, one object a line");
  command->footer("Example:\n  crossriver random shoxiang-xq-strong --games 1000 --seed 7");
  SetAction(command, flags, action, RunRandom);
}

}  // namespace crossriver
