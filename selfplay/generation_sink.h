// Where the games of the present generation gather.
#ifndef CROSSRIVER_SELFPLAY_GENERATION_SINK_H_
#define CROSSRIVER_SELFPLAY_GENERATION_SINK_H_

#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/mutex.h"
#include "selfplay/seams.h"

namespace crossriver {

// Hands games on to the run's store, and keeps them for the replay window. Thread-safe.
class GenerationSink : public GameSink {
 public:
  // Not owned.
  explicit GenerationSink(GameSink* store) : store_(store) {}

  absl::Status Put(const GameRecord& record) override {
    if (absl::Status status = store_->Put(record); !status.ok()) return status;
    // As a resumed run will read it: rounded.
    absl::StatusOr<GameRecord> rounded = DecodeRecord(EncodeRecord(record));
    if (!rounded.ok()) return rounded.status();
    Keep(*std::move(rounded));
    return absl::OkStatus();
  }
  // A game that is stored already.
  void Keep(GameRecord record) {
    MutexLock lock(&mutex_);
    games_.push_back(std::move(record));
  }
  // Of all games that are here, together.
  int64_t plies() const {
    MutexLock lock(&mutex_);
    int64_t plies = 0;
    for (const GameRecord& game : games_) plies += static_cast<int64_t>(game.moves.size());
    return plies;
  }
  int64_t games() const {
    MutexLock lock(&mutex_);
    return static_cast<int64_t>(games_.size());
  }
  std::vector<GameRecord> Take() {
    MutexLock lock(&mutex_);
    return std::exchange(games_, {});
  }

 private:
  GameSink* const store_;
  mutable Mutex mutex_;
  std::vector<GameRecord> games_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_GENERATION_SINK_H_
