#include "selfplay/match_runner.h"

#include <algorithm>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "core/check.h"
#include "selfplay/game_ids.h"

namespace crossriver {
namespace {

// Games of a thread where one player asks for evaluations and the other does not: enough for
// batches that pay, few enough for as many processes.
constexpr int kGamesBesideWaiting = 16;

}  // namespace

// The games of one thread.
class MatchThread {
 public:
  MatchThread(MatchRunner* runner, int places) : runner_(*runner) {
    for (size_t player = 0; player < evaluators_.size(); ++player) {
      evaluators_[player] = runner_.players_[player]->evaluator();
    }
    for (int i = 0; i < places; ++i) {
      places_.emplace_back().game =
          std::make_unique<MatchGame>(runner_.rules_, &runner_.options_.limits, runner_.players_);
    }
  }

  void Run() {
    while (BringToEvaluations()) {
      for (size_t player = 0; player < evaluators_.size(); ++player) Evaluate(player);
    }
    for (Place& place : places_) {
      if (place.playing) place.game->Cancel();
    }
  }

 private:
  struct Place {
    std::unique_ptr<MatchGame> game;
    bool playing = false;
  };

  // Leaves each game asking, or its place empty. False: there is nothing left to do.
  bool BringToEvaluations() {
    bool any = false;
    for (Place& place : places_) any = BringToEvaluation(&place) || any;
    return any && !runner_.Stopped();
  }

  bool BringToEvaluation(Place* place) {
    for (;;) {
      if (runner_.Stopped()) return false;
      if (!place->playing) {
        const std::optional<MatchTicket> ticket = runner_.Next();
        if (!ticket.has_value()) return false;
        place->game->Begin(*ticket);
        place->playing = true;
      }
      switch (place->game->Advance()) {
        case MatchGame::State::kAsking:
          return true;
        case MatchGame::State::kMoved:
          break;
        case MatchGame::State::kOver:
          place->playing = false;
          runner_.Finish(place->game->Take());
          break;
      }
    }
  }

  // One call for all games that ask the player's evaluator, which may be the other player's too.
  void Evaluate(size_t player) {
    asking_.clear();
    requests_.clear();
    for (Place& place : places_) {
      if (!place.playing || !place.game->is_asking() ||
          evaluators_[place.game->mover()] != evaluators_[player]) {
        continue;
      }
      asking_.push_back(place.game.get());
      requests_.push_back(place.game->request());
    }
    if (asking_.empty()) return;
    CR_CHECK(evaluators_[player] != nullptr);
    // Never shrunk, so that the vectors inside keep their memory.
    if (results_.size() < asking_.size()) results_.resize(asking_.size());
    const absl::Status status =
        evaluators_[player]->Evaluate(requests_, std::span(results_).first(asking_.size()));
    if (!status.ok()) return runner_.Fail(status);
    runner_.Count(asking_.size());
    for (size_t i = 0; i < asking_.size(); ++i) {
      asking_[i]->Deliver(results_[i]);
    }
  }

  MatchRunner& runner_;
  std::array<Evaluator*, 2> evaluators_ = {};
  std::vector<Place> places_;
  // Of the present call.
  std::vector<MatchGame*> asking_;
  std::vector<EvaluationRequest> requests_;
  std::vector<Evaluation> results_;
};

int DefaultGamesAtATime(Player* a, Player* b) {
  const Evaluator* of_a = a->evaluator();
  const Evaluator* of_b = b->evaluator();
  if (of_a == nullptr && of_b == nullptr) return 1;
  if (of_a == nullptr || of_b == nullptr) {
    return std::min(of_a != nullptr ? a->batch() : b->batch(), kGamesBesideWaiting);
  }
  return of_a == of_b ? std::max(a->batch(), b->batch()) : a->batch() + b->batch();
}

MatchRunner::MatchRunner(const Rules* rules, Player* a, Player* b, MatchOpenings* openings,
                         MatchTally* tally, MatchOptions options)
    : rules_(rules),
      players_{a, b},
      options_(std::move(options)),
      openings_(openings),
      tally_(tally) {
  CR_CHECK(options_.pairs >= 0 && options_.threads > 0 && options_.games_at_a_time >= 0);
}

absl::Status MatchRunner::Run() {
  const int64_t games = GamesToPlay();
  const int64_t num_threads = std::min<int64_t>(options_.threads, games);
  if (num_threads == 0) return absl::OkStatus();
  const int64_t wanted = options_.games_at_a_time > 0
                             ? options_.games_at_a_time
                             : DefaultGamesAtATime(players_[0], players_[1]);
  // Where there are few games, each thread gets its share.
  const int64_t places = std::min(wanted, (games + num_threads - 1) / num_threads);
  const auto play = [this, places] { MatchThread(this, static_cast<int>(places)).Run(); };
  std::vector<std::thread> threads;
  for (int64_t i = 1; i < num_threads; ++i) threads.emplace_back(play);
  play();
  for (std::thread& thread : threads) thread.join();
  MutexLock lock(&mutex_);
  return status_;
}

int64_t MatchRunner::GamesToPlay() {
  MutexLock lock(&mutex_);
  int64_t games = 0;
  for (int64_t game = 0; game < 2 * options_.pairs && !tally_->decided(); ++game) {
    if (!tally_->Has(game / 2, static_cast<int>(game % 2))) ++games;
  }
  return games;
}

MatchCounts MatchRunner::counts() const { return {evaluations_, calls_}; }

std::optional<MatchTicket> MatchRunner::Next() {
  MutexLock lock(&mutex_);
  for (; next_ < 2 * options_.pairs; ++next_) {
    const int64_t pair = next_ / 2;
    const int half = static_cast<int>(next_ % 2);
    if (tally_->Has(pair, half)) continue;
    ++next_;
    return MatchTicket{pair, half, GameSeed(options_.seed, static_cast<uint64_t>(2 * pair + half)),
                       openings_->ForPair(pair)};
  }
  return std::nullopt;
}

void MatchRunner::Finish(const MatchGameRecord& game) {
  MutexLock lock(&mutex_);
  tally_->Add(game.result);
  const absl::Status status = options_.on_game ? options_.on_game(game) : absl::OkStatus();
  if (!status.ok() && status_.ok()) status_ = status;
  if (!status.ok() || tally_->decided()) stopped_ = true;
}

void MatchRunner::Fail(const absl::Status& status) {
  MutexLock lock(&mutex_);
  if (!stopped_) status_ = status;
  stopped_ = true;
}

bool MatchRunner::Stopped() {
  if (!stopped_ && options_.interrupted && options_.interrupted()) {
    Fail(absl::CancelledError("interrupted"));
  }
  return stopped_;
}

void MatchRunner::Count(size_t evaluations) {
  evaluations_ += static_cast<int64_t>(evaluations);
  ++calls_;
}

}  // namespace crossriver
