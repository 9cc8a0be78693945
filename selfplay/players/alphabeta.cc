#include "selfplay/players/alphabeta.h"

#include <utility>

#include "selfplay/players/alphabeta_search.h"

namespace crossriver {

AlphaBeta::AlphaBeta(const std::shared_ptr<const Rules>& rules, const AlphaBetaOptions& options)
    : AlphaBeta(rules, std::make_shared<const PieceValues>(*rules), options) {}

AlphaBeta::AlphaBeta(std::shared_ptr<const Rules> rules, std::shared_ptr<const PieceValues> values,
                     const AlphaBetaOptions& options)
    : rules_(std::move(rules)),
      values_(std::move(values)),
      search_(std::make_unique<AlphaBetaSearch>(*values_, options)) {}

AlphaBeta::~AlphaBeta() = default;
AlphaBeta::AlphaBeta(AlphaBeta&&) noexcept = default;
AlphaBeta& AlphaBeta::operator=(AlphaBeta&&) noexcept = default;

void AlphaBeta::NewGame() { search_->Clear(); }

AlphaBetaResult AlphaBeta::Search(const Position& position, const History& history) {
  return search_->Run(position, history);
}

}  // namespace crossriver
