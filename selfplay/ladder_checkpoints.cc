#include "selfplay/ladder_checkpoints.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "selfplay/checkpoint_store.h"
#include "selfplay/run_observer.h"

namespace crossriver {
namespace {

constexpr double kSecondsPerHour = 3600;

using ByGeneration = std::map<int64_t, double>;

// The newest value of each generation.
absl::StatusOr<ByGeneration> ReadMetric(RunReader* reader, const char* name) {
  const absl::StatusOr<std::vector<Metric>> metrics = reader->ReadMetrics(name);
  if (!metrics.ok()) return metrics.status();
  ByGeneration values;
  for (const Metric& metric : *metrics) values[metric.generation] = metric.value;
  return values;
}

struct Costs {
  ByGeneration play_seconds;
  ByGeneration training_seconds;
  ByGeneration evaluation_rate;
  ByGeneration loop_seconds;
  ByGeneration cpu_seconds;
};

absl::StatusOr<Costs> ReadCosts(RunReader* reader) {
  Costs costs;
  const std::pair<const char*, ByGeneration*> wanted[] = {
      {"selfplay/seconds", &costs.play_seconds},
      {"training/seconds", &costs.training_seconds},
      {"selfplay/evaluations_per_second", &costs.evaluation_rate},
      {"loop/seconds", &costs.loop_seconds},
      {kProcessorMetric, &costs.cpu_seconds}};
  for (const auto& [name, values] : wanted) {
    absl::StatusOr<ByGeneration> read = ReadMetric(reader, name);
    if (!read.ok()) return read.status();
    *values = *std::move(read);
  }
  return costs;
}

using Known = std::optional<double>;

Known ValueOf(const ByGeneration& values, int64_t generation) {
  const auto found = values.find(generation);
  return found == values.end() ? Known() : Known(found->second);
}

void AddTo(Known* sum, Known value) {
  if (sum->has_value()) *sum = value.has_value() ? Known(**sum + *value) : Known();
}

// Training may go on during self-play, whose seconds then contain it: their sum is an answer for
// runs without anything better.
Known ClockSeconds(const Costs& costs, int64_t generation) {
  const Known loop = ValueOf(costs.loop_seconds, generation);
  if (loop.has_value()) return loop;
  Known sum = ValueOf(costs.play_seconds, generation);
  AddTo(&sum, ValueOf(costs.training_seconds, generation));
  return sum;
}

Known Evaluations(const Costs& costs, int64_t generation) {
  const Known rate = ValueOf(costs.evaluation_rate, generation);
  const Known seconds = ValueOf(costs.play_seconds, generation);
  if (!rate.has_value() || !seconds.has_value()) return std::nullopt;
  return *rate * *seconds;
}

// A checkpoint is what its generation ends with, the first one comes before generation 1.
TrainingEffort EffortOf(const CheckpointRow& row, const Costs& costs) {
  TrainingEffort effort;
  effort.games = row.games;
  effort.evaluations = effort.hours = effort.cpu_hours = 0;
  for (int64_t generation = 1; generation <= row.generation; ++generation) {
    AddTo(&effort.evaluations, Evaluations(costs, generation));
    AddTo(&effort.hours, ClockSeconds(costs, generation));
    AddTo(&effort.cpu_hours, ValueOf(costs.cpu_seconds, generation));
  }
  for (Known* hours : {&effort.hours, &effort.cpu_hours}) {
    if (hours->has_value()) **hours /= kSecondsPerHour;
  }
  return effort;
}

}  // namespace

std::vector<size_t> ChooseSpaced(std::span<const int64_t> games, size_t count,
                                 LadderSpacing spacing, const std::vector<bool>& preferred) {
  std::set<size_t> chosen;
  if (games.empty() || count == 0) return {};
  chosen.insert(games.size() - 1);
  count = std::min(count, games.size());
  if (count > 1) chosen.insert(0);
  // The logarithm counts from the first step, so that an untrained network without games has one.
  const double unit = games.size() > 1 ? std::max<double>(1, static_cast<double>(games[1])) : 1;
  const auto place = [&](size_t i) {
    const auto x = static_cast<double>(games[i]);
    return spacing == LadderSpacing::kEven ? x : std::log1p(x / unit);
  };
  const double first = place(0);
  const double step =
      count > 1 ? (place(games.size() - 1) - first) / static_cast<double>(count - 1) : 0;
  for (size_t k = 1; k + 1 < count; ++k) {
    const double wanted = first + step * static_cast<double>(k);
    const auto rank = [&](size_t i) {
      const double distance = std::abs(place(i) - wanted);
      const bool near = i < preferred.size() && preferred[i] && distance <= step / 2;
      return std::pair(near ? 0 : 1, distance);
    };
    size_t best = games.size();
    for (size_t i = 0; i < games.size(); ++i) {
      if (chosen.count(i) != 0) continue;
      if (best == games.size() || rank(i) < rank(best)) best = i;
    }
    chosen.insert(best);
  }
  return {chosen.begin(), chosen.end()};
}

absl::StatusOr<LadderCheckpoints> ChooseCheckpoints(
    const RunDirectory& run, RunReader* reader, size_t count, LadderSpacing spacing,
    const std::function<bool(const CheckpointRow&)>& has_games) {
  const absl::StatusOr<std::vector<CheckpointRow>> rows = reader->ListCheckpoints();
  if (!rows.ok()) return rows.status();
  const absl::StatusOr<Costs> costs = ReadCosts(reader);
  if (!costs.ok()) return costs.status();
  std::vector<CheckpointRow> kept;
  for (CheckpointRow row : *rows) {
    row.optimizer_file.clear();  // nobody needs it to play
    if (row.kept) kept.push_back(std::move(row));
  }
  LadderCheckpoints result;
  std::set<int64_t> whole;
  for (;;) {
    if (kept.empty()) {
      return absl::NotFoundError(
          absl::StrCat(run.path(), ": the run has no checkpoint that is whole",
                       result.messages.empty() ? "" : absl::StrCat("; ", result.messages.front())));
    }
    std::vector<int64_t> games;
    std::vector<bool> preferred;
    for (const CheckpointRow& row : kept) {
      games.push_back(row.games);
      preferred.push_back(has_games && has_games(row));
    }
    const std::vector<size_t> chosen = ChooseSpaced(games, count, spacing, preferred);
    // A damaged one makes room for another.
    const auto damaged = std::find_if(chosen.begin(), chosen.end(), [&](size_t i) {
      if (whole.count(kept[i].number) != 0) return false;
      const absl::Status status = VerifyCheckpoint(run, kept[i]);
      if (status.ok()) {
        whole.insert(kept[i].number);
        return false;
      }
      result.messages.push_back(
          absl::StrCat("checkpoint ", kept[i].number, " is left out: ", status.message()));
      return true;
    });
    if (damaged != chosen.end()) {
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(*damaged));
      continue;
    }
    for (const size_t i : chosen) {
      result.chosen.push_back(
          {kept[i].number, kept[i].network_checksum, EffortOf(kept[i], *costs)});
    }
    return result;
  }
}

}  // namespace crossriver
