#include "selfplay/openings/opening_lines.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <set>
#include <utility>

namespace crossriver {
namespace {

// A line up to a move that leaves the lines before it.
struct Branch {
  std::vector<Move> moves;
  double reach = 1;
  size_t number = 0;  // in the order of finding, to break ties

  bool operator<(const Branch& other) const {
    return reach != other.reach ? reach < other.reach : number > other.number;
  }
};

class LineFinder {
 public:
  LineFinder(OpeningTree* tree, const Position& from, const OpeningLineOptions& options)
      : tree_(*tree), from_(from), options_(options) {}

  absl::StatusOr<std::vector<OpeningLine>> Run() {
    branches_.push({});
    while (!branches_.empty() && lines_.size() < static_cast<size_t>(options_.max_lines)) {
      const Branch branch = branches_.top();
      branches_.pop();
      absl::StatusOr<OpeningLine> line = Follow(branch);
      if (!line.ok()) return line.status();
      if (!line->moves.empty()) lines_.push_back(*std::move(line));
    }
    return std::move(lines_);
  }

 private:
  absl::StatusOr<OpeningLine> Follow(const Branch& branch) {
    Position position = from_;
    std::set<uint64_t> seen;
    OpeningLine line;
    while (line.moves.size() < static_cast<size_t>(options_.max_plies)) {
      if (!seen.insert(tree_.classes().ClassOf(position).key).second) break;
      const absl::StatusOr<OpeningPosition> at = tree_.At(position, options_.query);
      if (!at.ok()) return at.status();
      const size_t ply = line.moves.size();
      const OpeningMove* next = at->moves.empty() ? nullptr : &at->moves.front();
      if (ply < branch.moves.size()) {
        next = Find(*at, branch.moves[ply]);
      } else {
        Offer(line, *at);
      }
      if (next == nullptr) break;
      line.moves.push_back(next->move);
      line.texts.push_back(next->text);
      line.reach *= next->share;
      line.counts = next->counts;
      position.Do(next->move);
    }
    line.score = ScoreOf(line.counts, Side::kFirst);
    Turn(line, &line.score);
    return line;
  }

  // Opinions are the mover's; a line's are the first player's.
  void Turn(const OpeningLine& line, OpeningScore* score) const {
    const bool first_began = from_.side_to_move() == Side::kFirst;
    const bool first_moved_last = (line.moves.size() % 2 == 1) == first_began;
    if (first_moved_last) return;
    if (score->value) score->value = 1 - *score->value;
    if (score->search_value) score->search_value = 1 - *score->search_value;
  }

  static const OpeningMove* Find(const OpeningPosition& at, Move move) {
    const auto found = std::find_if(at.moves.begin(), at.moves.end(),
                                    [move](const OpeningMove& of) { return of.move == move; });
    return found == at.moves.end() ? nullptr : &*found;
  }

  void Offer(const OpeningLine& line, const OpeningPosition& at) {
    for (size_t i = 1; i < at.moves.size(); ++i) {
      Branch branch = {line.moves, line.reach * at.moves[i].share, ++offered_};
      branch.moves.push_back(at.moves[i].move);
      branches_.push(std::move(branch));
    }
  }

  OpeningTree& tree_;
  const Position& from_;
  const OpeningLineOptions& options_;
  std::priority_queue<Branch> branches_;
  size_t offered_ = 0;
  std::vector<OpeningLine> lines_;
};

class Comparison {
 public:
  Comparison(OpeningTree* tree, const OpeningChangeOptions& options)
      : tree_(*tree), options_(options) {}

  // Breadth first, so that a position is named by a shortest line to it.
  absl::StatusOr<OpeningChanges> Run(const Position& from) {
    level_.push_back({from, {}, 1, 1});
    for (int ply = 0; ply <= options_.max_plies && !level_.empty(); ++ply) {
      std::vector<Place> places = std::exchange(level_, {});
      for (const Place& place : places) {
        if (absl::Status status = Look(place, ply < options_.max_plies); !status.ok()) {
          return status;
        }
      }
    }
    const auto by_weight = [](const auto& a, const auto& b) { return Weight(a) > Weight(b); };
    std::stable_sort(changes_.moves.begin(), changes_.moves.end(), by_weight);
    std::stable_sort(changes_.values.begin(), changes_.values.end(), by_weight);
    return std::move(changes_);
  }

 private:
  struct Place {
    Position position;
    std::vector<std::string> line;
    double before = 0;  // reach
    double after = 0;
  };
  struct Both {
    const OpeningMove* before = nullptr;
    const OpeningMove* after = nullptr;
  };

  static double Weight(const MoveChange& change) {
    return change.reach * std::abs(change.share_after - change.share_before);
  }
  static double Weight(const ValueChange& change) {
    return change.reach * std::abs(change.value_after - change.value_before);
  }

  absl::Status Look(const Place& place, bool go_on) {
    if (!seen_.insert(tree_.classes().ClassOf(place.position).key).second) return absl::OkStatus();
    const auto before = tree_.At(place.position, {.checkpoints = options_.before});
    if (!before.ok()) return before.status();
    const auto after = tree_.At(place.position, {.checkpoints = options_.after});
    if (!after.ok()) return after.status();
    const bool comparable =
        before->counts.games >= options_.min_games && after->counts.games >= options_.min_games;
    if (comparable) CompareValues(place, *before, *after);
    std::map<Move, Both> moves;
    for (const OpeningMove& move : before->moves) moves[move.move].before = &move;
    for (const OpeningMove& move : after->moves) moves[move.move].after = &move;
    for (const auto& [move, both] : moves) {
      if (comparable) CompareMove(place, *before, *after, both);
      if (go_on) Enter(place, move, both);
    }
    return absl::OkStatus();
  }

  void CompareValues(const Place& place, const OpeningPosition& before,
                     const OpeningPosition& after) {
    if (!before.score.value || !after.score.value) return;
    const auto of_first = [&](std::optional<double> value) -> std::optional<double> {
      if (!value) return value;
      return place.position.side_to_move() == Side::kFirst ? *value : 1 - *value;
    };
    ValueChange change;
    change.line = place.line;
    change.fen = before.fen;
    change.value_before = *of_first(before.score.value);
    change.value_after = *of_first(after.score.value);
    change.score_before = of_first(before.score.score);
    change.score_after = of_first(after.score.score);
    change.games_before = before.counts.games;
    change.games_after = after.counts.games;
    change.reach = std::max(place.before, place.after);
    if (std::abs(change.value_after - change.value_before) < options_.min_change) return;
    changes_.values.push_back(std::move(change));
  }

  void CompareMove(const Place& place, const OpeningPosition& before, const OpeningPosition& after,
                   const Both& both) {
    const OpeningMove& any = both.after != nullptr ? *both.after : *both.before;
    const auto games = [](const OpeningMove* move) {
      return move == nullptr ? 0.0 : static_cast<double>(move->counts.games);
    };
    MoveChange change;
    change.line = place.line;
    change.fen = before.fen;
    change.move = any.move;
    change.text = any.text;
    change.games_before = before.counts.games;
    change.games_after = after.counts.games;
    change.share_before = both.before == nullptr ? 0 : both.before->share;
    change.share_after = both.after == nullptr ? 0 : both.after->share;
    change.difference =
        DifferenceInterval(games(both.before), static_cast<double>(change.games_before),
                           games(both.after), static_cast<double>(change.games_after));
    change.reach = std::max(place.before, place.after);
    if (std::abs(change.share_after - change.share_before) < options_.min_change) return;
    changes_.moves.push_back(std::move(change));
  }

  void Enter(const Place& place, Move move, const Both& both) {
    const double before = both.before == nullptr ? 0 : place.before * both.before->share;
    const double after = both.after == nullptr ? 0 : place.after * both.after->share;
    if (std::max(before, after) < options_.min_reach) return;
    Place next = {place.position, place.line, before, after};
    next.line.push_back(both.after != nullptr ? both.after->text : both.before->text);
    next.position.Do(move);
    level_.push_back(std::move(next));
  }

  OpeningTree& tree_;
  const OpeningChangeOptions& options_;
  std::vector<Place> level_;  // of the next ply
  std::set<uint64_t> seen_;
  OpeningChanges changes_;
};

}  // namespace

absl::StatusOr<std::vector<OpeningLine>> MainLines(OpeningTree* tree, const Position& from,
                                                   const OpeningLineOptions& options) {
  return LineFinder(tree, from, options).Run();
}

absl::StatusOr<OpeningChanges> CompareOpenings(OpeningTree* tree, const Position& from,
                                               const OpeningChangeOptions& options) {
  return Comparison(tree, options).Run(from);
}

}  // namespace crossriver
