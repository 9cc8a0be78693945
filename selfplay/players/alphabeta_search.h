// The search of the alpha-beta engine.
#ifndef CROSSRIVER_SELFPLAY_PLAYERS_ALPHABETA_SEARCH_H_
#define CROSSRIVER_SELFPLAY_PLAYERS_ALPHABETA_SEARCH_H_

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <vector>

#include "core/adjudicator.h"
#include "core/history.h"
#include "core/position.h"
#include "core/types.h"
#include "selfplay/players/alphabeta_options.h"
#include "selfplay/players/alphabeta_table.h"
#include "selfplay/players/move_order.h"
#include "selfplay/players/piece_values.h"
#include "selfplay/players/position_score.h"

namespace crossriver {

// Above all scores.
inline constexpr int kInfiniteScore = kMateScore + 1;
// Of a repetition before the game is over that the rules would count as lost or won.
inline constexpr int kRepetitionScore = 25'000;
static_assert(kMaxPositionScore < kRepetitionScore && kRepetitionScore < kLeastMateScore);

// Whether a score says how many plies a win or a loss is away.
inline bool IsMateScore(int score) { return std::abs(score) >= kLeastMateScore; }

// What alphabeta.h describes. Scores are the mover's view and fail soft: outside the window they
// are bounds that may be sharper than it.
//
// A score *rests on the path* if a repetition or a perpetual check takes part in it: another path
// to the same position may score differently. It is said up the tree, and the table keeps but the
// move of such a position.
class AlphaBetaSearch {
 public:
  // `values` must outlive the object.
  AlphaBetaSearch(const PieceValues& values, const AlphaBetaOptions& options);

  void Clear();
  AlphaBetaResult Run(const Position& position, const History& history);

 private:
  struct Window {
    int alpha;
    int beta;
  };

  // One position of the path, from the root on.
  struct Frame {
    std::vector<Move> moves;  // legal
    MoveOrder order;
    PositionTotals totals;
    KillerMoves killers;
    std::vector<Move> pv;     // of the last search of this position
    std::vector<Move> quiet;  // searched here, for the history
    Move move;                // the one that is being searched
    UndoRecord undo;
    bool rests_on_path = false;  // the score that was returned last
  };

  // What is known of a position before its moves are searched.
  struct Node {
    int depth = 0;
    Window window;
    uint64_t key = 0;
    bool in_check = false;
    bool pv = false;  // the window is open
    int score = 0;    // without a search; only where not in check
    Move first;       // the table's move
  };

  Frame& frame() { return frames_[static_cast<size_t>(ply_)]; }
  // The one that led here; not at the root.
  Move LastMove() const { return frames_[static_cast<size_t>(ply_) - 1].move; }
  const std::vector<Move>& root_pv() const { return frames_[0].pv; }
  // False, and the search is stopped, where the nodes are used up.
  bool CountNode();
  int Score() { return ScorePosition(values_, position_, frame().totals); }
  uint64_t Key() const;

  void Deepen(AlphaBetaResult* result);
  void SearchRoot(int depth, AlphaBetaResult* result);

  // Each of the following searches the position at the end of the path and returns its score; what
  // it returns once the search is stopped means nothing.
  int Search(int depth, Window window, bool null_allowed);
  int SearchMoves(const Node& node);
  int SearchMove(const Node& node, const RatedMove& rated, int index, Window window);
  std::optional<int> FromTable(Node* node);
  std::optional<int> WithoutMoves(const Node& node, bool null_allowed);
  std::optional<int> TryNullMove(const Node& node);
  // `plies` is how far the position is from where the full-width search ended.
  int Quiesce(int plies, Window window);
  int SearchQuiet(int plies, Window window);
  int Capture(int plies, int standing, Window window);
  int AnswerCheck(int plies, Window window);
  // Whether other moves are worth trying after this one.
  bool TryQuietly(Move move, int plies, int* best, Window* window);

  static int MostOfQuiet(const Node& node);
  bool IsHopeless(const Node& node, const RatedMove& rated, Window window) const;
  int Reduction(const Node& node, const RatedMove& rated, int index) const;
  void Learn(const Node& node, const RatedMove& cut);
  void Store(const Node& node, Move best, int score);

  // What the rules say about a position that has a legal move, or as if it had one.
  std::optional<int> Ended();
  int NoMoveScore() const { return ToScore(AdjudicateNoMove(position_, history_.in_check())); }
  int ToScore(const Outcome& outcome) const;

  void Play(Move move);
  void PlayNull();
  void TakeBack();
  void TakeBackNull();

  const PieceValues& values_;
  const AlphaBetaOptions options_;
  AlphaBetaTable table_;
  MoveHistory move_history_;
  std::vector<Frame> frames_;

  Position position_;
  History history_;
  int ply_ = 0;
  int root_plies_ = 0;  // of the game
  int root_depth_ = 0;
  Move root_first_;     // the best move so far
  int root_score_ = 0;  // of frames_[0].pv
  int64_t nodes_ = 0;
  bool stopped_ = false;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_PLAYERS_ALPHABETA_SEARCH_H_
