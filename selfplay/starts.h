// Where games of self-play begin.
#ifndef CROSSRIVER_SELFPLAY_STARTS_H_
#define CROSSRIVER_SELFPLAY_STARTS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "core/mutex.h"
#include "core/position.h"
#include "core/rules.h"
#include "core/square_set.h"
#include "mcts/random.h"
#include "selfplay/record.h"
#include "selfplay/selfplay_options.h"

namespace crossriver {

// Positions of finished games for others to begin from, of each variant by itself. Bounded: new
// ones take the places of the oldest. Thread-safe. Where games must be the same on any number of
// threads, they are only added while no game begins, in an order that does not depend on the
// threads.
class StartPool {
 public:
  // `capacity` > 0, of each variant.
  explicit StartPool(size_t capacity) : capacity_(capacity) {}

  // Takes two positions of the game: the one whose search surprised most, and any. Which one
  // follows from the game's seed. Nothing is taken of games of other rules and of those without a
  // search; the moves are believed up to the first illegal one.
  void Add(const Rules& rules, const GameRecord& record);

  // A position as FEN; nullopt where there is none. `surprising`: the most surprising of several.
  std::optional<std::string> Draw(const Rules& rules, bool surprising, RandomStream* random) const;

  // Of all variants.
  size_t size() const;

 private:
  struct Entry {
    std::string fen;
    float surprise = 0;
  };

  struct Ring {
    std::vector<Entry> entries;
    size_t oldest = 0;  // where there is no more room
  };

  void Insert(Entry entry, Ring* ring) const;

  const size_t capacity_;
  mutable Mutex mutex_;
  std::map<uint64_t, Ring> rings_ ABSL_GUARDED_BY(mutex_);  // by the hash of the rules
};

// A position in which the game is not over, and how it was made.
struct Start {
  StartKind kind = StartKind::kArray;
  Position position;
};

// Makes start positions. Thread-safe: everything random comes from the caller's stream.
class StartMaker {
 public:
  // `rules`, `pool` and `openings` must outlive it; the latter two may be null. `options` must be
  // valid.
  StartMaker(const Rules* rules, const SelfPlayOptions& options, const StartPool* pool,
             const std::vector<Position>* openings = nullptr);

  const Rules& rules() const { return *rules_; }
  const Position& array() const { return array_; }

  // A kind by the options' shares.
  StartKind DrawKind(RandomStream* random) const;

  // A start of the kind: kArray, kRandomPlies, kRestart, kArmy or kOpening. The array where there
  // is none, as from an empty pool. (Starts by the network's policy need evaluations: see game.h.)
  Start Make(StartKind kind, RandomStream* random) const;

 private:
  Position AfterRandomPlies(RandomStream* random) const;
  std::optional<Position> Restart(RandomStream* random) const;
  std::optional<Position> Opening(RandomStream* random) const;
  std::optional<Position> RandomArmy(RandomStream* random) const;
  Position ThinnedArmy(RandomStream* random) const;

  const Rules* rules_;
  const SelfPlayOptions options_;
  const StartPool* pool_;
  const std::vector<Position>* openings_;
  const Position array_;
  const std::vector<SquareSet> reach_;  // by piece code: the cells it may come to in play
};

// The position as a start: without a past, so that no limit of an earlier game counts, and as its
// FEN gives it, which is how a record is read. nullopt where the rules do not accept it or the game
// would be over.
std::optional<Position> AsStart(const Position& position);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_STARTS_H_
