// What a mate solver remembers.
#ifndef CROSSRIVER_MCTS_MATE_TABLE_H_
#define CROSSRIVER_MCTS_MATE_TABLE_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace crossriver {

// A table of bounded size from positions to proof and disproof numbers. Not synchronised.
class MateTable {
 public:
  static constexpr uint32_t kInfinity = 1U << 30;

  // How many leaves at least must be won to prove a win (must not be, to disprove it).
  struct Numbers {
    uint32_t proof = 1;
    uint32_t disproof = 1;

    bool proven() const { return proof == 0; }
    bool disproven() const { return disproof == 0; }
    bool solved() const { return proven() || disproven(); }
  };
  static constexpr Numbers kProven = {0, kInfinity};
  static constexpr Numbers kDisproven = {kInfinity, 0};

  explicit MateTable(size_t bytes);

  // What is known of a win within `plies`; `otherwise` where nothing is. A win in fewer plies is a
  // win; no win in more plies is none.
  Numbers Find(uint64_t key, int plies, Numbers otherwise) const;
  void Store(uint64_t key, int plies, Numbers numbers);
  void Clear();

 private:
  struct Entry {
    uint64_t key = 0;
    int16_t proven = kNever;  // a win in so many plies
    int16_t disproven = -1;   // none in so many
    int16_t plies = -1;       // that `numbers` belong to
    uint16_t unused = 0;
    Numbers numbers;
  };
  static constexpr int16_t kNever = std::numeric_limits<int16_t>::max();
  static constexpr size_t kWays = 4;

  const Entry* Lookup(uint64_t key) const;
  // The key's entry, or the one of its set that is worth least, emptied.
  Entry* Claim(uint64_t key);
  size_t SetOf(uint64_t key) const { return key % sets_ * kWays; }

  size_t sets_;
  std::vector<Entry> entries_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_MCTS_MATE_TABLE_H_
