#include "selfplay/selfplay_bench.h"

#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/evaluator_pool.h"
#include "core/median.h"
#include "nn/random_network.h"
#include "selfplay/game_ids.h"
#include "selfplay/match_bench.h"
#include "selfplay/network_weights.h"
#include "selfplay/players/search_player.h"
#include "selfplay/worker_pool.h"

namespace crossriver {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kSettingsSeconds = 0.3;
constexpr size_t kMatchTreeBytes = size_t{1} << 20;

class NoSink : public GameSink {
 public:
  absl::Status Put(const GameRecord& /*record*/) override { return absl::OkStatus(); }
};

// Lets the workers play for so long. What was done a second.
absl::StatusOr<SelfPlayBenchRow> Play(WorkerPool* pool, double seconds) {
  const SelfPlayCounts before = pool->counts();
  const auto begin = Clock::now();
  pool->Resume();
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  if (absl::Status status = pool->Pause(); !status.ok()) return status;
  const double spent = std::chrono::duration<double>(Clock::now() - begin).count();
  const SelfPlayCounts done = pool->counts() - before;
  const auto rate = [spent](int64_t count) { return static_cast<double>(count) / spent; };
  SelfPlayBenchRow row;
  row.evaluations_per_second = rate(done.evaluations);
  row.visits_per_second = rate(done.visits);
  row.moves_per_second = rate(done.moves);
  row.games_per_second = rate(done.games);
  return row;
}

// A player with a network of `weights`.
absl::StatusOr<std::unique_ptr<Player>> NetworkPlayer(const std::shared_ptr<const Rules>& rules,
                                                      int64_t checkpoint, int visits,
                                                      const InferenceBenchRow& inference,
                                                      NetworkWeights* weights) {
  std::vector<std::unique_ptr<Evaluator>> evaluators;
  for (int i = 0; i < inference.workers; ++i) {
    absl::StatusOr<std::unique_ptr<Evaluator>> evaluator = weights->NewEvaluator(checkpoint);
    if (!evaluator.ok()) return evaluator.status();
    evaluators.push_back(*std::move(evaluator));
  }
  SearchPlayerOptions options;
  options.search.root_policy = RootPolicy::kGumbel;
  options.search.tree_bytes = kMatchTreeBytes;
  options.limits.visits = visits;
  return std::make_unique<SearchPlayer>(
      absl::StrCat("checkpoint ", checkpoint), rules,
      ChosenEvaluator{std::make_unique<EvaluatorPool>(std::move(evaluators)),
                      /*is_thread_safe=*/true, inference.settings.batch},
      options);
}

template <typename Field>
double MedianOf(const std::vector<SelfPlayBenchRow>& rows, Field field) {
  std::vector<double> values;
  for (const SelfPlayBenchRow& row : rows) values.push_back(row.*field);
  return Median(std::move(values));
}

}  // namespace

absl::StatusOr<SelfPlayBenchRow> RunSelfPlayBench(const std::shared_ptr<const Rules>& rules,
                                                  const SelfPlayBenchOptions& options) {
  const std::shared_ptr<Network> network = RandomNetwork(options.network, *rules, /*seed=*/1);
  InferenceBenchOptions inference;
  inference.device = options.device;
  inference.max_workers = options.max_workers;
  inference.seconds = kSettingsSeconds;
  inference.repeats = 1;
  const absl::StatusOr<InferenceBenchReport> report =
      RunInferenceBench(*network, rules, inference, [](const InferenceBenchRow&) {});
  if (!report.ok()) return report.status();
  const InferenceBenchRow best = report->best;
  inference.seconds = options.seconds;

  NetworkWeights weights(rules, options.device, best.settings);
  if (absl::Status status = weights.Publish(0, *network, 1); !status.ok()) return status;
  const std::shared_ptr<Network> other = RandomNetwork(options.network, *rules, /*seed=*/2);
  if (absl::Status status = weights.Publish(1, *other, 2); !status.ok()) return status;
  const int visits = options.selfplay.full_visits;
  const auto a = NetworkPlayer(rules, 0, visits, best, &weights);
  if (!a.ok()) return a.status();
  const auto b = NetworkPlayer(rules, 1, visits, best, &weights);
  if (!b.ok()) return b.status();
  const MatchBenchOptions match = {best.workers, 2 * best.settings.batch, options.seconds};
  LocalGameIds ids(/*run_seed=*/1, /*first=*/1, {});
  NoSink sink;
  SelfPlayOptions selfplay = options.selfplay;
  selfplay.games = options.games > 0 ? options.games : best.settings.batch;
  SelfPlaySeams seams;
  seams.ids = &ids;
  seams.sink = &sink;
  seams.weights = &weights;
  WorkerPool pool(rules, selfplay, seams, best.workers);
  // The first steps make the games and warm the network up.
  absl::StatusOr<SelfPlayBenchRow> row = Play(&pool, options.warm_up_seconds);
  std::vector<SelfPlayBenchRow> rows;
  std::vector<double> alone;
  std::vector<double> ratios;
  std::vector<double> matches;
  std::vector<double> match_ratios;
  for (int repeat = 0; repeat < options.repeats && row.ok(); ++repeat) {
    row = Play(&pool, options.seconds);
    if (!row.ok()) break;
    const absl::StatusOr<double> speed =
        InferenceSpeed(*network, rules, inference, best.settings, best.workers);
    if (!speed.ok()) return speed.status();
    const absl::StatusOr<double> match_speed = MeasureMatch(*rules, a->get(), b->get(), match);
    if (!match_speed.ok()) return match_speed.status();
    matches.push_back(*match_speed);
    match_ratios.push_back(*match_speed / row->evaluations_per_second);
    rows.push_back(*row);
    alone.push_back(*speed);
    ratios.push_back(row->evaluations_per_second / *speed);
  }
  if (!row.ok()) return row;
  SelfPlayBenchRow result;
  result.variant = rules->definition().id;
  result.inference = best;
  result.inference.positions_per_second = Median(alone);
  result.evaluations_per_second = MedianOf(rows, &SelfPlayBenchRow::evaluations_per_second);
  result.visits_per_second = MedianOf(rows, &SelfPlayBenchRow::visits_per_second);
  result.moves_per_second = MedianOf(rows, &SelfPlayBenchRow::moves_per_second);
  result.games_per_second = MedianOf(rows, &SelfPlayBenchRow::games_per_second);
  result.ratio_to_inference = Median(ratios);
  result.match_evaluations_per_second = Median(matches);
  result.match_ratio = Median(match_ratios);
  return result;
}

}  // namespace crossriver
