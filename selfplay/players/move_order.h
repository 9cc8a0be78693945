// In which order a search tries moves.
#ifndef CROSSRIVER_SELFPLAY_PLAYERS_MOVE_ORDER_H_
#define CROSSRIVER_SELFPLAY_PLAYERS_MOVE_ORDER_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/position.h"
#include "core/types.h"
#include "selfplay/players/piece_values.h"

namespace crossriver {

// Quiet moves that refuted another move at the same distance from the root (killers; Akl and
// Newborn 1977), the last one first.
using KillerMoves = std::array<Move, 2>;

// What a search has learnt of quiet moves (history heuristic; Schaeffer 1983): by side, kind and
// destination, drops apart from moves. Not synchronised.
class MoveHistory {
 public:
  static constexpr int kMost = 8192;

  MoveHistory() : scores_(static_cast<size_t>(kNumSides) * 2 * kMaxKinds * kMaxCells, 0) {}

  void Clear();
  // Halves all of it, for the next search.
  void Fade();
  int Of(const Position& position, Move move) const { return scores_[Slot(position, move)]; }
  // `by` is at most kMost in size; scores stay within -kMost .. kMost.
  void Add(const Position& position, Move move, int by);

 private:
  static size_t Slot(const Position& position, Move move) {
    const auto kind = static_cast<size_t>(move.is_drop() ? kMaxKinds + move.drop_kind()
                                                         : KindOf(position.piece_at(move.from())));
    const size_t row = static_cast<size_t>(position.side_to_move()) * 2 * kMaxKinds + kind;
    return row * kMaxCells + static_cast<size_t>(move.to());
  }

  std::vector<int16_t> scores_;
};

struct RatedMove {
  Move move;
  int rating = 0;
  int gain = 0;              // what it takes, and what promotion adds
  bool tactical = false;     // a capture or a promotion
  bool maybe_check = false;  // by the moved piece itself; there may be something in its way
  bool unclear = false;      // a capture that has yet to be looked at for what it loses
  bool losing = false;       // a capture that has
};

// The moves of one position, best first as far as can be told: the table's move, captures and
// promotions by gain, killers, quiet moves by history and place, captures that lose. They are put
// in order as they are asked for, because the first often settles the matter. Used again and again;
// keeps its memory. Not synchronised.
class MoveOrder {
 public:
  // Takes up the legal moves of the position. What is passed must stay valid until the last Next.
  void Begin(const PieceValues& values, const MoveHistory& history, const Position& position,
             std::span<const Move> moves, Move first, const KillerMoves& killers);
  // Takes up only captures and promotions of `moves`.
  void BeginTactical(const PieceValues& values, const Position& position,
                     std::span<const Move> moves, Move first);
  // The next move, or null at the end.
  const RatedMove* Next();
  // Leaves out all further quiet moves that cannot give check.
  void DropQuiet();
  bool empty() const { return moves_.empty(); }

 private:
  void RateQuiet(const MoveHistory& history, const KillerMoves& killers, RatedMove* rated) const;
  void Reset(const PieceValues& values, const Position& position);
  void RateTactical(RatedMove* rated) const;
  RatedMove* TakeBest();

  const PieceValues* values_ = nullptr;
  const Position* position_ = nullptr;
  std::vector<RatedMove> moves_;
  size_t next_ = 0;
  size_t quiet_taken_ = 0;
  bool sorted_ = false;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_PLAYERS_MOVE_ORDER_H_
