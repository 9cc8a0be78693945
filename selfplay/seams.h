// Where self-play meets the rest of a run. Each can be served by one process or by many machines.
// All member functions may be called by several threads at once.
#ifndef CROSSRIVER_SELFPLAY_SEAMS_H_
#define CROSSRIVER_SELFPLAY_SEAMS_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/evaluator.h"
#include "selfplay/record.h"

namespace crossriver {

// Takes finished games. A sink may see a game more than once, and keeps it once, by its id.
class GameSink {
 public:
  virtual ~GameSink() = default;
  virtual absl::Status Put(const GameRecord& record) = 0;
};

// A game to be played.
struct GameTicket {
  uint64_t id = 0;    // of several variants that are played, it decides which
  uint64_t seed = 0;  // everything random in the game follows from it
  // The network to play it with throughout; kNoCheckpoint: always the newest, between moves.
  int64_t checkpoint = kNoCheckpoint;
};

class GameIdSource {
 public:
  virtual ~GameIdSource() = default;
  // The next game to begin; nullopt where there is none for now (ask again later).
  virtual absl::StatusOr<std::optional<GameTicket>> Next() = 0;
};

class WeightSource {
 public:
  virtual ~WeightSource() = default;
  // The newest network's checkpoint; cheap enough to ask before every batch.
  virtual int64_t latest() const = 0;
  // An evaluator of that network for the calling thread, which alone uses it.
  virtual absl::StatusOr<std::unique_ptr<Evaluator>> NewEvaluator(int64_t checkpoint) = 0;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_SEAMS_H_
