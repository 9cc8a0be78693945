#include "selfplay/evaluator_match.h"

#include <string>
#include <utility>

#include "core/check.h"
#include "selfplay/match_runner.h"
#include "selfplay/players/search_player.h"

namespace crossriver {
namespace {

constexpr size_t kTreeBytes = size_t{1} << 20;

// An evaluator that belongs to somebody else.
class Borrowed : public Evaluator {
 public:
  explicit Borrowed(Evaluator* evaluator) : evaluator_(*evaluator) {}
  absl::Status Evaluate(std::span<const EvaluationRequest> requests,
                        std::span<Evaluation> results) override {
    return evaluator_.Evaluate(requests, results);
  }
  uint64_t id() const override { return evaluator_.id(); }

 private:
  Evaluator& evaluator_;
};

std::unique_ptr<Player> PlayerOf(std::string name, const std::shared_ptr<const Rules>& rules,
                                 Evaluator* evaluator, const EvaluatorMatchOptions& options) {
  SearchPlayerOptions player;
  player.search.root_policy = options.root_policy;
  player.search.tree_bytes = kTreeBytes;
  player.limits.visits = options.visits;
  player.reuse = false;
  // Of several threads it is thread-safe; a single one may ask any.
  return std::make_unique<SearchPlayer>(
      std::move(name), rules,
      ChosenEvaluator{std::make_unique<Borrowed>(evaluator), /*is_thread_safe=*/true,
                      options.at_a_time / 2},
      player);
}

}  // namespace

absl::StatusOr<MatchScore> PlayMatch(const std::shared_ptr<const Rules>& rules, Evaluator* a,
                                     Evaluator* b, const EvaluatorMatchOptions& options) {
  CR_CHECK(options.games >= 0 && options.visits >= 1 && options.at_a_time >= 1 &&
           options.threads >= 1);
  const std::unique_ptr<Player> player_a = PlayerOf("A", rules, a, options);
  const std::unique_ptr<Player> player_b = PlayerOf("B", rules, b, options);
  RandomOpeningOptions random;
  random.plies = options.opening_plies;
  random.seed = options.seed;
  MatchOpenings openings(rules.get(), random);
  MatchTally tally(options.sprt);
  MatchOptions match;
  match.pairs = options.games / 2;
  match.seed = options.seed;
  match.limits.max_plies = options.max_plies;
  match.threads = options.threads;
  match.games_at_a_time = options.at_a_time;
  match.interrupted = options.interrupted;
  match.on_game = [&](const MatchGameRecord&) {
    if (options.progress) options.progress(tally.played().games());
    return absl::OkStatus();
  };
  const absl::Status status =
      MatchRunner(rules.get(), player_a.get(), player_b.get(), &openings, &tally, match).Run();
  if (!status.ok()) return status;
  return tally.Summary().score;
}

}  // namespace crossriver
