#include "selfplay/suites/suite_maker.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/history.h"
#include "core/movegen.h"
#include "core/symmetry.h"
#include "mcts/random.h"
#include "selfplay/players/alphabeta.h"
#include "selfplay/players/piece_values.h"
#include "selfplay/starts.h"
#include "selfplay/suites/mates.h"
#include "selfplay/suites/practice_game.h"
#include "selfplay/suites/puzzle.h"

namespace crossriver {
namespace {

// A group of puzzles, and its share of a suite.
struct Group {
  std::string name;
  int plies = 0;       // of mates
  bool plain = false;  // of captures
  int share = 0;       // of the sum of all
  size_t wanted = 0;
  std::vector<SuitePosition> found = {};
};

std::vector<Group> MakeGroups(int count) {
  std::vector<Group> groups = {{"mate in 1", 1, false, 16},
                               {"mate in 2", 3, false, 22},
                               {"mate in 3", 5, false, 18},
                               {"plain capture", 0, true, 12},
                               {"other capture", 0, false, 16}};
  int total = 0;
  for (const Group& group : groups) total += group.share;
  // Together they are as many as asked for.
  int before = 0;
  for (Group& group : groups) {
    const int after = before + group.share;
    group.wanted = static_cast<size_t>(count * after / total - count * before / total);
    before = after;
  }
  return groups;
}

// Every position is searched for mates by checks alone, which is quick where there are few checks.
// A share of the positions, as neighbours are much alike, is looked at closely: for captures, and a
// share of these for short mates by any moves.
constexpr int64_t kScreenNodes = 2'000;
constexpr double kCloseShare = 0.25;
constexpr double kFullShare = 0.1;
constexpr int kShortMate = 3;
// Of an engine that knows more than exchanges: its move must be the capture at both.
constexpr int64_t kEngineNodes[] = {20'000, 100'000};
constexpr size_t kFewMoves = 8;  // fewer leave nothing to find

class Maker {
 public:
  Maker(std::shared_ptr<const Rules> rules, const SuiteMakerOptions& options)
      : rules_(std::move(rules)),
        options_(options),
        values_(std::make_shared<PieceValues>(*rules_)),
        symmetries_(FindSymmetries(*rules_)),
        starts_(rules_.get(), SelfPlayOptions(), nullptr),
        groups_(MakeGroups(options.count)) {}

  absl::StatusOr<Suite> Make() {
    for (int number = 0; number < options_.max_games && !IsComplete(); ++number) {
      PracticeGame game(&starts_, values_.get(), options_.seed, number);
      used_.clear();
      do {
        if (options_.interrupted && options_.interrupted()) {
          return absl::CancelledError("interrupted");
        }
        Look(game.position(), game.random());
      } while (game.Advance());
    }
    Suite suite;
    suite.name = rules_->definition().id;
    suite.rules = rules_;
    for (Group& group : groups_) {
      for (SuitePosition& position : group.found) suite.positions.push_back(std::move(position));
    }
    return suite;
  }

 private:
  bool IsComplete() const {
    return std::all_of(groups_.begin(), groups_.end(),
                       [](const Group& group) { return group.found.size() >= group.wanted; });
  }

  // Whether the group takes another position of this game.
  bool IsOpen(const Group& group) const {
    return group.found.size() < group.wanted && used_.count(&group) == 0;
  }

  void Look(const Position& game_position, RandomStream* random) {
    const std::optional<Position> position = AsStart(game_position);
    if (!position.has_value() || CountLegalMoves(*position) < int64_t{kFewMoves}) return;
    const bool closely = random->Uniform() < kCloseShare;
    int longest = 0;
    bool captures = false;
    for (const Group& group : groups_) {
      if (!IsOpen(group)) continue;
      longest = std::max(longest, group.plies);
      captures = captures || group.plies == 0;
    }
    if (!HasMateByChecks(*position, longest, kScreenNodes)) {
      longest = closely && random->Uniform() < kFullShare ? std::min(longest, kShortMate) : 0;
    }
    if (longest > 0) {
      const absl::StatusOr<SuitePosition> mate =
          FindMatePuzzle(*position, longest, options_.mate_nodes, /*alone=*/true);
      if (mate.ok()) {
        Take(*mate);
        return;
      }
    }
    if (!captures || !closely) return;
    const absl::StatusOr<SuitePosition> capture = FindCapturePuzzle(*position, *values_);
    if (capture.ok()) Take(*capture);
  }

  bool EngineAgrees(const SuitePosition& puzzle) const {
    return std::all_of(std::begin(kEngineNodes), std::end(kEngineNodes), [&](int64_t nodes) {
      AlphaBetaOptions options;
      options.nodes = nodes;
      const Move move = AlphaBeta(rules_, values_, options)
                            .Search(puzzle.position, History(puzzle.position))
                            .move;
      return std::find(puzzle.best.begin(), puzzle.best.end(), move) != puzzle.best.end();
    });
  }

  void Take(const SuitePosition& puzzle) {
    for (Group& group : groups_) {
      const bool fits = puzzle.kind == SuiteKind::kMate
                            ? group.plies == puzzle.plies
                            : group.plies == 0 && group.plain == IsPlainCapture(puzzle, *values_);
      if (!fits || !IsOpen(group)) continue;
      if (puzzle.kind == SuiteKind::kCapture && !EngineAgrees(puzzle)) return;
      if (!seen_.insert(CanonicalKey(puzzle.position)).second) return;
      group.found.push_back(puzzle);
      used_.insert(&group);
      Report();
      return;
    }
  }

  // Equal for positions that are images of each other.
  uint64_t CanonicalKey(const Position& position) const {
    uint64_t least = position.key();
    for (const Symmetry& symmetry : symmetries_.rules) {
      least = std::min(least, symmetry.Map(position).key());
    }
    return least;
  }

  void Report() const {
    if (!options_.progress) return;
    size_t found = 0;
    std::string note;
    for (const Group& group : groups_) {
      found += group.found.size();
      absl::StrAppend(&note, note.empty() ? "" : ", ", group.name, " ", group.found.size(), "/",
                      group.wanted);
    }
    options_.progress(static_cast<int>(found), note);
  }

  const std::shared_ptr<const Rules> rules_;
  const SuiteMakerOptions& options_;
  const std::shared_ptr<const PieceValues> values_;
  const SymmetryGroups symmetries_;
  const StartMaker starts_;
  std::vector<Group> groups_;
  std::set<uint64_t> seen_;
  std::set<const Group*> used_;  // by the present game
};

}  // namespace

absl::StatusOr<Suite> MakeSuite(std::shared_ptr<const Rules> rules,
                                const SuiteMakerOptions& options) {
  return Maker(std::move(rules), options).Make();
}

}  // namespace crossriver
