// Which network plays, and the matches of a run.
#include <utility>

#include "absl/strings/str_format.h"
#include "nn/checkpoint.h"
#include "selfplay/training_run.h"

namespace crossriver {
namespace {

// Longer than self-play's limits: a match is to show whether a network can win what it has won.
constexpr int kMatchPlies = 600;

}  // namespace

absl::Status TrainingRun::GateNewest() {
  const absl::StatusOr<LoadedNetwork> newest =
      LoadNetwork(NetworkPath(generation_), *options_.rules);
  if (!newest.ok()) return newest.status();
  gate_pending_ = true;
  const absl::StatusOr<bool> accepted = PassesGate(*newest);
  if (!accepted.ok()) return accepted.status();
  gate_pending_ = false;
  if (*accepted) {
    playing_ = generation_;
    const absl::Status status =
        weights_->Publish(playing_, *newest->network, newest->info.weights_hash);
    if (!status.ok()) return status;
  }
  return store_->PutMetrics(
      {{generation_, trainer_->step(), kPlayingMetric, static_cast<double>(playing_), 0}});
}

absl::StatusOr<bool> TrainingRun::PassesGate(const LoadedNetwork& newest) {
  const LoopOptions& loop = options_.config.loop;
  if (loop.gate_games < 2) return true;
  const absl::StatusOr<LoadedNetwork> best = LoadNetwork(NetworkPath(playing_), *options_.rules);
  if (!best.ok()) return best.status();
  const absl::StatusOr<MatchResult> result = PlayMatchOf(
      "gate", newest, *best, loop.gate_games, loop.gate_visits, static_cast<uint64_t>(generation_));
  if (!result.ok()) return result.status();
  const bool accepted = result->score() >= loop.gate_score;
  Say(absl::StrFormat("gate: checkpoint %d scores %.1f %% against checkpoint %d in %d games and %s",
                      generation_, 100 * result->score(), playing_, result->games(),
                      accepted ? "plays from now on" : "does not play"));
  return accepted;
}

absl::StatusOr<MatchResult> TrainingRun::PlayMatchOf(const char* what, const LoadedNetwork& first,
                                                     const LoadedNetwork& second, int games,
                                                     int visits, uint64_t seed) {
  const auto evaluator = [this](const LoadedNetwork& loaded) {
    return NetworkEvaluator(std::make_shared<const InferenceModel>(
        *loaded.network, options_.rules, loaded.info.weights_hash, options_.device, inference_));
  };
  SetIntraOpThreads(1);  // batches are too small for more
  NetworkEvaluator a = evaluator(first);
  NetworkEvaluator b = evaluator(second);
  MatchOptions match;
  match.games = games;
  match.visits = visits;
  match.at_a_time = options_.config.selfplay.games;
  match.seed = seed;
  match.interrupted = options_.interrupted;
  match.max_plies = kMatchPlies;
  match.progress = [this, what, games](int64_t done) { observer_->OnMatch(what, done, games); };
  return PlayMatch(options_.rules, &a, &b, match);
}

// The result of an earlier call, if it was the same match.
std::optional<MatchResult> TrainingRun::PlayedFinalMatch() {
  const LoopOptions& loop = options_.config.loop;
  const auto newest = [this](const char* name) -> std::optional<double> {
    const absl::StatusOr<std::vector<Metric>> metrics = reader_->ReadMetrics(name);
    if (!metrics.ok() || metrics->empty()) return std::nullopt;
    if (metrics->back().generation != generation_) return std::nullopt;
    return metrics->back().value;
  };
  const std::optional<double> wins = newest("final/wins"), draws = newest("final/draws"),
                              losses = newest("final/losses"), seen = newest("final/visits");
  if (!wins || !draws || !losses || !seen) return std::nullopt;
  MatchResult result;
  result.wins = static_cast<int64_t>(*wins);
  result.draws = static_cast<int64_t>(*draws);
  result.losses = static_cast<int64_t>(*losses);
  const bool same = result.games() == loop.final_games / 2 * 2 && *seen == loop.final_visits;
  return same ? std::optional(result) : std::nullopt;
}

absl::StatusOr<MatchResult> TrainingRun::FinalMatch() {
  absl::StatusOr<MatchResult> result = MatchResult();
  const absl::Status status = Guarded([&] {
    result = PlayFinalMatch();
    return result.status();
  });
  if (!status.ok()) return status;
  return result;
}

absl::StatusOr<MatchResult> TrainingRun::PlayFinalMatch() {
  const LoopOptions& loop = options_.config.loop;
  if (const std::optional<MatchResult> played = PlayedFinalMatch()) return *played;
  const absl::StatusOr<LoadedNetwork> last = LoadNetwork(NetworkPath(playing_), *options_.rules);
  if (!last.ok()) return last.status();
  const absl::StatusOr<LoadedNetwork> first = LoadNetwork(NetworkPath(0), *options_.rules);
  if (!first.ok()) return first.status();
  absl::StatusOr<MatchResult> result =
      PlayMatchOf("final match", *last, *first, loop.final_games, loop.final_visits,
                  static_cast<uint64_t>(loop.seed));
  if (!result.ok()) return result;
  std::vector<Metric> metrics;
  for (const auto& [name, value] : std::vector<std::pair<std::string, double>>{
           {"final/wins", static_cast<double>(result->wins)},
           {"final/draws", static_cast<double>(result->draws)},
           {"final/losses", static_cast<double>(result->losses)},
           {"final/score", result->score()},
           {"final/visits", static_cast<double>(loop.final_visits)}}) {
    metrics.push_back({generation_, trainer_->step(), name, value, 0});
  }
  absl::Status status = store_->PutMetrics(std::move(metrics));
  status.Update(store_->Flush());
  if (!status.ok()) return status;
  return result;
}

}  // namespace crossriver
