#include "selfplay/suites/material_search.h"

#include <algorithm>
#include <utility>

#include "core/adjudicator.h"
#include "core/attacks.h"
#include "core/movegen.h"

namespace crossriver {
namespace {

constexpr int kUnbounded = 2 * MaterialSearch::kMateScore;
constexpr int kQuietPlies = 8;  // of captures after the depth, at most

}  // namespace

int MaterialSearch::Material(const Position& position) const {
  const Rules& rules = position.rules();
  int score = 0;
  for (const Side side : kSides) {
    int own = 0;
    for (Kind kind = 0; kind < rules.num_kinds(); ++kind) {
      own += position.pieces(kind, side).size() * values_.value(kind);
    }
    for (const Kind kind : rules.hand_kinds()) {
      own += position.hand(side, kind) * values_.hand_value(kind);
    }
    score += side == position.side_to_move() ? own : -own;
  }
  return score;
}

std::vector<ScoredMove> MaterialSearch::Search(const Position& position, int depth, int exact,
                                               RandomStream* shuffle) {
  Position line = position;
  position_ = &line;
  ply_ = 0;
  std::vector<ScoredMove> best;  // sorted, the first `exact` are exact
  const auto higher = [](const ScoredMove& a, const ScoredMove& b) { return a.score > b.score; };
  for (const Move move : OrderedMoves(/*captures_only=*/false, shuffle)) {
    const auto last = static_cast<size_t>(exact) - 1;
    const int alpha = best.size() > last ? best[last].score : -kUnbounded;
    const ScoredMove scored{move, Try(move, depth - 1, alpha, kUnbounded)};
    best.insert(std::upper_bound(best.begin(), best.end(), scored, higher), scored);
  }
  position_ = nullptr;
  return best;
}

int MaterialSearch::Try(Move move, int depth, int alpha, int beta) {
  const UndoRecord undo = position_->Do(move);
  ++ply_;
  const int score = depth >= 0 ? -Negamax(depth, -beta, -alpha) : -Quiet(depth, -beta, -alpha);
  --ply_;
  position_->Undo(move, undo);
  return score;
}

int MaterialSearch::Negamax(int depth, int alpha, int beta) {
  if (depth == 0) return Quiet(0, alpha, beta);
  const std::vector<Move> moves = OrderedMoves(/*captures_only=*/false);
  if (moves.empty()) {
    const Result result = AdjudicateNoMove(*position_, InCheck(*position_)).result;
    if (result == Result::kDraw) return 0;
    const int mate = kMateScore - ply_;  // rather soon than late
    return result == Result::kWin ? mate : -mate;
  }
  for (const Move move : moves) {
    alpha = std::max(alpha, Try(move, depth - 1, alpha, beta));
    if (alpha >= beta) break;
  }
  return alpha;
}

// `depth` counts down from 0.
int MaterialSearch::Quiet(int depth, int alpha, int beta) {
  const int material = Material(*position_);
  if (depth <= -kQuietPlies) return material;
  // Nobody has to capture, but out of check one has to come.
  if (InCheck(*position_)) {
    if (!HasLegalMove(*position_)) return Negamax(1, alpha, beta);
    for (const Move move : OrderedMoves(/*captures_only=*/false)) {
      alpha = std::max(alpha, Try(move, depth - 1, alpha, beta));
      if (alpha >= beta) break;
    }
    return alpha;
  }
  alpha = std::max(alpha, material);
  if (alpha >= beta) return alpha;
  for (const Move move : OrderedMoves(/*captures_only=*/true)) {
    alpha = std::max(alpha, Try(move, depth - 1, alpha, beta));
    if (alpha >= beta) break;
  }
  return alpha;
}

// The value of what the move takes.
int MaterialSearch::Victim(Move move) const {
  if (move.is_drop()) return 0;
  int value = 0;
  for (const Cell cell : {move.to(), position_->DisplacedCell(move)}) {
    if (cell == kNoCell || position_->piece_at(cell) == kNoPiece) continue;
    value += values_.capture_gain(KindOf(position_->piece_at(cell)));
  }
  return value;
}

// The most valuable victims first, of equal ones the cheapest attackers.
std::vector<Move> MaterialSearch::OrderedMoves(bool captures_only, RandomStream* shuffle) const {
  std::vector<Move> moves;
  GenerateLegalMoves(*position_, &moves);
  for (size_t i = moves.size(); shuffle != nullptr && i > 1; --i) {
    std::swap(moves[i - 1], moves[shuffle->Below(i)]);
  }
  struct Ranked {
    int victim;
    int attacker;
    Move move;
  };
  std::vector<Ranked> ranked;
  ranked.reserve(moves.size());
  for (const Move move : moves) {
    const int victim = Victim(move);
    if (captures_only && victim == 0) continue;
    const int attacker =
        move.is_drop() ? 0 : values_.value(KindOf(position_->piece_at(move.from())));
    ranked.push_back({victim, attacker, move});
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
    return a.victim != b.victim ? a.victim > b.victim : a.attacker < b.attacker;
  });
  moves.clear();
  for (const Ranked& one : ranked) moves.push_back(one.move);
  return moves;
}

}  // namespace crossriver
