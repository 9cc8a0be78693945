// A search that counts material alone: which capture wins how much.
#ifndef CROSSRIVER_SELFPLAY_SUITES_MATERIAL_SEARCH_H_
#define CROSSRIVER_SELFPLAY_SUITES_MATERIAL_SEARCH_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "core/position.h"
#include "core/types.h"
#include "mcts/random.h"
#include "selfplay/players/piece_values.h"

namespace crossriver {

struct ScoredMove {
  Move move;
  int score = 0;  // for the side that moves, in hundredths of a small piece (PieceValues)
};

// Plain alpha-beta to a fixed depth, then captures alone until the position is quiet (and all moves
// where the side to move is in check). A position is worth the difference of the values of all
// pieces, on the board and in hand; a side without a legal move what the rules say. It knows no
// repetition and no place better than another, so that its verdict is about exchanges and mates.
// Deterministic. Not synchronised.
class MaterialSearch {
 public:
  // Scores beyond this are mates.
  static constexpr int kMateScore = 1'000'000;

  // `values` must outlive it.
  explicit MaterialSearch(const PieceValues* values) : values_(*values) {}

  // The value of what is on the board and in hand now, for the side to move.
  int Material(const Position& position) const;

  // The moves of a position in which there is a legal one, `depth` >= 1 plies deep. The scores of
  // the best `exact` moves are exact, and these come first; those of the others are no higher than
  // the last of these.
  // `shuffle` (may be null) puts moves that look alike into a random order: the first of the best
  // is then any of them, but captures come before other moves that are as good.
  std::vector<ScoredMove> Search(const Position& position, int depth, int exact,
                                 RandomStream* shuffle = nullptr);

 private:
  int Negamax(int depth, int alpha, int beta);
  int Quiet(int depth, int alpha, int beta);
  int Try(Move move, int depth, int alpha, int beta);
  std::vector<Move> OrderedMoves(bool captures_only, RandomStream* shuffle = nullptr) const;
  int Victim(Move move) const;

  const PieceValues& values_;
  // Of the line that is searched.
  Position* position_ = nullptr;
  int ply_ = 0;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_SUITES_MATERIAL_SEARCH_H_
