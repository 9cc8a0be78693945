#include "selfplay/players/search_player.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/check.h"
#include "core/evaluator_pool.h"
#include "core/notation.h"
#include "mcts/random.h"
#include "mcts/search.h"
#include "selfplay/draw_move.h"

namespace crossriver {
namespace {

class SearchSeat : public Seat {
 public:
  SearchSeat(const Rules& rules, const SearchPlayerOptions& options)
      : rules_(rules), options_(options) {}
  ~SearchSeat() override { Abandon(); }

  absl::Status NewGame(uint64_t seed) override {
    Abandon();
    random_ = RandomStream(seed);
    search_seed_ = random_.Next();
    first_ply_ = -1;
    return absl::OkStatus();
  }

  absl::Status Begin(const Turn& turn) override {
    CR_CHECK(phase_ == Phase::kIdle && !turn.legal.empty());
    CR_CHECK(&turn.position->rules() == &rules_);
    turn_ = turn;
    if (first_ply_ < 0) first_ply_ = static_cast<int64_t>(turn.moves.size());
    if (options_.raw_policy || turn.legal.size() == 1) {
      phase_ = Phase::kRaw;
      return absl::OkStatus();
    }
    return BeginSearch();
  }

  absl::StatusOr<SeatState> Advance() override {
    CR_CHECK(phase_ != Phase::kIdle && !asking_);
    if (phase_ == Phase::kRaw) {
      asking_ = true;
      return SeatState::kAsking;
    }
    if (phase_ == Phase::kSearch) {
      const Next next = search_->NextLeaf(leaf_);
      CR_CHECK(next != Next::kWait);  // with nothing out, it waits for nothing
      asking_ = next == Next::kLeaf;
      if (asking_) return SeatState::kAsking;
      const SearchResult result = search_->Result();
      choice_ = {DrawMove(result, Temperature(), &random_), result.wdl, result.visits};
    }
    phase_ = Phase::kIdle;
    return SeatState::kChosen;
  }

  Choice choice() const override { return choice_; }

  EvaluationRequest request() const override {
    CR_CHECK(asking_);
    if (phase_ == Phase::kSearch) return leaf_->request();
    return {turn_.position, turn_.history, turn_.legal};
  }

  void Deliver(const Evaluation& evaluation) override {
    CR_CHECK(asking_);
    asking_ = false;
    if (phase_ == Phase::kSearch) return search_->Deliver(leaf_, evaluation);
    std::vector<float> priors(turn_.legal.size());
    std::transform(evaluation.log_priors.begin(), evaluation.log_priors.end(), priors.begin(),
                   [](float log_prior) { return std::exp(log_prior); });
    choice_ = {turn_.legal[DrawByWeight(priors, Temperature(), &random_)], evaluation.wdl, 0};
    phase_ = Phase::kRawDone;
  }

  void Cancel() override {
    CR_CHECK(asking_);
    Abandon();
  }

 private:
  enum class Phase : uint8_t { kIdle, kSearch, kRaw, kRawDone };

  absl::Status BeginSearch() {
    if (search_ == nullptr) {
      search_ = std::make_unique<Search>(options_.search, *turn_.start);
      leaf_ = search_->leaf(0);
    }
    if (absl::Status status = search_->SetGame(*turn_.start, turn_.moves); !status.ok()) {
      return status;
    }
    // A game has nothing of the one before.
    if (search_seed_.has_value()) {
      SearchOptions options = options_.search;
      options.seed = *std::exchange(search_seed_, std::nullopt);
      search_->SetOptions(options);
      search_->Forget();
    } else if (!options_.reuse || options_.search.root_policy == RootPolicy::kGumbel) {
      search_->Forget();
    }
    search_->Begin(options_.limits);
    phase_ = Phase::kSearch;
    return absl::OkStatus();
  }

  double Temperature() const {
    const int64_t ply = static_cast<int64_t>(turn_.moves.size()) - first_ply_;
    return ply < options_.temperature_plies ? options_.temperature : 0;
  }

  void Abandon() {
    if (asking_ && phase_ == Phase::kSearch) search_->Cancel(leaf_);
    asking_ = false;
    phase_ = Phase::kIdle;
  }

  const Rules& rules_;                  // the player's
  const SearchPlayerOptions& options_;  // too
  std::unique_ptr<Search> search_;      // made when it is first needed
  Leaf* leaf_ = nullptr;
  RandomStream random_{0};
  std::optional<uint64_t> search_seed_;  // of a game whose first search is still to come
  int64_t first_ply_ = -1;               // of the game in which this seat had to move
  Turn turn_;
  Phase phase_ = Phase::kIdle;
  bool asking_ = false;
  Choice choice_;
};

std::unique_ptr<Evaluator> ThreadSafe(ChosenEvaluator chosen) {
  if (chosen.is_thread_safe) return std::move(chosen.evaluator);
  std::vector<std::unique_ptr<Evaluator>> one;
  one.push_back(std::move(chosen.evaluator));
  return std::make_unique<EvaluatorPool>(std::move(one));
}

SearchPlayerOptions WithoutNoise(SearchPlayerOptions options) {
  options.search.gumbel.noise = false;
  options.search.puct.noise_share = 0;
  options.search.puct.forced_playouts = 0;
  return options;
}

}  // namespace

absl::Status Validate(const SearchPlayerOptions& options) {
  if (!(options.temperature >= 0) || options.temperature_plies < 0) {
    return absl::InvalidArgumentError("expected a temperature and temperature_plies of at least 0");
  }
  if (options.search.concurrent) {
    return absl::InvalidArgumentError("a player's search is of one thread");
  }
  if (options.raw_policy) return absl::OkStatus();
  absl::Status status = Validate(options.search);
  status.Update(Validate(options.limits, options.search));
  return status;
}

SearchPlayer::SearchPlayer(std::string name, std::shared_ptr<const Rules> rules,
                           ChosenEvaluator evaluator, const SearchPlayerOptions& options)
    : name_(std::move(name)),
      rules_(std::move(rules)),
      batch_(evaluator.batch),
      identity_(evaluator.identity),
      evaluator_(ThreadSafe(std::move(evaluator))),
      options_(WithoutNoise(options)) {
  CR_CHECK_OK(Validate(options_));
}

std::unique_ptr<Seat> SearchPlayer::NewSeat() {
  return std::make_unique<SearchSeat>(*rules_, options_);
}

}  // namespace crossriver
