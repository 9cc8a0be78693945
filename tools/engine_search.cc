#include "tools/engine_search.h"

#include <algorithm>
#include <utility>

#include "core/notation.h"

namespace crossriver {
namespace {

constexpr absl::Duration kFirstPause = absl::Milliseconds(100);  // between reports; then doubled
constexpr absl::Duration kLongestPause = absl::Seconds(1);
constexpr absl::Duration kShortestSlice = absl::Milliseconds(1);
// Visits are counted in 32 bits. A search that has so many has ended.
constexpr int64_t kMostTreeVisits = int64_t{1} << 30;
// Positions that are looked at for a forced win for each visit that is allowed: few visits are
// asked for to have an answer at once, or a weak player.
constexpr int64_t kProbesPerVisit = 16;

absl::Duration Since(EngineControl::Clock::time_point begin) {
  return absl::FromChrono(EngineControl::Clock::now() - begin);
}

bool IsKnown(const SearchResult& result) {
  return result.outcome.is_over() || result.proof.result != Result::kNone;
}

}  // namespace

EngineSearch::EngineSearch(std::shared_ptr<const Rules> rules, const ChosenEvaluator& evaluator,
                           const SearchOptions& options, int threads, int batch)
    : rules_(std::move(rules)),
      options_(options),
      search_(options, StartPosition(*rules_)),
      driver_(&search_, evaluator.evaluator.get(),
              {threads, batch, evaluator.is_thread_safe, /*mate_nodes=*/0,
               [this] { return control_->interrupted(); }}) {}

void EngineSearch::SetGame(const GameInput& game) {
  CR_CHECK_OK(search_.SetGame(game.start, game.moves));
}

void EngineSearch::SetPlay(float draw_score, int64_t mate_nodes) {
  if (draw_score != options_.draw_score) {
    options_.draw_score = draw_score;
    search_.SetOptions(options_);
  }
  if (mate_nodes == mate_nodes_) return;
  mate_nodes_ = mate_nodes;
  mate_probe_.reset();
  if (mate_nodes > 0) mate_probe_.emplace(mate_nodes);
}

bool EngineSearch::Probe(const SearchLimits& limits, int64_t visits) {
  search_.Begin(limits);
  if (!mate_probe_.has_value()) return false;
  // It asks at each position.
  int64_t left = std::min(visits, mate_nodes_) * kProbesPerVisit;
  return mate_probe_->Run(&search_,
                          [this, &left] { return control_->interrupted() || left-- <= 0; });
}

void EngineSearch::RunSlice(const SearchLimits& limits, EngineReport* report) {
  absl::StatusOr<SearchResult> result = driver_.Run(limits);
  report->status = result.status();
  report->result = result.ok() ? *std::move(result) : search_.Result();
  report->visits += report->result.visits;
}

EngineReport EngineSearch::Run(const EngineLimits& limits, EngineControl* control,
                               absl::FunctionRef<void(const EngineReport&)> on_report) {
  control_ = control;
  const EngineControl::Clock::time_point begin = EngineControl::Clock::now();
  EngineReport report;
  EngineControl::State state = control->Look();
  const auto time_left = [&] {
    return state.pondering ? absl::InfiniteDuration() : limits.time - Since(state.clock_start);
  };
  SearchLimits slice;
  slice.time = std::max(time_left(), kShortestSlice);
  const bool mate = Probe(slice, limits.visits);
  report.result = search_.Result();

  bool told = false;  // whether the last report still holds
  absl::Duration pause = kFirstPause;
  // However late it is, there is one slice: a move that nothing was thought about is a gift.
  for (bool first = true; !mate && !IsKnown(report.result); first = false) {
    state = control->Look();
    const absl::Duration left = time_left();
    if (state.stopped || report.visits >= limits.visits) break;
    if (!first && left <= absl::ZeroDuration()) break;
    if (report.result.tree_visits >= kMostTreeVisits) break;
    slice.visits = std::min(limits.visits - report.visits, kMostTreeVisits);
    slice.time = std::max(std::min(left, pause), kShortestSlice);
    RunSlice(slice, &report);
    report.time = Since(begin);
    if (!report.status.ok()) break;
    told = report.result.stopped == StopReason::kTime;
    if (!told) continue;
    on_report(report);
    pause = std::min(2 * pause, kLongestPause);
  }
  report.time = Since(begin);
  if (!told) on_report(report);
  return report;
}

}  // namespace crossriver
