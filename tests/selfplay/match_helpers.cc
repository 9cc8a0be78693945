#include "tests/selfplay/match_helpers.h"

#include <algorithm>
#include <utility>

#include "core/check.h"
#include "tests/mcts/search_helpers.h"
#include "tests/test_data.h"

namespace crossriver::testing {
namespace {

class FunctionSeat : public SimpleSeat {
 public:
  explicit FunctionSeat(const FunctionPlayer::Function* choose) : choose_(*choose) {}
  absl::Status NewGame(uint64_t seed) override {
    random_ = RandomStream(seed);
    return absl::OkStatus();
  }

 protected:
  absl::StatusOr<Choice> Choose(const Turn& turn) override { return choose_(turn, &random_); }

 private:
  const FunctionPlayer::Function& choose_;
  RandomStream random_{0};
};

class AskingSeat : public Seat {
 public:
  explicit AskingSeat(int asks) : asks_(asks) {}
  absl::Status NewGame(uint64_t seed) override {
    random_ = RandomStream(seed);
    return absl::OkStatus();
  }
  absl::Status Begin(const Turn& turn) override {
    CR_CHECK(!asking_);
    turn_ = turn;
    left_ = asks_;
    return absl::OkStatus();
  }
  absl::StatusOr<SeatState> Advance() override {
    CR_CHECK(!asking_);
    asking_ = left_ > 0;
    return asking_ ? SeatState::kAsking : SeatState::kChosen;
  }
  Choice choice() const override {
    RandomStream random = random_;
    return {turn_.legal[random.Below(turn_.legal.size())], answer_.wdl, asks_};
  }
  EvaluationRequest request() const override {
    CR_CHECK(asking_);
    return {turn_.position, turn_.history, turn_.legal};
  }
  void Deliver(const Evaluation& evaluation) override {
    CR_CHECK(asking_ && evaluation.log_priors.size() == turn_.legal.size());
    asking_ = false;
    --left_;
    answer_ = evaluation;
    random_ = RandomStream(random_.Next() ^ static_cast<uint64_t>(1e6F * evaluation.wdl.win));
  }
  void Cancel() override {
    CR_CHECK(asking_);
    asking_ = false;
  }

 private:
  const int asks_;
  int left_ = 0;
  bool asking_ = false;
  Turn turn_;
  Evaluation answer_;
  RandomStream random_{0};
};

}  // namespace

std::unique_ptr<Seat> FunctionPlayer::NewSeat() { return std::make_unique<FunctionSeat>(&choose_); }

Choice RandomMove(const Turn& turn, RandomStream* random) {
  Choice choice;
  choice.move = turn.legal[random->Below(turn.legal.size())];
  return choice;
}

FunctionPlayer RandomMover() { return FunctionPlayer(RandomMove, "random"); }

FunctionPlayer Opinionated(const Wdl& wdl, int64_t visits) {
  return FunctionPlayer([wdl, visits](const Turn& turn, RandomStream* random) {
    Choice choice = RandomMove(turn, random);
    choice.wdl = wdl;
    choice.visits = visits;
    return choice;
  });
}

std::unique_ptr<Seat> AskingPlayer::NewSeat() { return std::make_unique<AskingSeat>(asks_); }

absl::Status CountingEvaluator::Evaluate(std::span<const EvaluationRequest> requests,
                                         std::span<Evaluation> results) {
  const int64_t call = ++calls;
  if (fails_at != 0 && call >= fails_at) return absl::UnavailableError("the device is gone");
  positions += static_cast<int64_t>(requests.size());
  for (size_t i = 0; i < requests.size(); ++i) results[i] = ArbitraryEvaluation(requests[i]);
  return absl::OkStatus();
}

PlayedMatch Play(const std::string& variant, Player* a, Player* b, MatchOptions options,
                 MatchTally tally, int opening_plies) {
  const Rules& rules = RulesOf(variant);
  RandomOpeningOptions random;
  random.plies = opening_plies;
  MatchOpenings openings(&rules, random);
  PlayedMatch played = {absl::OkStatus(), std::move(tally), {}};
  options.on_game = [&played, inner = options.on_game](const MatchGameRecord& game) {
    played.games.push_back(game);
    return inner ? inner(game) : absl::OkStatus();
  };
  played.status = MatchRunner(&rules, a, b, &openings, &played.tally, std::move(options)).Run();
  std::sort(played.games.begin(), played.games.end(),
            [](const MatchGameRecord& one, const MatchGameRecord& other) {
              return one.record.id < other.record.id;
            });
  return played;
}

std::vector<std::string> Encoded(const std::vector<MatchGameRecord>& games) {
  std::vector<std::string> encoded;
  for (const MatchGameRecord& game : games) {
    encoded.push_back(game.result.end + " " + game.result.fault + " " + EncodeRecord(game.record));
  }
  return encoded;
}

}  // namespace crossriver::testing
