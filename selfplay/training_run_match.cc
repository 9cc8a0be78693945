// Which network plays, and the matches of a run.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/evaluator_pool.h"
#include "nn/checkpoint.h"
#include "selfplay/evaluator_match.h"
#include "selfplay/training_run.h"

namespace crossriver {
namespace {

// Longer than self-play's limits: a match is to show whether a network can win what it has won.
constexpr int kMatchPlies = 600;

constexpr char kEvaluationMetric[] = "eval/score";
constexpr char kRatingMetric[] = "eval/rating";
constexpr double kMostElo = 1000;  // a lead beyond it is not measured by a match

}  // namespace

absl::Status TrainingRun::GateNewest() {
  const absl::StatusOr<LoadedNetwork> newest = LoadNetwork(NetworkPath(generation_), *rules());
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
  const absl::StatusOr<LoadedNetwork> best = LoadNetwork(NetworkPath(playing_), *rules());
  if (!best.ok()) return best.status();
  RunMatch match = {"gate", loop.gate_games, loop.gate_visits, static_cast<uint64_t>(generation_),
                    std::nullopt};
  if (loop.gate_elo1 > loop.gate_elo0) {
    match.sprt = SprtOptions{loop.gate_elo0, loop.gate_elo1, loop.gate_error, loop.gate_error};
  }
  const absl::StatusOr<MatchScore> result = PlayMatchOf(newest, *best, match);
  if (!result.ok()) return result.status();
  bool accepted = result->score() >= loop.gate_score;
  if (match.sprt.has_value()) {
    const SprtDecision decision = Sprt(*result, *match.sprt).decision;
    if (decision != SprtDecision::kContinue) accepted = decision == SprtDecision::kAcceptH1;
  }
  Say(absl::StrFormat("gate: checkpoint %d scores %.1f %% against checkpoint %d in %d games and %s",
                      generation_, 100 * result->score(), playing_, result->games(),
                      accepted ? "plays from now on" : "does not play"));
  const absl::Status kept = PutMetrics({{"gate/score", result->score()},
                                        {"gate/games", static_cast<double>(result->games())},
                                        {"gate/accepted", accepted ? 1.0 : 0.0}});
  if (!kept.ok()) return kept;
  return accepted;
}

absl::Status TrainingRun::EvaluateIfDue() {
  const int64_t every = options_.config.loop.eval_every;
  if (every == 0 || generation_ == 0 || generation_ % every != 0) return absl::OkStatus();
  const absl::StatusOr<std::optional<Metric>> last = NewestMetric(kEvaluationMetric);
  if (!last.ok()) return last.status();
  // A run that was stopped may have measured it.
  if (last->has_value() && (*last)->generation == generation_) return absl::OkStatus();
  return EvaluateNewest();
}

// Ratings are chained: checkpoint 0 has 0, each other one has its opponent's and its lead over it.
absl::Status TrainingRun::EvaluateNewest() {
  const LoopOptions& loop = options_.config.loop;
  const int64_t before = generation_ - loop.eval_every;
  const absl::StatusOr<LoadedNetwork> newest = LoadNetwork(NetworkPath(generation_), *rules());
  if (!newest.ok()) return newest.status();
  const absl::StatusOr<LoadedNetwork> earlier = LoadNetwork(NetworkPath(before), *rules());
  if (!earlier.ok()) {
    // A run that measures its progress only from now on has not kept it.
    Say(absl::StrCat("progress is not measured: ", earlier.status().message()));
    return PutMetrics({{kEvaluationMetric, std::nan("")}});
  }
  const absl::StatusOr<MatchScore> result =
      PlayMatchOf(*newest, *earlier,
                  {"evaluation", loop.eval_games, loop.eval_visits,
                   static_cast<uint64_t>(generation_), std::nullopt});
  if (!result.ok()) return result.status();
  const Elo lead = EloOf(*result);
  const auto known = [](double elo) { return std::clamp(elo, -kMostElo, kMostElo); };
  double rating = known(lead.elo);
  const absl::StatusOr<std::vector<Metric>> ratings = reader_->ReadMetrics(kRatingMetric);
  if (!ratings.ok()) return ratings.status();
  for (const Metric& metric : *ratings) {
    if (metric.generation == before) rating = metric.value + known(lead.elo);
  }
  Say(absl::StrFormat(
      "evaluation: checkpoint %d scores %.1f %% against checkpoint %d in %d games: Elo %+.0f "
      "(95 %% interval %+.0f to %+.0f)",
      generation_, 100 * result->score(), before, result->games(), known(lead.elo), known(lead.low),
      known(lead.high)));
  return PutMetrics({{kEvaluationMetric, result->score()},
                     {"eval/games", static_cast<double>(result->games())},
                     {"eval/elo", known(lead.elo)},
                     {"eval/elo_low", known(lead.low)},
                     {"eval/elo_high", known(lead.high)},
                     {kRatingMetric, rating}});
}

absl::StatusOr<MatchScore> TrainingRun::PlayMatchOf(const LoadedNetwork& first,
                                                    const LoadedNetwork& second,
                                                    const RunMatch& wanted) {
  const auto pool = [this](const LoadedNetwork& loaded) {
    const auto model = std::make_shared<const InferenceModel>(
        *loaded.network, rules(), loaded.info.weights_hash, options_.device, inference_);
    std::vector<std::unique_ptr<Evaluator>> evaluators;
    for (int i = 0; i < (options_.device.cuda ? 1 : options_.workers); ++i) {
      evaluators.push_back(std::make_unique<NetworkEvaluator>(model));
    }
    return EvaluatorPool(std::move(evaluators));
  };
  SetIntraOpThreads(1);  // batches are too small for more
  EvaluatorPool a = pool(first);
  EvaluatorPool b = pool(second);
  EvaluatorMatchOptions match;
  match.games = wanted.games;
  match.visits = wanted.visits;
  match.sprt = wanted.sprt;
  match.threads = options_.workers;
  // Each game asks one of the two at a time: so batches are as large as in self-play.
  match.at_a_time = 2 * options_.config.selfplay.games;
  match.seed = wanted.seed;
  match.interrupted = options_.interrupted;
  match.max_plies = kMatchPlies;
  match.progress = [this, &wanted](int64_t done) {
    observer_->OnMatch(wanted.what, done, wanted.games);
  };
  return PlayMatch(rules(), &a, &b, match);
}

absl::Status TrainingRun::PutMetrics(const std::vector<std::pair<std::string, double>>& values) {
  std::vector<Metric> metrics;
  for (const auto& [name, value] : values) {
    metrics.push_back({generation_, trainer_->step(), name, value, 0});
  }
  absl::Status status = store_->PutMetrics(std::move(metrics));
  status.Update(store_->Flush());
  // The event file is a copy: without it the run goes on.
  absl::Status events;
  for (const auto& [name, value] : values) {
    events.Update(events_->Scalar(name, trainer_->step(), value));
  }
  if (!events.ok()) Say(std::string(events.message()));
  return status;
}

}  // namespace crossriver
