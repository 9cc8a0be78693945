// What the tests of self-play share: seams in memory, evaluators made up for a purpose, checks that
// every record must pass.
#ifndef CROSSRIVER_TESTS_SELFPLAY_SELFPLAY_HELPERS_H_
#define CROSSRIVER_TESTS_SELFPLAY_SELFPLAY_HELPERS_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/mutex.h"
#include "selfplay/game.h"
#include "selfplay/record.h"
#include "selfplay/seams.h"
#include "selfplay/selfplay_options.h"
#include "tests/mcts/search_helpers.h"

namespace crossriver::testing {

// Keeps all games; can refuse some first.
class ListSink : public GameSink {
 public:
  absl::Status Put(const GameRecord& record) override;
  std::vector<GameRecord> records() const;  // by id
  size_t size() const;

  std::atomic<int> refusals = 0;  // still to come

 private:
  mutable Mutex mutex_;
  std::vector<GameRecord> records_ ABSL_GUARDED_BY(mutex_);
};

// What an evaluator of a checkpoint says of a position.
using Judge = std::function<Evaluation(int64_t checkpoint, const EvaluationRequest&)>;

// Priors and values that follow from the position and the checkpoint alone.
Evaluation ArbitraryByCheckpoint(int64_t checkpoint, const EvaluationRequest& request);

// Networks by a function. Counts calls; loads and calls can fail.
class FakeWeights : public WeightSource {
 public:
  explicit FakeWeights(Judge by = ArbitraryByCheckpoint) : judge(std::move(by)) {}

  int64_t latest() const override { return newest; }
  absl::StatusOr<std::unique_ptr<Evaluator>> NewEvaluator(int64_t checkpoint) override;

  Judge judge;
  std::atomic<int64_t> newest = 0;
  std::atomic<int64_t> calls = 0;
  std::atomic<int64_t> loads = 0;
  std::atomic<int64_t> newest_every = 0;  // a newer network after so many calls; 0 = never
  std::atomic<int> failing_calls = 0;     // still to come
  std::atomic<int> failing_loads = 0;
};

// The second player is always losing.
Evaluation SecondLoses(int64_t checkpoint, const EvaluationRequest& request);

// Few visits, short games, and everything that makes them differ from each other.
SelfPlayOptions QuickOptions(RootPolicy policy = RootPolicy::kGumbel);

// The same with every game from the array.
SelfPlayOptions FromArray(SelfPlayOptions options = QuickOptions());

// One game, played to its end with the checkpoint of the ticket.
GameRecord PlayGame(SelfPlayGame* game, const GameTicket& ticket, const Judge& judge);
GameRecord PlayGame(const Rules& rules, const SelfPlayOptions& options, uint64_t seed,
                    const Judge& judge = ArbitraryByCheckpoint);

// Plays the game by the rules and checks what holds of every record: legal moves, an end that is
// the adjudicator's, a resignation or a limit, probabilities that sum to 1, policies of full
// searches alone.
void CheckRecord(const Rules& rules, const SelfPlayOptions& options, const GameRecord& record);

}  // namespace crossriver::testing

#endif  // CROSSRIVER_TESTS_SELFPLAY_SELFPLAY_HELPERS_H_
