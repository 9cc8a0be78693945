// What an alpha-beta search remembers of positions.
#ifndef CROSSRIVER_SELFPLAY_PLAYERS_ALPHABETA_TABLE_H_
#define CROSSRIVER_SELFPLAY_PLAYERS_ALPHABETA_TABLE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/types.h"

namespace crossriver {

enum class BoundKind : uint8_t {
  kNone,   // only the move is known
  kLower,  // the score is at least this
  kUpper,  // at most
  kExact,
};

// A transposition table of bounded size (Greenblatt 1967), in sets of four entries as long as a
// cache line. A set that is full gives up the entry of the oldest search, and of those the
// shallowest. Not synchronised.
class AlphaBetaTable {
 public:
  struct Entry {
    uint64_t key = 0;
    int16_t score = 0;
    uint16_t move = 0;  // Move::raw
    int8_t depth = 0;
    BoundKind bound = BoundKind::kNone;
    uint8_t generation = 0;
    bool used = false;

    Move best() const { return Move::FromRaw(move); }
  };

  // At most so many bytes; 0 for a table that remembers nothing.
  explicit AlphaBetaTable(size_t bytes);

  void Clear();
  // A new search begins: what is there from earlier ones gives way to its entries.
  void NextGeneration() { ++generation_; }

  // The position's entry, or null. It is valid until the next Store.
  const Entry* Find(uint64_t key) const;
  // With kNone the move alone is replaced in an entry that has a bound.
  void Store(uint64_t key, Move best, int score, int depth, BoundKind bound);

 private:
  static constexpr size_t kWays = 4;
  struct alignas(64) Set {
    std::array<Entry, kWays> ways;
  };

  Set& SetOf(uint64_t key) { return sets_[key & mask_]; }
  // Whether `a` is to go before `b`.
  bool IsWorthLess(const Entry& a, const Entry& b) const;

  std::vector<Set> sets_;  // a power of two, or none
  uint64_t mask_ = 0;
  uint8_t generation_ = 0;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_PLAYERS_ALPHABETA_TABLE_H_
