// crossriver bench: speeds of this machine and build.
#include <csignal>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/variant_loader.h"
#include "tools/command.h"
#include "tools/engine_process.h"
#include "tools/perft_bench.h"

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

}  // namespace

void AddBenchCommand(CLI::App* app, Action* action) {
  auto flags = std::make_shared<BenchFlags>();
  CLI::App* bench = app->add_subcommand("bench", "Measure speeds");
  bench->require_subcommand(1);
  bench->footer("Example:\n  crossriver bench perft");
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
