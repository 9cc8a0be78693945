#include "core/position.h"

namespace crossriver {

Position::Position(const Rules* rules) : rules_(rules) { board_.fill(kNoPiece); }

void Position::Put(Piece piece, Cell cell) {
  CR_DCHECK(piece_at(cell) == kNoPiece);
  const Kind kind = KindOf(piece);
  const auto side = static_cast<size_t>(SideOf(piece));
  board_[static_cast<size_t>(cell)] = piece;
  const SquareSet at = SquareSet::Of(cell);
  by_side_[side] |= at;
  by_kind_[static_cast<size_t>(kind)] |= at;
  present_[side] |= uint64_t{1} << kind;
  if (kind == rules_->royal_kind()) royal_[side] = static_cast<int16_t>(cell);
  key_ ^= rules_->piece_key(piece, cell);
}

void Position::Remove(Cell cell) {
  const Piece piece = piece_at(cell);
  CR_DCHECK(piece != kNoPiece);
  const Kind kind = KindOf(piece);
  const auto side = static_cast<size_t>(SideOf(piece));
  board_[static_cast<size_t>(cell)] = kNoPiece;
  const SquareSet at = SquareSet::Of(cell);
  by_side_[side] ^= at;
  by_kind_[static_cast<size_t>(kind)] ^= at;
  if (!by_kind_[static_cast<size_t>(kind)].Intersects(by_side_[side])) {
    present_[side] &= ~(uint64_t{1} << kind);
  }
  key_ ^= rules_->piece_key(piece, cell);
}

void Position::SetHand(Side side, Kind kind, int count) {
  CR_CHECK(count >= 0 && count <= Rules::kMaxHand);
  ChangeHand(side, kind, count - hand(side, kind));
}

void Position::ChangeHand(Side side, Kind kind, int by) {
  const auto s = static_cast<size_t>(side);
  uint8_t& count = hands_[s][static_cast<size_t>(kind)];
  key_ ^= rules_->hand_key(side, kind, count);
  count = static_cast<uint8_t>(count + by);
  CR_DCHECK(count <= Rules::kMaxHand);
  key_ ^= rules_->hand_key(side, kind, count);
  hand_size_[s] = static_cast<uint16_t>(hand_size_[s] + by);
}

void Position::SetSideToMove(Side side) {
  if (side != side_to_move_) key_ ^= rules_->side_key();
  side_to_move_ = side;
}

void Position::SetCounts(int no_progress, int move_number) {
  no_progress_ = static_cast<uint32_t>(no_progress);
  move_number_ = move_number;
}

uint64_t Position::ComputeKey() const {
  uint64_t key = side_to_move_ == Side::kSecond ? rules_->side_key() : 0;
  for (Cell cell = 0; cell < rules_->num_cells(); ++cell) {
    if (piece_at(cell) != kNoPiece) key ^= rules_->piece_key(piece_at(cell), cell);
  }
  for (const Side side : kSides) {
    for (const Kind kind : rules_->hand_kinds()) {
      key ^= rules_->hand_key(side, kind, hand(side, kind));
    }
  }
  return key;
}

void Position::CaptureTo(Side captor, Piece captured) {
  const Kind form = rules_->kind(KindOf(captured)).hand_form;
  if (form != kNoKind) ChangeHand(captor, form, 1);
}

void Position::DoDrop(Move move, UndoRecord* undo) {
  const KindTables& tables = rules_->tables(move.drop_kind(), side_to_move_);
  ChangeHand(side_to_move_, move.drop_kind(), -1);
  Put(MakePiece(tables.DroppedOn(move.to()), side_to_move_), move.to());
  if (rules_->game().drop_is_progress || rules_->kind(move.drop_kind()).resets_progress) {
    no_progress_ = 0;
  }
  undo->irreversible = false;
}

void Position::DoBoardMove(Move move, UndoRecord* undo) {
  const Piece piece = piece_at(move.from());
  const Kind kind = KindOf(piece);
  const KindTables& tables = rules_->tables(kind, side_to_move_);
  undo->moved = piece;
  undo->captured = piece_at(move.to());
  const Cell halfway = DisplacedCell(move);
  Remove(move.from());
  if (halfway != kNoCell) {
    undo->displaced = piece_at(halfway);
    undo->halfway = static_cast<uint8_t>(halfway);
    Remove(halfway);
    CaptureTo(side_to_move_, undo->displaced);
  }
  if (undo->captured != kNoPiece) {
    Remove(move.to());
    CaptureTo(side_to_move_, undo->captured);
  }
  const Kind placed = move.promotes() ? tables.PromotedOn(move.to()) : kind;
  Put(MakePiece(placed, side_to_move_), move.to());
  const bool captures = undo->captured != kNoPiece || undo->displaced != kNoPiece;
  if (rules_->kind(kind).resets_progress || (captures && rules_->game().capture_is_progress) ||
      (move.promotes() && rules_->game().promotion_is_progress)) {
    no_progress_ = 0;
  }
  // Nothing brings back a piece that went to no hand.
  const auto is_gone = [this](Piece piece_taken) {
    return piece_taken != kNoPiece && rules_->kind(KindOf(piece_taken)).hand_form == kNoKind;
  };
  undo->irreversible = is_gone(undo->captured) || is_gone(undo->displaced);
}

UndoRecord Position::Do(Move move) {
  UndoRecord undo;
  undo.key = key_;
  undo.no_progress = no_progress_;
  ++no_progress_;
  if (move.is_drop()) {
    DoDrop(move, &undo);
  } else {
    DoBoardMove(move, &undo);
  }
  if (side_to_move_ == Side::kSecond) ++move_number_;
  side_to_move_ = Other(side_to_move_);
  key_ ^= rules_->side_key();
  return undo;
}

void Position::Undo(Move move, const UndoRecord& undo) {
  side_to_move_ = Other(side_to_move_);
  if (side_to_move_ == Side::kSecond) --move_number_;
  Remove(move.to());
  if (move.is_drop()) {
    ChangeHand(side_to_move_, move.drop_kind(), 1);
  } else {
    const auto give_back = [&](Piece captured, Cell cell) {
      const Kind form = rules_->kind(KindOf(captured)).hand_form;
      if (form != kNoKind) ChangeHand(side_to_move_, form, -1);
      Put(captured, cell);
    };
    if (undo.captured != kNoPiece) give_back(undo.captured, move.to());
    Put(undo.moved, move.from());
    if (undo.displaced != kNoPiece) give_back(undo.displaced, undo.halfway);
  }
  key_ = undo.key;
  no_progress_ = undo.no_progress;
}

bool operator==(const Position& a, const Position& b) {
  return a.rules_ == b.rules_ && a.side_to_move_ == b.side_to_move_ && a.board_ == b.board_ &&
         a.hands_ == b.hands_ && a.no_progress_ == b.no_progress_ &&
         a.move_number_ == b.move_number_ && a.key_ == b.key_;
}

}  // namespace crossriver
