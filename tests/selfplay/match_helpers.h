// What the tests of matches share: players made up for a purpose, whole matches in one call.
#ifndef CROSSRIVER_TESTS_SELFPLAY_MATCH_HELPERS_H_
#define CROSSRIVER_TESTS_SELFPLAY_MATCH_HELPERS_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mcts/random.h"
#include "selfplay/match_game.h"
#include "selfplay/match_runner.h"
#include "selfplay/players/player.h"

namespace crossriver::testing {

// Chooses by a function of the turn and a stream that follows from the game's seed.
class FunctionPlayer : public Player {
 public:
  using Function = std::function<absl::StatusOr<Choice>(const Turn&, RandomStream*)>;
  explicit FunctionPlayer(Function choose, std::string name = "function")
      : choose_(std::move(choose)), name_(std::move(name)) {}

  const std::string& name() const override { return name_; }
  std::unique_ptr<Seat> NewSeat() override;

 private:
  const Function choose_;
  const std::string name_;
};

// Any legal move.
Choice RandomMove(const Turn& turn, RandomStream* random);
FunctionPlayer RandomMover();

// The same with an opinion and so many visits.
FunctionPlayer Opinionated(const Wdl& wdl, int64_t visits = 1);

// Asks for `asks` evaluations of the present position a move, then plays a move that follows from
// the game's seed and the answers.
class AskingPlayer : public Player {
 public:
  // `evaluator` is not owned.
  AskingPlayer(int asks, int batch, Evaluator* evaluator)
      : asks_(asks), batch_(batch), evaluator_(evaluator) {}

  const std::string& name() const override { return name_; }
  std::unique_ptr<Seat> NewSeat() override;
  Evaluator* evaluator() override { return evaluator_; }
  int batch() const override { return batch_; }

 private:
  const int asks_;
  const int batch_;
  Evaluator* const evaluator_;
  const std::string name_ = "asking";
};

// Arbitrary answers that follow from the position; counts. Thread-safe.
class CountingEvaluator : public Evaluator {
 public:
  absl::Status Evaluate(std::span<const EvaluationRequest> requests,
                        std::span<Evaluation> results) override;
  uint64_t id() const override { return 77; }

  std::atomic<int64_t> calls = 0;
  std::atomic<int64_t> positions = 0;
  std::atomic<int64_t> fails_at = 0;  // with this call and all that follow; 0 = never
};

// A match of a variant, and all that came of it.
struct PlayedMatch {
  absl::Status status;
  MatchTally tally;
  std::vector<MatchGameRecord> games;  // by pair and half
};
PlayedMatch Play(const std::string& variant, Player* a, Player* b, MatchOptions options,
                 MatchTally tally = MatchTally(), int opening_plies = 4);

// Equal for equal games.
std::vector<std::string> Encoded(const std::vector<MatchGameRecord>& games);

}  // namespace crossriver::testing

#endif  // CROSSRIVER_TESTS_SELFPLAY_MATCH_HELPERS_H_
