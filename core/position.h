// A position: pieces on the board and in hand, the side to move, and its key.
#ifndef CROSSRIVER_CORE_POSITION_H_
#define CROSSRIVER_CORE_POSITION_H_

#include <array>
#include <cstdint>

#include "core/check.h"
#include "core/rules.h"
#include "core/square_set.h"
#include "core/types.h"

namespace crossriver {

// What Undo needs to take a move back.
struct UndoRecord {
  uint64_t key = 0;
  uint32_t no_progress = 0;
  Piece moved = kNoPiece;      // the piece as it stood before the move; none for a drop
  Piece captured = kNoPiece;   // on the destination
  Piece displaced = kNoPiece;  // on the cell `halfway`
  uint8_t halfway = 0;
  // No later position of the game can equal one before this move.
  bool irreversible = false;
};

// Holds state only: rules are shared, history (repetitions) is kept beside it in core/history.h.
// Copying is cheap (about a kilobyte, no allocation). Not synchronised.
//
// Invariants once set up: each side has exactly one royal piece; key() equals ComputeKey().
class Position {
 public:
  // An empty board; `rules` must outlive the position.
  explicit Position(const Rules* rules);

  const Rules& rules() const { return *rules_; }

  Side side_to_move() const { return side_to_move_; }
  Piece piece_at(Cell cell) const { return board_[static_cast<size_t>(cell)]; }
  SquareSet occupied() const { return by_side_[0] | by_side_[1]; }
  SquareSet pieces(Side side) const { return by_side_[static_cast<size_t>(side)]; }
  SquareSet pieces(Kind kind, Side side) const {
    return by_kind_[static_cast<size_t>(kind)] & pieces(side);
  }
  // Bit k is set where the side has a piece of kind k on the board.
  uint64_t kinds_present(Side side) const { return present_[static_cast<size_t>(side)]; }
  Cell royal(Side side) const { return royal_[static_cast<size_t>(side)]; }
  int hand(Side side, Kind kind) const {
    return hands_[static_cast<size_t>(side)][static_cast<size_t>(kind)];
  }
  bool hand_empty(Side side) const { return hand_size_[static_cast<size_t>(side)] == 0; }

  // Of board, hands and side to move; not of the counts.
  uint64_t key() const { return key_; }
  uint64_t ComputeKey() const;

  // Plies since the last progress, as the variant counts it.
  int no_progress() const { return static_cast<int>(no_progress_); }
  // As in FEN: 1 at the start, up by one after each move of the second player.
  int move_number() const { return move_number_; }

  // Plays a legal move of this position (any other is undefined behaviour) and takes it back.
  UndoRecord Do(Move move);
  void Undo(Move move, const UndoRecord& undo);

  // The halfway cell on which this move captures, or kNoCell. `move` must be pseudo-legal.
  Cell DisplacedCell(Move move) const;

  // Setting up.
  void Put(Piece piece, Cell cell);
  void Remove(Cell cell);
  void SetHand(Side side, Kind kind, int count);
  void SetSideToMove(Side side);
  void SetCounts(int no_progress, int move_number);

  // The same position: board, hands, side to move and counts.
  friend bool operator==(const Position& a, const Position& b);

 private:
  void ChangeHand(Side side, Kind kind, int by);
  void CaptureTo(Side captor, Piece captured);
  void DoDrop(Move move, UndoRecord* undo);
  void DoBoardMove(Move move, UndoRecord* undo);

  const Rules* rules_;
  uint64_t key_ = 0;
  uint32_t no_progress_ = 0;
  int32_t move_number_ = 1;
  Side side_to_move_ = Side::kFirst;
  std::array<int16_t, kNumSides> royal_ = {kNoCell, kNoCell};
  std::array<uint16_t, kNumSides> hand_size_ = {};
  std::array<uint64_t, kNumSides> present_ = {};
  std::array<SquareSet, kNumSides> by_side_ = {};
  std::array<SquareSet, kMaxKinds> by_kind_ = {};
  std::array<Piece, kMaxCells> board_;
  std::array<std::array<uint8_t, kMaxKinds>, kNumSides> hands_ = {};
};

inline Cell Position::DisplacedCell(Move move) const {
  if (move.is_drop()) return kNoCell;
  const Piece piece = piece_at(move.from());
  const KindTables& tables = rules_->tables(KindOf(piece), SideOf(piece));
  for (const Displacement& d : tables.DisplacementsOf(tables.MovesFrom(move.from()))) {
    if (d.destination == move.to()) {
      return piece_at(d.halfway) == kNoPiece ? kNoCell : d.halfway;
    }
  }
  return kNoCell;
}

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_POSITION_H_
