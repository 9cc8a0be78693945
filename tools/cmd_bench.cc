// crossriver bench: speeds of this machine and build.
#include <csignal>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/variant_loader.h"
#include "selfplay/players/engine_process.h"
#include "tools/command.h"
#include "tools/openings_bench.h"
#include "tools/perft_bench.h"
#include "tools/search_bench.h"

namespace crossriver {
namespace {

struct BenchFlags {
  PerftBenchOptions perft;
  bool no_engine = false;
  bool json = false;
};

nlohmann::ordered_json ToJson(const PerftBenchRow& row) {
  nlohmann::ordered_json object = {{"variant", row.variant},
                                   {"depth", row.depth},
                                   {"nodes", row.nodes},
                                   {"nodes_per_second", row.nodes_per_second},
                                   {"played_nodes_per_second", row.played_nodes_per_second},
                                   {"copied_nodes_per_second", row.copied_nodes_per_second}};
  if (row.has_reference) object["correct"] = row.correct;
  if (row.ratio > 0) {
    object["fairy_stockfish_nodes_per_second"] = row.engine_nodes_per_second;
    object["ratio"] = row.ratio;
  }
  return object;
}

void PrintTable(const std::vector<PerftBenchRow>& rows) {
  std::printf("perft from the start position, one thread, million nodes/s, medians\n");
  std::printf("%-24s %5s %12s %8s %8s %8s %8s %6s  %s\n", "variant", "depth", "nodes", "bulk",
              "played", "copied", "FSF", "ratio", "count");
  for (const PerftBenchRow& row : rows) {
    std::printf("%-24s %5d %12llu %8.1f %8.1f %8.1f ", row.variant.c_str(), row.depth,
                static_cast<unsigned long long>(row.nodes), row.nodes_per_second / 1e6,
                row.played_nodes_per_second / 1e6, row.copied_nodes_per_second / 1e6);
    if (row.ratio > 0) {
      std::printf("%8.1f %6.2f", row.engine_nodes_per_second / 1e6, row.ratio);
    } else {
      std::printf("%8s %6s", "-", "-");
    }
    std::printf("  %s\n", !row.has_reference ? "-" : row.correct ? "as published" : "WRONG");
  }
  std::printf(
      "bulk: the last ply counted by population count; played: every node made and taken back;\n"
      "copied: every node made on a copy; FSF: Fairy-Stockfish's go perft (bulk too), side by "
      "side\n");
}

absl::Status RunBenchPerft(const BenchFlags& flags) {
  std::signal(SIGPIPE, SIG_IGN);  // an engine that dies is an error, not our end
  PerftBenchOptions options = flags.perft;
  if (options.variants.empty()) options.variants = BuiltinVariantIds();
  if (options.engine.empty() && !flags.no_engine) options.engine = FindFairyStockfish();
  if (flags.no_engine) options.engine.clear();
  if (options.engine.empty() && !flags.no_engine) {
    std::fprintf(stderr, "fairy-stockfish is not installed: no comparison\n");
  }
  const absl::StatusOr<std::vector<PerftBenchRow>> rows = RunPerftBench(options);
  if (!rows.ok()) return rows.status();
  if (flags.json) {
    nlohmann::ordered_json rows_json = nlohmann::ordered_json::array();
    for (const PerftBenchRow& row : *rows) rows_json.push_back(ToJson(row));
    const nlohmann::ordered_json report = {{"bench", "perft"}, {"rows", rows_json}};
    std::printf("%s\n", report.dump(2).c_str());
  } else {
    PrintTable(*rows);
  }
  for (const PerftBenchRow& row : *rows) {
    if (row.has_reference && !row.correct) {
      return absl::InternalError(row.variant + ": the count is not the published one");
    }
  }
  return absl::OkStatus();
}

struct SearchBenchFlags {
  SearchBenchOptions search;
  std::string policy = "puct";
  bool json = false;
};

nlohmann::ordered_json ToJson(const SearchBenchRow& row) {
  return {{"variant", row.variant},
          {"positions", row.positions},
          {"legal_moves", row.legal_moves},
          {"visits_per_second", row.visits_per_second},
          {"two_thread_ratio", row.two_thread_ratio},
          {"bytes_per_node", row.bytes_per_node}};
}

absl::Status RunBenchSearch(const SearchBenchFlags& flags) {
  SearchBenchOptions options = flags.search;
  if (options.variants.empty()) options.variants = BuiltinVariantIds();
  options.policy = flags.policy == "gumbel" ? RootPolicy::kGumbel : RootPolicy::kPuct;
  const absl::StatusOr<std::vector<SearchBenchRow>> rows = RunSearchBench(options);
  if (!rows.ok()) return rows.status();
  if (flags.json) {
    nlohmann::ordered_json rows_json = nlohmann::ordered_json::array();
    for (const SearchBenchRow& row : *rows) rows_json.push_back(ToJson(row));
    const nlohmann::ordered_json report = {{"bench", "search"}, {"rows", rows_json}};
    std::printf("%s\n", report.dump(2).c_str());
    return absl::OkStatus();
  }
  std::printf(
      "searches of %lld visits, evaluator free, one thread, median; two threads on one tree\n",
      static_cast<long long>(options.visits));
  std::printf("%-24s %-12s %6s %10s %12s %11s\n", "variant", "positions", "moves", "visits/s",
              "two threads", "bytes/node");
  for (const SearchBenchRow& row : *rows) {
    std::printf("%-24s %-12s %6.1f %10.0f %12.2f %11.0f\n", row.variant.c_str(),
                row.positions.c_str(), row.legal_moves, row.visits_per_second, row.two_thread_ratio,
                row.bytes_per_node);
  }
  return absl::OkStatus();
}

void AddBenchSearch(CLI::App* bench, Action* action) {
  auto flags = std::make_shared<SearchBenchFlags>();
  CLI::App* search = bench->add_subcommand("search", "The search, with an evaluator that is free");
  search->add_option("--variants", flags->search.variants,
                     "Ids or files; default all built-in ones");
  search->add_option("--policy", flags->policy, "puct (default) or gumbel")
      ->check(CLI::IsMember({"puct", "gumbel"}));
  search->add_option("--visits", flags->search.visits, "A search, default 800")
      ->check(CLI::Range(1, 100000000));
  search->add_option("--positions", flags->search.positions, "A variant, default 100")
      ->check(CLI::Range(1, 100000));
  search->add_option("--repeats", flags->search.repeats, "Runs each, default 3")
      ->check(CLI::Range(1, 1000));
  search->add_flag("--json", flags->json, "Print JSON");
  search->footer(
      "Example:\n  crossriver bench search --variants switchback --policy gumbel --json");
  SetAction(search, flags, action, RunBenchSearch);
}

struct OpeningsBenchFlags {
  OpeningsBenchOptions openings;
  bool json = false;
};

absl::Status RunBenchOpenings(const OpeningsBenchFlags& flags) {
  const absl::StatusOr<OpeningsBenchReport> report = RunOpeningsBench(flags.openings);
  if (!report.ok()) return report.status();
  const nlohmann::ordered_json object = {
      {"bench", "openings"},
      {"variant", flags.openings.variant},
      {"games", report->games},
      {"games_a_generation", flags.openings.games_a_generation},
      {"positions", report->positions},
      {"moves", report->moves},
      {"waiting_games", report->waiting},
      {"tree_megabytes", report->tree_megabytes},
      {"games_megabytes", report->games_megabytes},
      {"games_per_second", report->games_per_second},
      {"first_generations_seconds", report->first_generations_seconds},
      {"last_generations_seconds", report->last_generations_seconds},
      {"root_seconds", report->root_seconds},
      {"lines_seconds", report->lines_seconds},
      {"changes_seconds", report->changes_seconds},
      {"diversity_seconds", report->diversity_seconds}};
  if (flags.json) {
    std::printf("%s\n", object.dump(2).c_str());
    return absl::OkStatus();
  }
  for (const auto& [name, value] : object.items()) {
    std::printf("%-26s %s\n", name.c_str(), value.dump().c_str());
  }
  return absl::OkStatus();
}

void AddBenchOpenings(CLI::App* bench, Action* action) {
  auto flags = std::make_shared<OpeningsBenchFlags>();
  CLI::App* openings =
      bench->add_subcommand("openings", "A run's tree of openings: growing and being read");
  openings->add_option("--variant", flags->openings.variant, kVariantHelp);
  openings->add_option("--games", flags->openings.games, "Made-up ones, default 100000")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 40));
  openings
      ->add_option("--generation", flags->openings.games_a_generation,
                   "Games between two updates, default 1000")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 40));
  openings->add_flag("--json", flags->json, "Print JSON");
  openings->footer("Example:\n  crossriver bench openings --games 100000");
  SetAction(openings, flags, action, RunBenchOpenings);
}

}  // namespace

void AddBenchCommand(CLI::App* app, Action* action) {
  auto flags = std::make_shared<BenchFlags>();
  CLI::App* bench = app->add_subcommand("bench", "Measure speeds");
  bench->require_subcommand(1);
  bench->footer("Example:\n  crossriver bench perft");
  AddBenchSearch(bench, action);
  AddBenchOpenings(bench, action);
  CLI::App* perft = bench->add_subcommand("perft", "Move generation, beside Fairy-Stockfish");
  perft->add_option("--variants", flags->perft.variants, "Ids or files; default all built-in ones");
  perft->add_option("--repeats", flags->perft.repeats, "Runs each, default 3")
      ->check(CLI::Range(1, 1000));
  perft->add_option("--engine", flags->perft.engine, "Path of Fairy-Stockfish");
  perft->add_flag("--no-engine", flags->no_engine, "Do not compare");
  perft->add_flag("--json", flags->json, "Print JSON");
  perft->footer("Example:\n  crossriver bench perft --variants xiangqi shogi --repeats 5 --json");
  SetAction(perft, flags, action, RunBenchPerft);
}

}  // namespace crossriver
