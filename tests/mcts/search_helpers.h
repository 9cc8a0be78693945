// What the tests of the search share: games from text, evaluators made up for a purpose.
#ifndef CROSSRIVER_TESTS_MCTS_SEARCH_HELPERS_H_
#define CROSSRIVER_TESTS_MCTS_SEARCH_HELPERS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/evaluator.h"
#include "core/history.h"
#include "core/position.h"
#include "mcts/options.h"
#include "mcts/result.h"
#include "mcts/search.h"

namespace crossriver::testing {

// A position and the moves played from it.
struct Game {
  // Moves as words; aborts on an illegal one.
  Game(const std::string& variant, const std::string& fen, const std::string& moves = "");

  Move Parse(const std::string& text) const;
  std::string Text(Move move) const;

  Position start;
  std::vector<Move> moves;
  Position position;  // reached
  History history;
};

// Priors and values by a function of the request; thread-safe where the function is.
class FunctionEvaluator : public Evaluator {
 public:
  using Function = std::function<void(const EvaluationRequest&, Evaluation*)>;
  explicit FunctionEvaluator(Function function) : function_(std::move(function)) {}

  absl::Status Evaluate(std::span<const EvaluationRequest> requests,
                        std::span<Evaluation> results) override;
  uint64_t id() const override { return 1; }

 private:
  Function function_;
};

// Priors and values that follow from the position's key alone, so that they are the same whatever
// the order of the calls. Thread-safe.
Evaluation ArbitraryEvaluation(const EvaluationRequest& request);

// Uniform priors and the given value.
Evaluation ValueOnly(const EvaluationRequest& request, const Wdl& wdl);

// Who has more on the board is ahead: a tenth of a win a piece. No draws.
Evaluation CountPieces(const EvaluationRequest& request);
FunctionEvaluator PieceCounter();

// What the result says of a move, which must be legal.
const MoveResult& ResultOf(const SearchResult& result, Move move);

SearchOptions GumbelSearch();
SearchLimits Visits(int64_t visits);

// One search of the game's last position with the uniform evaluator, or another one.
SearchResult SearchGame(const Game& game, const SearchOptions& options, int64_t visits,
                        Evaluator* evaluator = nullptr);

}  // namespace crossriver::testing

#endif  // CROSSRIVER_TESTS_MCTS_SEARCH_HELPERS_H_
