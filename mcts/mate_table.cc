#include "mcts/mate_table.h"

namespace crossriver {

MateTable::MateTable(size_t bytes)
    : sets_(std::max<size_t>(1, bytes / sizeof(Entry) / kWays)), entries_(sets_ * kWays) {}

const MateTable::Entry* MateTable::Lookup(uint64_t key) const {
  const Entry* const set = &entries_[SetOf(key)];
  for (size_t i = 0; i < kWays; ++i) {
    if (set[i].key == key) return &set[i];
  }
  return nullptr;
}

MateTable::Entry* MateTable::Claim(uint64_t key) {
  Entry* const set = &entries_[SetOf(key)];
  // Solved positions are worth more, and among each those with more plies left, which took longer.
  const auto worth = [](const Entry& entry) {
    const bool solved = entry.proven != kNever || entry.disproven >= 0;
    return (solved ? 1000 : 0) + std::max(entry.plies, entry.disproven);
  };
  Entry* least = set;
  for (size_t i = 0; i < kWays; ++i) {
    if (set[i].key == key) return &set[i];
    if (worth(set[i]) < worth(*least)) least = &set[i];
  }
  *least = Entry();
  least->key = key;
  return least;
}

MateTable::Numbers MateTable::Find(uint64_t key, int plies, Numbers otherwise) const {
  const Entry* const entry = Lookup(key);
  if (entry == nullptr) return otherwise;
  if (entry->proven <= plies) return kProven;
  if (entry->disproven >= plies) return kDisproven;
  return entry->plies == plies ? entry->numbers : otherwise;
}

void MateTable::Store(uint64_t key, int plies, Numbers numbers) {
  Entry* const entry = Claim(key);
  const auto short_plies = static_cast<int16_t>(plies);
  if (numbers.proven()) {
    entry->proven = std::min(entry->proven, short_plies);
  } else if (numbers.disproven()) {
    entry->disproven = std::max(entry->disproven, short_plies);
  } else {
    entry->plies = short_plies;
    entry->numbers = numbers;
  }
}

void MateTable::Clear() { std::fill(entries_.begin(), entries_.end(), Entry()); }

}  // namespace crossriver
