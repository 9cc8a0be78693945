#include "tests/mcts/search_helpers.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_split.h"
#include "core/notation.h"
#include "mcts/batch_driver.h"
#include "mcts/random.h"
#include "mcts/uniform_evaluator.h"
#include "tests/test_data.h"

namespace crossriver::testing {
namespace {

Position StartOf(const std::string& variant, const std::string& fen) {
  const Rules& rules = RulesOf(variant);
  return fen.empty() ? StartPosition(rules) : *ParseFen(rules, fen);
}

}  // namespace

Game::Game(const std::string& variant, const std::string& fen, const std::string& texts)
    : start(StartOf(variant, fen)), position(start), history(start) {
  for (const std::string& text :
       std::vector<std::string>(absl::StrSplit(texts, ' ', absl::SkipEmpty()))) {
    const Move move = Parse(text);
    moves.push_back(move);
    const UndoRecord undo = position.Do(move);
    history.Push(position, undo);
  }
}

Move Game::Parse(const std::string& text) const {
  const auto move = ParseMove(position, text);
  CR_CHECK_OK(move.status());
  return *move;
}

std::string Game::Text(Move move) const { return FormatMove(position.rules(), move); }

absl::Status FunctionEvaluator::Evaluate(std::span<const EvaluationRequest> requests,
                                         std::span<Evaluation> results) {
  for (size_t i = 0; i < requests.size(); ++i) function_(requests[i], &results[i]);
  return absl::OkStatus();
}

Evaluation ArbitraryEvaluation(const EvaluationRequest& request) {
  RandomStream random(request.position->key());
  Evaluation evaluation;
  double sum = 0;
  for (size_t i = 0; i < request.moves.size(); ++i) {
    evaluation.log_priors.push_back(static_cast<float>(2 * random.Normal()));
    sum += std::exp(static_cast<double>(evaluation.log_priors.back()));
  }
  for (float& log_prior : evaluation.log_priors) log_prior -= static_cast<float>(std::log(sum));
  const double win = random.Uniform();
  const double draw = (1 - win) * random.Uniform();
  evaluation.wdl = {static_cast<float>(win), static_cast<float>(draw),
                    static_cast<float>(1 - win - draw)};
  return evaluation;
}

Evaluation ValueOnly(const EvaluationRequest& request, const Wdl& wdl) {
  const auto moves = static_cast<float>(request.moves.size());
  return {std::vector<float>(request.moves.size(), -std::log(moves)), wdl};
}

Evaluation CountPieces(const EvaluationRequest& request) {
  const Position& position = *request.position;
  const int more = position.pieces(position.side_to_move()).size() -
                   position.pieces(Other(position.side_to_move())).size();
  const float win = std::clamp(0.5F + 0.1F * static_cast<float>(more), 0.1F, 0.9F);
  return ValueOnly(request, {win, 0, 1 - win});
}

FunctionEvaluator PieceCounter() {
  return FunctionEvaluator(
      [](const EvaluationRequest& request, Evaluation* out) { *out = CountPieces(request); });
}

const MoveResult& ResultOf(const SearchResult& result, Move move) {
  const auto found = std::find_if(result.moves.begin(), result.moves.end(),
                                  [move](const auto& entry) { return entry.move == move; });
  CR_CHECK(found != result.moves.end());
  return *found;
}

SearchResult SearchGame(const Game& game, const SearchOptions& options, int64_t visits,
                        Evaluator* evaluator) {
  UniformEvaluator uniform;
  Search search(options, game.start);
  CR_CHECK_OK(search.SetGame(game.start, game.moves));
  SearchLimits limits;
  limits.visits = visits;
  auto result = RunSearch(&search, limits, evaluator != nullptr ? evaluator : &uniform);
  CR_CHECK_OK(result.status());
  return *std::move(result);
}

SearchOptions GumbelSearch() {
  SearchOptions options;
  options.root_policy = RootPolicy::kGumbel;
  return options;
}

SearchLimits Visits(int64_t visits) {
  SearchLimits limits;
  limits.visits = visits;
  return limits;
}

}  // namespace crossriver::testing
