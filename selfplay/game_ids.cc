#include "selfplay/game_ids.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/fingerprint.h"

namespace crossriver {

uint64_t GameSeed(uint64_t run_seed, uint64_t game) {
  return KeySequence(KeySequence(run_seed).Next() ^ KeySequence(~game).Next()).Next();
}

LocalGameIds::LocalGameIds(uint64_t run_seed, uint64_t first, std::vector<uint64_t> gaps)
    : run_seed_(run_seed), gaps_(std::move(gaps)), next_(first) {
  MutexLock lock(&mutex_);
  std::sort(gaps_.begin(), gaps_.end(), std::greater<>());
}

void LocalGameIds::OpenNext(int64_t games, int64_t checkpoint) {
  MutexLock lock(&mutex_);
  left_ = games;
  checkpoint_ = checkpoint;
}

absl::StatusOr<std::optional<GameTicket>> LocalGameIds::Next() {
  MutexLock lock(&mutex_);
  if (left_ <= 0) return std::nullopt;
  --left_;
  const uint64_t id = gaps_.empty() ? next_ : gaps_.back();
  if (gaps_.empty()) {
    ++next_;
  } else {
    gaps_.pop_back();
  }
  return GameTicket{id, GameSeed(run_seed_, id), checkpoint_};
}

}  // namespace crossriver
