// The numbers of a run's games, within one process.
#ifndef CROSSRIVER_SELFPLAY_GAME_IDS_H_
#define CROSSRIVER_SELFPLAY_GAME_IDS_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "core/mutex.h"
#include "selfplay/seams.h"

namespace crossriver {

// The seed of a run's game.
uint64_t GameSeed(uint64_t run_seed, uint64_t game);

// Hands out numbers of games in rising order: first those in `gaps`, which were begun and lost in
// an earlier process, then `first`, `first` + 1, …
class LocalGameIds : public GameIdSource {
 public:
  LocalGameIds(uint64_t run_seed, uint64_t first, std::vector<uint64_t> gaps);

  // Hands out just so many more games, played with this checkpoint throughout (kNoCheckpoint: with
  // the newest). Deterministic runs open one generation after the other, each when all games of the
  // one before are stored. Not called: as many as are asked for, with the newest network.
  void OpenNext(int64_t games, int64_t checkpoint);

  absl::StatusOr<std::optional<GameTicket>> Next() override;

 private:
  const uint64_t run_seed_;
  Mutex mutex_;
  std::vector<uint64_t> gaps_ ABSL_GUARDED_BY(mutex_);  // falling
  uint64_t next_ ABSL_GUARDED_BY(mutex_);
  int64_t left_ ABSL_GUARDED_BY(mutex_) = std::numeric_limits<int64_t>::max();
  int64_t checkpoint_ ABSL_GUARDED_BY(mutex_) = kNoCheckpoint;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_GAME_IDS_H_
