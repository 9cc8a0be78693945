#include "selfplay/players/alphabeta_search.h"

#include <algorithm>
#include <cstdlib>

#include "core/fingerprint.h"
#include "core/movegen.h"
#include "core/notation.h"

namespace crossriver {
namespace {

// The window around the last depth's score; four times as wide on a side where
// the score is outside.
constexpr int kAspiration = 50;
constexpr int kAspirationDepth = 3;

// From so many plies before the no-progress limit on, the count is part of what a position is to
// the table: where scores fade, and where a search gets there.
constexpr int kCountedPlies = kFadingPlies + 32;

// A table is not made larger than what the last searches of a game may fill.
constexpr int64_t kEntriesANode = 16;

size_t TableBytes(const AlphaBetaOptions& options) {
  const auto entry = static_cast<int64_t>(sizeof(AlphaBetaTable::Entry));
  if (options.nodes > static_cast<int64_t>(options.table_bytes) / (kEntriesANode * entry)) {
    return options.table_bytes;
  }
  return static_cast<size_t>(options.nodes * kEntriesANode * entry);
}

}  // namespace

AlphaBetaSearch::AlphaBetaSearch(const PieceValues& values, const AlphaBetaOptions& options)
    : values_(values),
      options_(options),
      table_(TableBytes(options)),
      frames_(static_cast<size_t>(kMaxSearchPly) + 2),
      position_(&values.rules()),
      history_(StartPosition(values.rules())) {
  CR_CHECK(options.nodes >= 1);
  CR_CHECK(options.max_depth >= 1 && options.max_depth <= kMaxSearchDepth);
  CR_CHECK(options.quiescence_plies >= 0);
}

void AlphaBetaSearch::Clear() {
  table_.Clear();
  move_history_.Clear();
  for (Frame& f : frames_) f.killers = {};
}

bool AlphaBetaSearch::CountNode() {
  if (nodes_ >= options_.nodes) {
    stopped_ = true;
    return false;
  }
  ++nodes_;
  return true;
}

void AlphaBetaSearch::Play(Move move) {
  Frame& parent = frame();
  parent.move = move;
  parent.undo = position_.Do(move);
  history_.Push(position_, parent.undo);
  ++ply_;
  frame().totals = parent.totals;
  UpdateTotals(values_, position_, move, parent.undo, &frame().totals);
}

void AlphaBetaSearch::TakeBack() {
  --ply_;
  history_.Pop();
  position_.Undo(frame().move, frame().undo);
}

// Nothing before a null move counts as a repetition of what comes after it.
void AlphaBetaSearch::PlayNull() {
  UndoRecord undo;
  undo.irreversible = true;
  position_.SetSideToMove(Other(position_.side_to_move()));
  history_.Push(position_, undo);
  ++ply_;
  frame().totals = frames_[static_cast<size_t>(ply_ - 1)].totals;
}

void AlphaBetaSearch::TakeBackNull() {
  --ply_;
  history_.Pop();
  position_.SetSideToMove(Other(position_.side_to_move()));
}

int AlphaBetaSearch::ToScore(const Outcome& outcome) const {
  switch (outcome.result) {
    case Result::kWin:
      return kMateScore - ply_;
    case Result::kLoss:
      return -kMateScore + ply_;
    case Result::kDraw:
    case Result::kNone:
      break;
  }
  return 0;
}

// A position that occurs again has had a legal move before.
std::optional<int> AlphaBetaSearch::Ended() {
  const GameRules& rules = values_.rules().game();
  const int occurrences = rules.repetitions == 0 ? 1 : history_.Occurrences();
  if (occurrences >= 2) {
    const bool over = occurrences >= rules.repetitions;
    // Once more on the path, or twice more in all, is taken for the end.
    if (over ||
        (options_.selective && (occurrences >= 3 || history_.FirstOccurrence() >= root_plies_))) {
      frame().rests_on_path = true;
      const int score = ToScore(JudgeRepetition(position_, history_));
      return over ? score : std::clamp(score, -kRepetitionScore, kRepetitionScore);
    }
  }
  const int limit = rules.no_progress_plies;
  if (limit > 0 && position_.no_progress() >= limit) {
    return HasLegalMove(position_) ? 0 : NoMoveScore();
  }
  return std::nullopt;
}

// The no-progress count is part of the state only where it can matter.
uint64_t AlphaBetaSearch::Key() const {
  const int limit = values_.rules().game().no_progress_plies;
  const int count = position_.no_progress();
  if (limit == 0 || count < limit - kCountedPlies) return position_.key();
  return position_.key() ^ KeySequence(static_cast<uint64_t>(count)).Next();
}

AlphaBetaResult AlphaBetaSearch::Run(const Position& position, const History& history) {
  AlphaBetaResult result;
  position_ = position;
  history_ = history;
  ply_ = 0;
  nodes_ = 0;
  stopped_ = false;
  root_plies_ = history.plies();
  root_first_ = Move();
  Frame& root = frame();
  root.totals = CountTotals(values_, position_);
  GenerateLegalMoves(position_, &root.moves);
  const Outcome outcome = Adjudicate(position_, history_, !root.moves.empty());
  if (outcome.is_over()) {
    result.score = ToScore(outcome);
    return result;
  }
  table_.NextGeneration();
  move_history_.Fade();
  // What is best without any search, should the nodes not suffice for the first move.
  root.order.Begin(values_, move_history_, position_, root.moves, Move(), root.killers);
  result.move = root.order.Next()->move;
  result.score = Score();
  result.pv = {result.move};
  Deepen(&result);
  result.nodes = nodes_;
  return result;
}

void AlphaBetaSearch::Deepen(AlphaBetaResult* result) {
  for (int depth = 1; depth <= options_.max_depth; ++depth) {
    SearchRoot(depth, result);
    if (stopped_) return;
    result->depth = depth;
    // A mate within the depth is the shortest.
    if (result->mate_plies != 0 && std::abs(result->mate_plies) <= depth) return;
  }
}

// A search of the root that is broken off has found what it has found so far.
void AlphaBetaSearch::SearchRoot(int depth, AlphaBetaResult* result) {
  root_depth_ = depth;
  const bool narrow =
      options_.selective && depth >= kAspirationDepth && !IsMateScore(result->score);
  int below = narrow ? kAspiration : 2 * kInfiniteScore;
  int above = below;
  const int guess = result->score;
  for (;;) {
    const Window window = {std::max(guess - below, -kInfiniteScore),
                           std::min(guess + above, kInfiniteScore)};
    const int score = Search(depth, window, /*null_allowed=*/false);
    if (!root_pv().empty()) {
      result->pv = root_pv();
      result->move = root_first_ = result->pv.front();
      result->score = root_score_;
      result->mate_plies = !IsMateScore(root_score_) ? 0
                           : root_score_ > 0         ? kMateScore - root_score_
                                                     : -kMateScore - root_score_;
    }
    if (stopped_) return;
    if (score <= window.alpha) {
      below *= 4;
    } else if (score >= window.beta) {
      above *= 4;
    } else {
      return;
    }
  }
}

}  // namespace crossriver
