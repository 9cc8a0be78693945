#include "selfplay/players/alphabeta_table.h"

#include <algorithm>
#include <bit>

namespace crossriver {

AlphaBetaTable::AlphaBetaTable(size_t bytes) {
  const size_t sets = bytes / sizeof(Set);
  if (sets > 0) {
    sets_.resize(std::bit_floor(sets));
    mask_ = sets_.size() - 1;
  }
}

void AlphaBetaTable::Clear() {
  std::fill(sets_.begin(), sets_.end(), Set());
  generation_ = 0;
}

const AlphaBetaTable::Entry* AlphaBetaTable::Find(uint64_t key) const {
  if (sets_.empty()) return nullptr;
  for (const Entry& entry : sets_[key & mask_].ways) {
    if (entry.used && entry.key == key) return &entry;
  }
  return nullptr;
}

bool AlphaBetaTable::IsWorthLess(const Entry& a, const Entry& b) const {
  if (a.used != b.used) return !a.used;
  const auto age = [this](const Entry& e) {
    return static_cast<uint8_t>(generation_ - e.generation);
  };
  if (age(a) != age(b)) return age(a) > age(b);
  return a.depth < b.depth;
}

void AlphaBetaTable::Store(uint64_t key, Move best, int score, int depth, BoundKind bound) {
  if (sets_.empty()) return;
  Entry* place = nullptr;
  for (Entry& entry : SetOf(key).ways) {
    if (entry.used && entry.key == key) {
      place = &entry;
      break;
    }
    if (place == nullptr || IsWorthLess(entry, *place)) place = &entry;
  }
  const bool known = place->used && place->key == key;
  if (known && best.is_null()) best = place->best();
  if (known && bound == BoundKind::kNone && place->bound != BoundKind::kNone) {
    place->move = best.raw();
    return;
  }
  *place = {
      key, static_cast<int16_t>(score), best.raw(), static_cast<int8_t>(depth), bound, generation_,
      true};
}

}  // namespace crossriver
