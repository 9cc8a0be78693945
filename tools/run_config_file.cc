#include "tools/run_config_file.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "tools/network_config.h"
#include "tools/option_tables.h"
#include "tools/variant_files.h"

namespace crossriver {
namespace {

constexpr size_t kMaxChain = 16;

const std::vector<std::pair<std::string, RootPolicy>>& Policies() {
  static const auto& policies = *new std::vector<std::pair<std::string, RootPolicy>>{
      {"gumbel", RootPolicy::kGumbel}, {"puct", RootPolicy::kPuct}};
  return policies;
}
const std::vector<std::pair<std::string, LoopSchedule>>& LoopSchedules() {
  static const auto& schedules = *new std::vector<std::pair<std::string, LoopSchedule>>{
      {"interleaved", LoopSchedule::kInterleaved}, {"concurrent", LoopSchedule::kConcurrent}};
  return schedules;
}

bool NeverReplaced(const toml::table&, std::string_view) { return false; }

absl::StatusOr<toml::table> ReadMerged(const std::string& path) {
  toml::table merged;
  std::string at = path;
  std::vector<std::string> chain;
  for (;;) {
    chain.push_back(at);
    const absl::StatusOr<std::string> text = ReadFile(at, kMaxDocumentBytes + 1);
    if (!text.ok()) return text.status();
    absl::StatusOr<toml::table> table = ParseToml(*text, at);
    if (!table.ok()) return table.status();
    std::string parent;
    if (const toml::node* inherits = table->get("inherits")) {
      const auto* name = inherits->as_string();
      if (name == nullptr || absl::StrContains(name->get(), '/')) {
        return absl::InvalidArgumentError(absl::StrCat(
            LocationOf(*inherits), ": field 'inherits': expected the name of a file beside this"));
      }
      parent = (std::filesystem::path(at).parent_path() / name->get()).string();
      table->erase("inherits");
    }
    MergeTables(*std::move(table), &merged, NeverReplaced);
    if (parent.empty()) return merged;
    const bool cycle = std::find(chain.begin(), chain.end(), parent) != chain.end();
    if (cycle || chain.size() == kMaxChain) {
      return absl::InvalidArgumentError(
          absl::StrCat(at, ": field 'inherits': ", cycle ? "a cycle" : "too long a chain"));
    }
    at = parent;
  }
}

// One "table.key=value". What is no TOML value is taken for a word.
absl::StatusOr<toml::table> ParseSet(const std::string& set) {
  const std::string label = "--set " + set;
  const std::pair<std::string, std::string> parts = absl::StrSplit(set, absl::MaxSplits('=', 1));
  if (parts.first.empty() || !absl::StrContains(set, '=')) {
    return absl::InvalidArgumentError(absl::StrCat(label, ": expected table.key=value"));
  }
  absl::StatusOr<toml::table> table =
      ParseToml(absl::StrCat(parts.first, " = ", parts.second), label);
  if (table.ok()) return table;
  if (absl::StrContains(parts.second, '"')) return table;
  return ParseToml(absl::StrCat(parts.first, " = \"", parts.second, "\""), label);
}

absl::StatusOr<toml::table> WithSets(toml::table config, const std::vector<std::string>& sets) {
  toml::table merged;
  for (auto set = sets.rbegin(); set != sets.rend(); ++set) {  // the last one counts
    absl::StatusOr<toml::table> table = ParseSet(*set);
    if (!table.ok()) return table;
    MergeTables(*std::move(table), &merged, NeverReplaced);
  }
  MergeTables(std::move(config), &merged, NeverReplaced);
  return merged;
}

void ReadSelfPlayTable(TableReader* table, SelfPlayOptions* options) {
  ReadNumbers(SelfPlayRateOptions(), table, options);
  ReadNumbers(SelfPlayCountOptions(), table, options);
  Set(table->Choice("root_policy", Policies()), &options->root_policy);
  Set(table->Bool("tree_reuse"), &options->tree_reuse);
  Set(table->Bool("deterministic"), &options->deterministic);
  Set(table->String("openings"), &options->openings);
  table->Finish();
}

void ReadReplayTable(TableReader* table, ReplayOptions* options) {
  ReadNumbers(ReplayRateOptions(), table, options);
  ReadNumbers(ReplayCountOptions(), table, options);
  Set(table->Bool("cheap_rows"), &options->cheap_rows);
  table->Finish();
}

void ReadLoopTable(TableReader* table, LoopOptions* options) {
  ReadNumbers(LoopRateOptions(), table, options);
  ReadNumbers(LoopCountOptions(), table, options);
  Set(table->Choice("schedule", LoopSchedules()), &options->schedule);
  table->Finish();
}

absl::StatusOr<RunConfig> ReadTables(const toml::table& document, const std::string& label) {
  Diagnostics diagnostics;
  TableReader top(document, "", &diagnostics);
  RunConfig config;
  Set(top.String("variant"), &config.variant);
  Set(top.String("device"), &config.device);
  config.also = top.Strings("also");
  if (config.variant.empty()) top.MissingKey("variant", "the id of a variant, or a file");
  if (auto table = top.Table("network")) ReadNetworkTable(&*table, &config.network);
  if (auto table = top.Table("training")) ReadTrainingTable(&*table, &config.training);
  if (auto table = top.Table("selfplay")) ReadSelfPlayTable(&*table, &config.selfplay);
  if (auto table = top.Table("replay")) ReadReplayTable(&*table, &config.replay);
  if (auto table = top.Table("loop")) ReadLoopTable(&*table, &config.loop);
  top.Finish();
  if (!diagnostics.empty()) return diagnostics.status();
  if (absl::Status valid = Validate(config); !valid.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(label, ": ", absl::string_view(valid.message())));
  }
  return config;
}

// Options that say how a process works, not what the run is.
constexpr std::array kFree = {"device",        "generations",        "processor_minutes",
                              "workers",       "keep_newest",        "keep_every",
                              "max_gigabytes", "min_free_gigabytes", "final_games",
                              "final_visits",  "cache_megabytes",    "threads"};

}  // namespace

absl::StatusOr<RunConfig> ReadRunConfig(const std::string& path,
                                        const std::vector<std::string>& sets) {
  absl::StatusOr<toml::table> merged = ReadMerged(path);
  if (!merged.ok()) return merged.status();
  const absl::StatusOr<toml::table> all = WithSets(*std::move(merged), sets);
  if (!all.ok()) return all.status();
  return ReadTables(*all, path);
}

absl::StatusOr<RunConfig> ParseRunConfig(const std::string& text, const std::string& label,
                                         const std::vector<std::string>& sets) {
  absl::StatusOr<toml::table> table = ParseToml(text, label);
  if (!table.ok()) return table.status();
  const absl::StatusOr<toml::table> all = WithSets(*std::move(table), sets);
  if (!all.ok()) return all.status();
  return ReadTables(*all, label);
}

std::string WriteRunConfig(const RunConfig& config) {
  const auto quoted = [](std::string* out, const std::string& name) {
    absl::StrAppend(out, "\"", absl::Utf8SafeCEscape(name), "\"");
  };
  std::string text = absl::StrCat("variant = \"", config.variant, "\"\nalso = [",
                                  absl::StrJoin(config.also, ", ", quoted), "]\ndevice = \"",
                                  config.device, "\"\n\n[network]\n");
  absl::StrAppend(&text, "geometry = \"", ToString(config.network.geometry), "\"\n");
  WriteNumbers(SizeOptions(), config.network, &text);
  WriteNumbers(WeightOptions(), config.network, &text);
  absl::StrAppend(&text, "\n[training]\n");
  WriteTraining(config.training, &text);
  absl::StrAppend(&text, "\n[selfplay]\nroot_policy = \"",
                  NameOf(Policies(), config.selfplay.root_policy),
                  "\"\ntree_reuse = ", config.selfplay.tree_reuse ? "true" : "false",
                  "\ndeterministic = ", config.selfplay.deterministic ? "true" : "false",
                  "\nopenings = \"", absl::Utf8SafeCEscape(config.selfplay.openings), "\"\n");
  WriteNumbers(SelfPlayRateOptions(), config.selfplay, &text);
  WriteNumbers(SelfPlayCountOptions(), config.selfplay, &text);
  absl::StrAppend(&text, "\n[replay]\ncheap_rows = ", config.replay.cheap_rows ? "true" : "false",
                  "\n");
  WriteNumbers(ReplayRateOptions(), config.replay, &text);
  WriteNumbers(ReplayCountOptions(), config.replay, &text);
  absl::StrAppend(&text, "\n[loop]\nschedule = \"", NameOf(LoopSchedules(), config.loop.schedule),
                  "\"\n");
  WriteNumbers(LoopRateOptions(), config.loop, &text);
  WriteNumbers(LoopCountOptions(), config.loop, &text);
  return text;
}

std::vector<std::string> FixedDifferences(const RunConfig& run, const RunConfig& now) {
  // Both texts have the same keys in the same order.
  const std::vector<std::string> before = absl::StrSplit(WriteRunConfig(run), '\n');
  const std::vector<std::string> after = absl::StrSplit(WriteRunConfig(now), '\n');
  std::vector<std::string> differences;
  std::string table;
  for (size_t i = 0; i < before.size() && i < after.size(); ++i) {
    if (absl::StartsWith(before[i], "[")) table = before[i] + " ";
    if (before[i] == after[i]) continue;
    const std::pair<std::string, std::string> was = absl::StrSplit(before[i], " = ");
    const std::pair<std::string, std::string> is = absl::StrSplit(after[i], " = ");
    if (std::find(kFree.begin(), kFree.end(), was.first) != kFree.end()) continue;
    differences.push_back(absl::StrCat(table, was.first, ": ", was.second, ", now ", is.second));
  }
  return differences;
}

}  // namespace crossriver
