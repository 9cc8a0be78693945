// The quiescence search of the alpha-beta engine: captures, promotions, and all answers to checks.
#include <algorithm>
#include <optional>

#include "core/movegen.h"
#include "selfplay/players/alphabeta_search.h"

namespace crossriver {
namespace {

// A capture is not followed where what it takes and this leave the score below alpha.
constexpr int kCaptureMargin = 150;

// From so many plies on only the last piece to have captured is captured, or boards with much to
// take would use up all nodes.
constexpr int kAllCaptures = 5;

// A stalemate is looked for before standing pat where the mover has so few pieces, none in hand.
constexpr int kFewPieces = 4;

// Quiet answers to a check that are tried once one does not lose.
constexpr int kQuietAnswers = 2;

}  // namespace

int AlphaBetaSearch::Quiesce(int plies, Window window) {
  frame().pv.clear();
  frame().rests_on_path = false;
  if (!CountNode()) return 0;
  if (const std::optional<int> score = Ended()) return *score;
  return SearchQuiet(plies, window);
}

// Of a position that has been counted and is not over by repetition or the no-progress rule.
int AlphaBetaSearch::SearchQuiet(int plies, Window window) {
  const bool last = plies >= options_.quiescence_plies || ply_ >= kMaxSearchPly;
  const Side side = position_.side_to_move();
  if (history_.in_check()) {
    if (!last) return AnswerCheck(plies, window);
    return HasLegalMove(position_) ? Score() : NoMoveScore();
  }
  const bool few = position_.hand_empty(side) && position_.pieces(side).size() <= kFewPieces;
  if ((few || !options_.selective) && !HasLegalMove(position_)) return NoMoveScore();
  const int score = Score();
  if (last || score >= window.beta) return score;
  return Capture(plies, score, window);
}

bool AlphaBetaSearch::TryQuietly(Move move, int plies, int* best, Window* window) {
  Frame& f = frame();
  Play(move);
  const int score = -Quiesce(plies + 1, {-window->beta, -window->alpha});
  const Frame& child = frame();
  TakeBack();
  if (stopped_) return false;
  if (score >= window->beta) f.rests_on_path = false;  // this move alone decides
  f.rests_on_path |= child.rests_on_path;
  *best = std::max(*best, score);
  if (score > window->alpha) {
    window->alpha = score;
    f.pv.assign(1, move);
    f.pv.insert(f.pv.end(), child.pv.begin(), child.pv.end());
  }
  return score < window->beta;
}

int AlphaBetaSearch::Capture(int plies, int standing, Window window) {
  Frame& f = frame();
  GenerateLegalMoves(position_, &f.moves);
  if (f.moves.empty()) return NoMoveScore();
  f.order.BeginTactical(values_, position_, f.moves, Move());
  int best = standing;
  window.alpha = std::max(window.alpha, standing);
  const bool recapture = options_.selective && plies >= kAllCaptures;
  while (const RatedMove* rated = f.order.Next()) {
    if (options_.selective && rated->losing) continue;
    if (const int most = standing + rated->gain + kCaptureMargin;
        options_.selective && most <= window.alpha) {
      best = std::max(best, most);  // all that is known
      continue;
    }
    if (recapture && rated->move.to() != LastMove().to()) continue;
    if (!TryQuietly(rated->move, plies, &best, &window)) break;
  }
  return stopped_ ? 0 : best;
}

int AlphaBetaSearch::AnswerCheck(int plies, Window window) {
  Frame& f = frame();
  GenerateLegalMoves(position_, &f.moves);
  if (f.moves.empty()) return NoMoveScore();
  f.order.Begin(values_, move_history_, position_, f.moves, Move(), f.killers);
  int best = -kInfiniteScore;
  int quiet = 0;
  while (const RatedMove* rated = f.order.Next()) {
    const bool safe = options_.selective && best > -kRepetitionScore;
    if (safe && (rated->losing || (!rated->tactical && quiet >= kQuietAnswers))) continue;
    quiet += rated->tactical ? 0 : 1;
    if (!TryQuietly(rated->move, plies, &best, &window)) break;
  }
  return stopped_ ? 0 : best;
}

}  // namespace crossriver
