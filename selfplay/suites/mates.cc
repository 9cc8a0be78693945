#include "selfplay/suites/mates.h"

#include "core/adjudicator.h"
#include "core/history.h"
#include "core/movegen.h"
#include "mcts/mate_solver.h"

namespace crossriver {
namespace {

// Cleared before each of many short searches.
constexpr size_t kTableBytes = size_t{1} << 20;

MateSolver MakeSolver(int max_plies, int64_t max_nodes, bool checks_only = false) {
  MateOptions options;
  options.checks_only = checks_only;
  options.max_plies = max_plies;
  options.max_nodes = max_nodes;
  options.table_bytes = kTableBytes;
  return MateSolver(options);
}

absl::Status Undecided() {
  return absl::ResourceExhaustedError("not decided within the nodes of the mate solver");
}

// A line of play from the position that a game begins with.
class Line {
 public:
  explicit Line(const Position& start) : position_(start), history_(start) {}

  const Position& position() const { return position_; }
  const History& history() const { return history_; }

  UndoRecord Do(Move move) {
    const UndoRecord undo = position_.Do(move);
    history_.Push(position_, undo);
    return undo;
  }
  void Undo(Move move, const UndoRecord& undo) {
    history_.Pop();
    position_.Undo(move, undo);
  }

 private:
  Position position_;
  History history_;
};

// Whether the side to move of `line`, which the attacker has just moved to, is mated within `plies`
// more.
absl::StatusOr<bool> IsMated(Line* line, int plies, MateSolver* solver) {
  std::vector<Move> answers;
  GenerateLegalMoves(line->position(), &answers);
  const Outcome outcome = Adjudicate(line->position(), line->history(), !answers.empty());
  if (outcome.is_over()) return answers.empty() && outcome.result == Result::kLoss;
  if (plies == 0) return false;
  bool decided = true;
  for (const Move answer : answers) {
    const UndoRecord undo = line->Do(answer);
    const MateResult result = solver->Solve(line->position(), line->history());
    line->Undo(answer, undo);
    if (result.answer == MateResult::Answer::kNoMate) return false;
    decided = decided && result.answer == MateResult::Answer::kMate;
  }
  return decided ? absl::StatusOr<bool>(true) : Undecided();
}

}  // namespace

absl::StatusOr<bool> ChecksMateWithin(const Position& position, Move move, int plies,
                                      int64_t max_nodes) {
  MateSolver solver = MakeSolver(plies - 2, max_nodes, /*checks_only=*/true);
  Line line(position);
  line.Do(move);
  return IsMated(&line, plies - 1, &solver);
}

bool HasMateByChecks(const Position& position, int max_plies, int64_t max_nodes) {
  const History history(position);
  return MakeSolver(max_plies, max_nodes, /*checks_only=*/true).Solve(position, history).answer ==
         MateResult::Answer::kMate;
}

absl::StatusOr<ShortestMates> FindShortestMates(const Position& position, int max_plies,
                                                int64_t max_nodes) {
  const History history(position);
  const MateResult mate = MakeSolver(max_plies, max_nodes).Solve(position, history);
  if (mate.answer == MateResult::Answer::kUnknown) return Undecided();
  if (mate.answer == MateResult::Answer::kNoMate) return absl::NotFoundError("no mate");
  ShortestMates mates;
  mates.plies = mate.plies;
  MateSolver solver = MakeSolver(mate.plies - 2, max_nodes);
  std::vector<Move> moves;
  GenerateLegalMoves(position, &moves);
  Line line(position);
  for (const Move move : moves) {
    const UndoRecord undo = line.Do(move);
    const absl::StatusOr<bool> mated = IsMated(&line, mate.plies - 1, &solver);
    line.Undo(move, undo);
    if (!mated.ok()) return mated.status();
    if (*mated) mates.moves.push_back(move);
  }
  return mates;
}

}  // namespace crossriver
