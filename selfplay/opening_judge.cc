#include "selfplay/opening_judge.h"

#include <utility>
#include <vector>

#include "core/evaluator.h"
#include "core/movegen.h"
#include "mcts/mate_solver.h"
#include "selfplay/players/alphabeta.h"
#include "selfplay/players/alphabeta_player.h"

namespace crossriver {
namespace {

constexpr int kOwnMatePlies = 3;
constexpr int kTheirMatePlies = 1;
constexpr int64_t kMateNodes = 2000;
constexpr size_t kMateTableBytes = size_t{1} << 16;

constexpr int64_t kAlphaBetaNodes = 500;

bool HasMate(const Position& position, const History& history, int plies) {
  MateOptions options;
  options.max_plies = plies;
  options.max_nodes = kMateNodes;
  options.table_bytes = kMateTableBytes;
  return MateSolver(options).Solve(position, history).answer == MateResult::Answer::kMate;
}

}  // namespace

double JudgeByMates(const Position& position, const History& history) {
  if (HasMate(position, history, kOwnMatePlies)) return 1;
  Position after = position;
  History history_after = history;
  std::vector<Move> moves;
  GenerateLegalMoves(position, &moves);
  for (const Move move : moves) {
    const UndoRecord undo = after.Do(move);
    history_after.Push(after, undo);
    const bool holds = !HasMate(after, history_after, kTheirMatePlies);
    history_after.Pop();
    after.Undo(move, undo);
    if (holds) return 0.5;
  }
  return 0;
}

OpeningJudge JudgeByAlphaBeta(std::shared_ptr<const Rules> rules) {
  AlphaBetaOptions options;
  options.nodes = kAlphaBetaNodes;
  const auto engine = std::make_shared<AlphaBeta>(std::move(rules), options);
  return [engine](const Position& position, const History& history) -> double {
    const double by_mates = JudgeByMates(position, history);
    if (by_mates != 0.5) return by_mates;
    engine->NewGame();
    const AlphaBetaResult result = engine->Search(position, history);
    const Wdl wdl = ScoreToWdl(result.score, result.mate_plies);
    return static_cast<double>(wdl.win) + static_cast<double>(wdl.draw) / 2;
  };
}

}  // namespace crossriver
