// The small value types of the rules core.
#ifndef CROSSRIVER_CORE_TYPES_H_
#define CROSSRIVER_CORE_TYPES_H_

#include <compare>
#include <cstdint>

namespace crossriver {

// The first player (uppercase, moves toward higher ranks) and the second.
enum class Side : uint8_t { kFirst = 0, kSecond = 1 };

inline constexpr int kNumSides = 2;
inline constexpr Side kSides[kNumSides] = {Side::kFirst, Side::kSecond};

constexpr Side Other(Side side) { return side == Side::kFirst ? Side::kSecond : Side::kFirst; }
constexpr int Index(Side side) { return static_cast<int>(side); }

// A cell of the board, 0 .. num_cells-1. Index = (rank * levels + level) * files + file, so a
// larger rank is a larger index and a whole rank is contiguous, folded board or not.
using Cell = int;
inline constexpr Cell kNoCell = -1;
inline constexpr int kMaxCells = 128;

// A piece kind of a compiled variant: the definition's pieces, then their pending forms.
using Kind = int;
inline constexpr Kind kNoKind = -1;
inline constexpr int kMaxKinds = 40;

// A kind and the side that owns it, packed: 2 * kind + side.
using Piece = uint8_t;
inline constexpr Piece kNoPiece = 0xFF;

constexpr Piece MakePiece(Kind kind, Side side) {
  return static_cast<Piece>(2 * kind + Index(side));
}
constexpr Kind KindOf(Piece piece) { return piece >> 1; }
constexpr Side SideOf(Piece piece) { return static_cast<Side>(piece & 1); }

// A move in 16 bits: to (7), from or dropped kind (7), drop flag, promotion flag. What is captured,
// displaced or promoted into follows from the position. The default value is the null move.
class Move {
 public:
  constexpr Move() = default;

  static constexpr Move Board(Cell from, Cell to, bool promotes) {
    return Move(static_cast<uint16_t>(to | from << 7 | (promotes ? kPromotionBit : 0)));
  }
  // `kind` is the form in hand; where the position makes it pending, that is not part of the move.
  static constexpr Move Drop(Kind kind, Cell to) {
    return Move(static_cast<uint16_t>(to | kind << 7 | kDropBit));
  }
  static constexpr Move FromRaw(uint16_t raw) { return Move(raw); }

  constexpr Cell to() const { return bits_ & 127; }
  constexpr Cell from() const { return bits_ >> 7 & 127; }       // not for drops
  constexpr Kind drop_kind() const { return bits_ >> 7 & 127; }  // for drops
  constexpr bool is_drop() const { return (bits_ & kDropBit) != 0; }
  constexpr bool promotes() const { return (bits_ & kPromotionBit) != 0; }
  constexpr bool is_null() const { return bits_ == 0; }
  constexpr uint16_t raw() const { return bits_; }

  friend constexpr auto operator<=>(Move, Move) = default;

 private:
  static constexpr uint16_t kDropBit = 1 << 14;
  static constexpr uint16_t kPromotionBit = 1 << 15;

  constexpr explicit Move(uint16_t bits) : bits_(bits) {}

  uint16_t bits_ = 0;
};

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_TYPES_H_
