// The match that a run ends with.
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "nn/checkpoint.h"
#include "selfplay/training_run.h"

namespace crossriver {
namespace {

constexpr char kFinalVisits[] = "final/visits";

// What a score consists of, as metrics of the final match: games by who had the first move, and
// pairs by their half points.
std::vector<std::pair<std::string, int64_t*>> CountsOf(MatchScore* score) {
  std::vector<std::pair<std::string, int64_t*>> counts;
  const char* const sides[] = {"final/first/", "final/second/"};
  for (size_t side = 0; side < score->by_side.size(); ++side) {
    counts.emplace_back(absl::StrCat(sides[side], "wins"), &score->by_side[side].wins);
    counts.emplace_back(absl::StrCat(sides[side], "draws"), &score->by_side[side].draws);
    counts.emplace_back(absl::StrCat(sides[side], "losses"), &score->by_side[side].losses);
  }
  for (size_t points = 0; points < score->pairs.size(); ++points) {
    counts.emplace_back(absl::StrCat("final/pairs/", points), &score->pairs[points]);
  }
  return counts;
}

}  // namespace

// The result of an earlier call, if it was the same match.
std::optional<MatchScore> TrainingRun::PlayedFinalMatch() {
  const LoopOptions& loop = options_.config.loop;
  bool complete = true;
  const auto newest = [&](const std::string& name) -> int64_t {
    const absl::StatusOr<std::vector<Metric>> metrics = reader_->ReadMetrics(name);
    if (metrics.ok() && !metrics->empty() && metrics->back().generation == generation_) {
      return static_cast<int64_t>(metrics->back().value);
    }
    complete = false;
    return 0;
  };
  MatchScore score;
  for (const auto& [name, count] : CountsOf(&score)) *count = newest(name);
  const int64_t visits = newest(kFinalVisits);
  const bool same = complete && score.games() == 2 * score.num_pairs() &&
                    score.num_pairs() == loop.final_games / 2 && visits == loop.final_visits;
  return same ? std::optional(score) : std::nullopt;
}

absl::StatusOr<MatchScore> TrainingRun::FinalMatch() {
  absl::StatusOr<MatchScore> result = MatchScore();
  const absl::Status status = Guarded([&] {
    result = PlayFinalMatch();
    return result.status();
  });
  if (!status.ok()) return status;
  return result;
}

absl::StatusOr<MatchScore> TrainingRun::PlayFinalMatch() {
  const LoopOptions& loop = options_.config.loop;
  if (const std::optional<MatchScore> played = PlayedFinalMatch()) return *played;
  const absl::StatusOr<LoadedNetwork> last = LoadNetwork(NetworkPath(playing_), *rules());
  if (!last.ok()) return last.status();
  const absl::StatusOr<LoadedNetwork> first = LoadNetwork(NetworkPath(0), *rules());
  if (!first.ok()) return first.status();
  absl::StatusOr<MatchScore> result =
      PlayMatchOf(*last, *first,
                  {"final match", loop.final_games, loop.final_visits,
                   static_cast<uint64_t>(loop.seed), std::nullopt});
  if (!result.ok()) return result;
  std::vector<Metric> metrics;
  const auto add = [&](const std::string& name, double value) {
    metrics.push_back({generation_, trainer_->step(), name, value, 0});
  };
  const ResultCounts total = result->total();
  add("final/wins", static_cast<double>(total.wins));
  add("final/draws", static_cast<double>(total.draws));
  add("final/losses", static_cast<double>(total.losses));
  add("final/score", result->score());
  add(kFinalVisits, static_cast<double>(loop.final_visits));
  for (const auto& [name, count] : CountsOf(&*result)) add(name, static_cast<double>(*count));
  absl::Status status = store_->PutMetrics(std::move(metrics));
  status.Update(store_->Flush());
  if (!status.ok()) return status;
  return result;
}

}  // namespace crossriver
