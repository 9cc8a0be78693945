#include "selfplay/suites/suite_solver.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/history.h"
#include "core/movegen.h"
#include "mcts/batch_driver.h"
#include "mcts/search.h"

namespace crossriver {
namespace {

// Of one search: some 20,000 nodes, which is enough for what suites are measured with; longer
// searches let go of what they visited least.
constexpr size_t kTreeBytes = size_t{16} << 20;

bool Solves(const SuitePosition& position, Move move) {
  return std::find(position.best.begin(), position.best.end(), move) != position.best.end();
}

// The share of the likeliest moves that solve it.
double PolicyShare(const SuitePosition& position, std::span<const Move> moves,
                   const std::vector<float>& log_priors) {
  const float most = *std::max_element(log_priors.begin(), log_priors.end());
  int likeliest = 0;
  int solving = 0;
  for (size_t i = 0; i < moves.size(); ++i) {
    if (log_priors[i] < most) continue;
    ++likeliest;
    if (Solves(position, moves[i])) ++solving;
  }
  return static_cast<double>(solving) / likeliest;
}

class Solver {
 public:
  Solver(const Suite& suite, Evaluator* evaluator, const SolveOptions& options)
      : suite_(suite), evaluator_(*evaluator), options_(options), driver_(evaluator) {}

  absl::StatusOr<std::vector<SolvedPosition>> Run() {
    const std::vector<SuitePosition>& positions = suite_.positions;
    solved_.assign(positions.size(), {0, std::vector<double>(options_.visits.size(), 0)});
    const auto batch = static_cast<size_t>(options_.at_a_time);
    for (size_t begin = 0; begin < positions.size(); begin += batch) {
      const size_t end = std::min(positions.size(), begin + batch);
      if (absl::Status asked = AskPolicy(begin, end); !asked.ok()) return asked;
    }
    if (absl::Status searched = SearchAll(); !searched.ok()) return searched;
    return std::move(solved_);
  }

 private:
  // One search of one position, in a place of the driver.
  struct Place {
    std::unique_ptr<Search> search;
    size_t position = 0;
    size_t visits = 0;  // place in the options' list
  };

  absl::Status AskPolicy(size_t begin, size_t end) {
    std::deque<History> histories;
    std::vector<std::vector<Move>> moves(end - begin);
    std::vector<EvaluationRequest> requests;
    for (size_t i = begin; i < end; ++i) {
      const Position& position = suite_.positions[i].position;
      GenerateLegalMoves(position, &moves[i - begin]);
      requests.push_back({&position, &histories.emplace_back(position), moves[i - begin]});
    }
    std::vector<Evaluation> results(requests.size());
    if (absl::Status status = evaluator_.Evaluate(requests, results); !status.ok()) return status;
    for (size_t i = begin; i < end; ++i) {
      solved_[i].policy =
          PolicyShare(suite_.positions[i], moves[i - begin], results[i - begin].log_priors);
    }
    return absl::OkStatus();
  }

  absl::Status SearchAll() {
    const size_t places = std::min(static_cast<size_t>(options_.at_a_time),
                                   suite_.positions.size() * options_.visits.size());
    for (size_t i = 0; i < places; ++i) {
      places_.emplace_back();
      driver_.Add(nullptr);
      BeginNext(i);
    }
    for (;;) {
      if (options_.interrupted && options_.interrupted()) {
        return absl::CancelledError("interrupted");
      }
      const absl::StatusOr<int> leaves = driver_.Step();
      if (!leaves.ok()) return leaves.status();
      bool any = *leaves > 0;
      for (size_t i = 0; i < places_.size(); ++i) {
        if (places_[i].search == nullptr || !driver_.done(i)) continue;
        Finish(places_[i]);
        any = BeginNext(i) || any;
      }
      if (!any) return absl::OkStatus();
    }
  }

  // Puts the next search into a place. False: all have begun, and the place is empty. The longest
  // come first, so that the last ones end together.
  bool BeginNext(size_t i) {
    Place& place = places_[i];
    if (begun_ == suite_.positions.size() * options_.visits.size()) {
      place.search.reset();
      driver_.Replace(i, nullptr);
      return false;
    }
    place.visits = options_.visits.size() - 1 - begun_ / suite_.positions.size();
    place.position = begun_ % suite_.positions.size();
    ++begun_;
    SearchOptions options;
    options.root_policy = options_.root_policy;
    options.gumbel.noise = false;
    options.tree_bytes = kTreeBytes;
    options.seed = options_.seed;
    place.search = std::make_unique<Search>(options, suite_.positions[place.position].position);
    SearchLimits limits;
    limits.visits = options_.visits[place.visits];
    place.search->Begin(limits);
    driver_.Replace(i, place.search.get());
    return true;
  }

  void Finish(const Place& place) {
    const Move best = place.search->Result().best;
    solved_[place.position].by_visits[place.visits] =
        Solves(suite_.positions[place.position], best) ? 1 : 0;
    ++ended_;
    if (options_.progress) options_.progress(ended_);
  }

  const Suite& suite_;
  Evaluator& evaluator_;
  const SolveOptions& options_;
  BatchDriver driver_;
  std::vector<Place> places_;
  std::vector<SolvedPosition> solved_;
  size_t begun_ = 0;
  int64_t ended_ = 0;
};

void AddTo(const SolvedPosition& solved, SolvedGroup* group) {
  ++group->positions;
  group->policy += solved.policy;
  group->by_visits.resize(solved.by_visits.size());
  for (size_t i = 0; i < solved.by_visits.size(); ++i) group->by_visits[i] += solved.by_visits[i];
}

}  // namespace

absl::Status Validate(const SolveOptions& options) {
  if (options.visits.empty()) return absl::InvalidArgumentError("visits: expected at least one");
  int64_t last = 0;
  for (const int64_t visits : options.visits) {
    if (visits <= last) {
      return absl::InvalidArgumentError(
          absl::StrCat("visits: ", visits, ", expected rising numbers from 1"));
    }
    last = visits;
  }
  if (options.at_a_time < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("at_a_time: ", options.at_a_time, ", expected at least 1"));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<SolvedPosition>> SolveSuite(const Suite& suite, Evaluator* evaluator,
                                                       const SolveOptions& options) {
  if (absl::Status valid = Validate(options); !valid.ok()) return valid;
  return Solver(suite, evaluator, options).Run();
}

std::vector<SolvedGroup> GroupSolved(const Suite& suite,
                                     const std::vector<SolvedPosition>& solved) {
  std::map<int, SolvedGroup> mates;  // by length
  SolvedGroup all_mates{"mates"};
  SolvedGroup captures{"captures"};
  SolvedGroup all{"all"};
  for (size_t i = 0; i < solved.size(); ++i) {
    const SuitePosition& position = suite.positions[i];
    AddTo(solved[i], &all);
    if (position.kind == SuiteKind::kCapture) {
      AddTo(solved[i], &captures);
      continue;
    }
    AddTo(solved[i], &all_mates);
    SolvedGroup& group = mates[position.plies];
    group.name = absl::StrCat("mate in ", (position.plies + 1) / 2);
    AddTo(solved[i], &group);
  }
  std::vector<SolvedGroup> groups;
  for (auto& [plies, group] : mates) groups.push_back(std::move(group));
  for (SolvedGroup* group : {&all_mates, &captures, &all}) groups.push_back(std::move(*group));
  std::erase_if(groups, [](const SolvedGroup& group) { return group.positions == 0; });
  for (SolvedGroup& group : groups) {
    group.policy /= group.positions;
    for (double& share : group.by_visits) share /= group.positions;
  }
  return groups;
}

}  // namespace crossriver
