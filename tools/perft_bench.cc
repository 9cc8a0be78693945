#include "tools/perft_bench.h"

#include <chrono>
#include <memory>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "core/median.h"
#include "core/notation.h"
#include "core/perft.h"
#include "selfplay/players/engine_client.h"
#include "tools/progress.h"
#include "tools/variant_files.h"

namespace crossriver {
namespace {

constexpr uint64_t kEnoughNodes = 10'000'000;  // for a variant without a published count
constexpr uint64_t kEnoughPlayed = 1'000'000;
constexpr absl::Duration kEngineTimeout = absl::Minutes(10);

struct Timed {
  uint64_t nodes = 0;
  double seconds = 0;
  double rate() const { return static_cast<double>(nodes) / seconds; }
};

Timed TimePerft(const Position& start, const PerftOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const uint64_t nodes = Perft(start, options);
  return {nodes, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()};
}

// The least depth with enough nodes.
int DepthFor(const Position& start, uint64_t enough) {
  PerftOptions options;
  while (Perft(start, options) < enough && options.depth < 12) ++options.depth;
  return options.depth;
}

// Another program set up for one variant, at its start position.
absl::StatusOr<std::unique_ptr<EngineClient>> StartEngine(const std::string& path,
                                                          const Rules& rules) {
  EngineSettings settings;
  settings.command = {path};
  absl::StatusOr<std::unique_ptr<EngineClient>> engine = EngineClient::Start(settings, rules);
  if (!engine.ok()) return engine;
  if (absl::Status sent = (*engine)->process()->Send("position startpos"); !sent.ok()) return sent;
  return engine;
}

absl::StatusOr<Timed> TimeEnginePerft(EngineProcess* engine, int depth) {
  const auto begin = std::chrono::steady_clock::now();
  if (absl::Status sent = engine->Send(absl::StrCat("go perft ", depth)); !sent.ok()) return sent;
  const auto lines = engine->ReadUntil("Nodes searched", kEngineTimeout);
  if (!lines.ok()) return lines.status();
  Timed timed;
  timed.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const std::vector<std::string> words = absl::StrSplit(lines->back(), ' ');
  if (!absl::SimpleAtoi(words.back(), &timed.nodes)) {
    return absl::UnavailableError(absl::StrCat("unexpected answer: ", lines->back()));
  }
  return timed;
}

absl::StatusOr<PerftBenchRow> BenchVariant(const Rules& rules, const PerftBenchOptions& options) {
  const Position start = StartPosition(rules);
  const Reference& reference = rules.definition().reference;
  PerftBenchRow row;
  row.variant = rules.definition().id;
  row.has_reference = !reference.perft.empty();
  row.depth =
      row.has_reference ? static_cast<int>(reference.perft.size()) : DepthFor(start, kEnoughNodes);
  PerftOptions bulk;
  bulk.depth = row.depth;
  PerftOptions played;
  played.depth = DepthFor(start, kEnoughPlayed);
  played.bulk = false;
  PerftOptions copied = played;
  copied.copy_make = true;
  std::unique_ptr<EngineClient> engine;
  if (!options.engine.empty() && !reference.uci_variant.empty()) {
    auto started = StartEngine(options.engine, rules);
    if (!started.ok()) return started.status();
    engine = *std::move(started);
  }
  std::vector<double> rates, played_rates, copied_rates, engine_rates, ratios;
  for (int i = 0; i < options.repeats; ++i) {
    const Timed ours = TimePerft(start, bulk);
    row.nodes = ours.nodes;
    rates.push_back(ours.rate());
    played_rates.push_back(TimePerft(start, played).rate());
    copied_rates.push_back(TimePerft(start, copied).rate());
    if (engine == nullptr) continue;
    const absl::StatusOr<Timed> theirs = TimeEnginePerft(engine->process(), row.depth);
    if (!theirs.ok()) return theirs.status();
    if (theirs->nodes != ours.nodes) {
      return absl::InternalError(
          absl::StrCat(row.variant, ": ", ours.nodes, " nodes, the engine counts ", theirs->nodes));
    }
    engine_rates.push_back(theirs->rate());
    ratios.push_back(ours.rate() / theirs->rate());
  }
  row.correct = row.has_reference && row.nodes == reference.perft.back();
  row.nodes_per_second = Median(rates);
  row.played_nodes_per_second = Median(played_rates);
  row.copied_nodes_per_second = Median(copied_rates);
  if (engine != nullptr) row.engine_nodes_per_second = Median(engine_rates);
  if (engine != nullptr) row.ratio = Median(ratios);
  return row;
}

}  // namespace

absl::StatusOr<std::vector<PerftBenchRow>> RunPerftBench(const PerftBenchOptions& options) {
  std::vector<PerftBenchRow> rows;
  Progress progress("variants", static_cast<int64_t>(options.variants.size()));
  for (const std::string& variant : options.variants) {
    const auto rules = LoadVariantArgument(variant);
    if (!rules.ok()) return rules.status();
    absl::StatusOr<PerftBenchRow> row = BenchVariant(**rules, options);
    if (!row.ok()) return row.status();
    rows.push_back(*std::move(row));
    progress.Update(static_cast<int64_t>(rows.size()));
  }
  return rows;
}

}  // namespace crossriver
