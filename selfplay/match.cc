#include "selfplay/match.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/check.h"
#include "core/history.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "mcts/random.h"
#include "mcts/search.h"

namespace crossriver {
namespace {

constexpr size_t kTreeBytes = size_t{1} << 20;
constexpr double kDeviations = 1.96;  // of the normal distribution, for 95 %

constexpr int kOpeningTries = 100;

// A position so many random plies from the start in which the game goes on, with the moves to it. A
// variant may have no game that long: after some tries, half the plies must do.
std::vector<Move> RandomOpening(const Rules& rules, int plies, RandomStream* random) {
  for (int tries = 1; plies > 0; ++tries) {
    Position position = StartPosition(rules);
    History history(position);
    std::vector<Move> played;
    std::vector<Move> legal;
    for (;;) {
      GenerateLegalMoves(position, &legal);
      if (Adjudicate(position, history, !legal.empty()).is_over()) break;
      if (static_cast<int>(played.size()) == plies) return played;
      played.push_back(legal[random->Below(legal.size())]);
      const UndoRecord undo = position.Do(played.back());
      history.Push(position, undo);
    }
    if (tries % kOpeningTries == 0) plies /= 2;
  }
  return {};
}

// One game: both sides have a search of their own.
class MatchGame {
 public:
  MatchGame(const Rules& rules, const MatchOptions& options)
      : options_(options),
        start_(StartPosition(rules)),
        searches_{MakeSearch(), MakeSearch()},
        leaves_{searches_[0]->leaf(0), searches_[1]->leaf(0)} {}

  // `a_begins`: whether A has the first move of the array.
  void Begin(std::vector<Move> opening, bool a_begins) {
    moves_ = std::move(opening);
    a_begins_ = a_begins;
    SetRoot();
  }

  // Whose move it is: 0 = A's, 1 = B's.
  size_t mover() const { return (moves_.size() % 2 == 0) == a_begins_ ? size_t{0} : size_t{1}; }
  bool a_begins() const { return a_begins_; }

  // Plays on to the next position to be evaluated. False: the game is over.
  bool Advance() {
    for (;;) {
      Search& search = *searches_[mover()];
      const Next next = search.NextLeaf(leaves_[mover()]);
      if (next == Next::kLeaf) return true;
      CR_CHECK(next == Next::kDone);  // with nothing out, it waits for nothing
      const SearchResult result = search.Result();
      if (result.outcome.is_over()) {
        result_ = result.outcome.result;
        return false;
      }
      if (static_cast<int>(moves_.size()) >= options_.max_plies) {
        result_ = Result::kDraw;
        return false;
      }
      moves_.push_back(result.best);
      SetRoot();
    }
  }

  EvaluationRequest request() const { return leaves_[mover()]->request(); }
  void Deliver(const Evaluation& evaluation) {
    searches_[mover()]->Deliver(leaves_[mover()], evaluation);
  }
  void Cancel() { searches_[mover()]->Cancel(leaves_[mover()]); }

  // A's points.
  double Points() const {
    if (result_ == Result::kDraw) return 0.5;
    return (result_ == Result::kWin) == (mover() == 0) ? 1 : 0;
  }

 private:
  std::unique_ptr<Search> MakeSearch() const {
    SearchOptions options;
    options.root_policy = options_.root_policy;
    options.gumbel.noise = false;
    options.tree_bytes = kTreeBytes;
    return std::make_unique<Search>(options, start_);
  }
  void SetRoot() {
    Search& search = *searches_[mover()];
    CR_CHECK_OK(search.SetGame(start_, moves_));
    search.Forget();  // Gumbel's halving counts on visits that are all its own
    SearchLimits limits;
    limits.visits = options_.visits;
    search.Begin(limits);
  }

  const MatchOptions& options_;
  const Position start_;
  std::array<std::unique_ptr<Search>, 2> searches_;
  std::array<Leaf*, 2> leaves_;
  std::vector<Move> moves_;
  bool a_begins_ = true;
  Result result_ = Result::kNone;  // for the side to move at the end
};

class Match {
 public:
  Match(const std::shared_ptr<const Rules>& rules, Evaluator* a, Evaluator* b,
        const MatchOptions& options)
      : rules_(*rules), options_(options), evaluators_{a, b}, random_(options.seed) {
    pairs_left_ = options.games / 2;
  }

  absl::StatusOr<MatchResult> Play() {
    const int places = std::min(options_.at_a_time, 2 * pairs_left_);
    for (int i = 0; i < places; ++i) {
      games_.push_back(std::make_unique<MatchGame>(rules_, options_));
      if (!BeginNext(games_.back().get())) games_.pop_back();
    }
    while (!games_.empty()) {
      if (options_.interrupted && options_.interrupted()) {
        for (const auto& game : games_) game->Cancel();
        return absl::CancelledError("interrupted");
      }
      if (absl::Status status = EvaluateAll(); !status.ok()) return status;
    }
    return result_;
  }

 private:
  // Begins a game and brings it to its first evaluation. False: all are played.
  bool BeginNext(MatchGame* game) {
    for (;;) {
      bool a_begins = true;
      if (!second_of_pair_.has_value()) {
        if (pairs_left_ == 0) return false;
        --pairs_left_;
        second_of_pair_ = RandomOpening(rules_, options_.opening_plies, &random_);
        game->Begin(*second_of_pair_, a_begins);
      } else {
        a_begins = false;
        game->Begin(*std::exchange(second_of_pair_, std::nullopt), a_begins);
      }
      if (game->Advance()) return true;
      Count(*game);
    }
  }

  // A call for each evaluator that is asked.
  absl::Status EvaluateAll() {
    for (size_t side = 0; side < evaluators_.size(); ++side) {
      asking_.clear();
      requests_.clear();
      for (const auto& game : games_) {
        if (game->mover() != side) continue;
        asking_.push_back(game.get());
        requests_.push_back(game->request());
      }
      if (asking_.empty()) continue;
      if (results_.size() < asking_.size()) results_.resize(asking_.size());
      const auto results = std::span(results_).first(asking_.size());
      if (absl::Status status = evaluators_[side]->Evaluate(requests_, results); !status.ok()) {
        for (const auto& game : games_) game->Cancel();
        return status;
      }
      for (size_t i = 0; i < asking_.size(); ++i) {
        asking_[i]->Deliver(results_[i]);
        if (!asking_[i]->Advance()) Finish(asking_[i]);
      }
      std::erase_if(games_, [](const auto& game) { return game == nullptr; });
    }
    return absl::OkStatus();
  }

  void Finish(MatchGame* game) {
    Count(*game);
    if (BeginNext(game)) return;
    for (auto& place : games_) {
      if (place.get() == game) place.reset();
    }
  }

  void Count(const MatchGame& game) {
    const double points = game.Points();
    if (points == 1) ++result_.wins;
    if (points == 0.5) ++result_.draws;
    if (points == 0) ++result_.losses;
    result_.points_by_side[game.a_begins() ? 0 : 1] += points;
    if (options_.progress) options_.progress(result_.games());
  }

  const Rules& rules_;
  const MatchOptions& options_;
  const std::array<Evaluator*, 2> evaluators_;
  RandomStream random_;
  int pairs_left_;
  std::optional<std::vector<Move>> second_of_pair_;  // the opening whose sides are to change
  std::vector<std::unique_ptr<MatchGame>> games_;
  std::vector<MatchGame*> asking_;
  std::vector<EvaluationRequest> requests_;
  std::vector<Evaluation> results_;
  MatchResult result_;
};

}  // namespace

double MatchResult::score() const {
  if (games() == 0) return 0.5;
  return (static_cast<double>(wins) + static_cast<double>(draws) / 2) /
         static_cast<double>(games());
}

// Wilson 1927: (p + z²/2n ± z sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n).
double MatchResult::Bound(int side) const {
  if (games() == 0) return side < 0 ? 0 : 1;
  const auto n = static_cast<double>(games());
  const double p = score();
  const double z2 = kDeviations * kDeviations;
  const double spread = kDeviations * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n));
  return std::clamp((p + z2 / (2 * n) + side * spread) / (1 + z2 / n), 0.0, 1.0);
}

absl::StatusOr<MatchResult> PlayMatch(std::shared_ptr<const Rules> rules, Evaluator* a,
                                      Evaluator* b, const MatchOptions& options) {
  CR_CHECK(options.games >= 0 && options.visits >= 1 && options.at_a_time >= 1);
  return Match(rules, a, b, options).Play();
}

}  // namespace crossriver
