// A set of cells in 128 bits.
#ifndef CROSSRIVER_CORE_SQUARE_SET_H_
#define CROSSRIVER_CORE_SQUARE_SET_H_

#include <bit>
#include <cstdint>

#include "core/check.h"
#include "core/types.h"

namespace crossriver {

// Value type; iterates over its cells in increasing order:
//
//   for (Cell cell : position.pieces(Side::kFirst)) …
class SquareSet {
 public:
  class Iterator;

  constexpr SquareSet() = default;
  constexpr SquareSet(uint64_t low, uint64_t high) : low_(low), high_(high) {}

  static constexpr SquareSet Of(Cell cell) {
    const auto upper = static_cast<uint64_t>(cell) >> 6;
    return {(upper ^ 1) << (cell & 63), upper << (cell & 63)};
  }
  // The cells 0 .. count-1.
  static constexpr SquareSet FirstCells(int count) {
    if (count <= 0) return {};
    if (count <= 64) return {~uint64_t{0} >> (64 - count), 0};
    return {~uint64_t{0}, ~uint64_t{0} >> (128 - count)};
  }

  constexpr bool empty() const { return (low_ | high_) == 0; }
  constexpr int size() const { return std::popcount(low_) + std::popcount(high_); }
  constexpr bool Contains(Cell cell) const {
    return ((cell < 64 ? low_ : high_) >> (cell & 63) & 1) != 0;
  }
  constexpr bool Intersects(SquareSet other) const { return !(*this & other).empty(); }

  constexpr void Add(Cell cell) { *this |= Of(cell); }
  constexpr void Remove(Cell cell) { *this &= ~Of(cell); }

  // Of a set that is not empty.
  constexpr Cell First() const {
    return low_ != 0 ? std::countr_zero(low_) : 64 + std::countr_zero(high_);
  }
  constexpr Cell Last() const {
    return high_ != 0 ? 127 - std::countl_zero(high_) : 63 - std::countl_zero(low_);
  }
  constexpr Cell PopFirst() {
    const Cell cell = First();
    if (low_ != 0) {
      low_ &= low_ - 1;
    } else {
      high_ &= high_ - 1;
    }
    return cell;
  }

  constexpr SquareSet operator~() const { return {~low_, ~high_}; }
  constexpr SquareSet& operator&=(SquareSet o) { return *this = *this & o; }
  constexpr SquareSet& operator|=(SquareSet o) { return *this = *this | o; }
  constexpr SquareSet& operator^=(SquareSet o) { return *this = *this ^ o; }
  friend constexpr SquareSet operator&(SquareSet a, SquareSet b) {
    return {a.low_ & b.low_, a.high_ & b.high_};
  }
  friend constexpr SquareSet operator|(SquareSet a, SquareSet b) {
    return {a.low_ | b.low_, a.high_ | b.high_};
  }
  friend constexpr SquareSet operator^(SquareSet a, SquareSet b) {
    return {a.low_ ^ b.low_, a.high_ ^ b.high_};
  }
  friend constexpr SquareSet operator-(SquareSet a, SquareSet b) { return a & ~b; }
  friend constexpr bool operator==(SquareSet, SquareSet) = default;
  // An arbitrary order, for sorting.
  friend constexpr bool operator<(SquareSet a, SquareSet b) {
    return a.high_ != b.high_ ? a.high_ < b.high_ : a.low_ < b.low_;
  }

  constexpr uint64_t low() const { return low_; }
  constexpr uint64_t high() const { return high_; }

  constexpr Iterator begin() const;
  constexpr Iterator end() const;

 private:
  uint64_t low_ = 0;
  uint64_t high_ = 0;
};

class SquareSet::Iterator {
 public:
  constexpr explicit Iterator(SquareSet rest) : rest_(rest) {}
  constexpr Cell operator*() const { return rest_.First(); }
  constexpr Iterator& operator++() {
    rest_.PopFirst();
    return *this;
  }
  friend constexpr bool operator==(Iterator, Iterator) = default;

 private:
  SquareSet rest_;
};

constexpr SquareSet::Iterator SquareSet::begin() const { return Iterator(*this); }
constexpr SquareSet::Iterator SquareSet::end() const { return Iterator(SquareSet()); }

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_SQUARE_SET_H_
