// Who plays against the person at the page: checkpoints of the run, the network that comes with the
// program, and players without networks.
#ifndef CROSSRIVER_TOOLS_SERVE_OPPONENTS_H_
#define CROSSRIVER_TOOLS_SERVE_OPPONENTS_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "core/mutex.h"
#include "core/rules.h"
#include "selfplay/players/player.h"
#include "tools/play_game.h"
#include "tools/serve/run_view.h"

namespace crossriver {

// One who is asked for a move. Kinds are a closed list, because among the players that a line of
// text can name are other programs, which no request may start.
struct OpponentChoice {
  std::string kind = "alphabeta";  // "net", "shipped", "alphabeta", "mcts" or "random"
  int64_t checkpoint = 0;          // of "net"
  int64_t strength = 0;            // visits, or nodes; not of "random"
};

struct OpponentLimits {
  int64_t most_visits = 20'000;
  int64_t most_nodes = 2'000'000;
  std::chrono::milliseconds move_time = std::chrono::seconds(60);
  // One move is thought about at a time. Of those that ask meanwhile, so many wait; the rest are
  // told to come again.
  int waiting = 6;
  // Players kept: networks take memory, and time to load.
  size_t players = 4;
};

// Thread-safe.
class Opponents {
 public:
  // `run` may be null, and outlives it. `device`: of networks.
  Opponents(const RunView* run, std::string device, const OpponentLimits& limits)
      : run_(run), device_(std::move(device)), limits_(limits) {}

  // The move of the side to move in a game that is not over. Errors: InvalidArgument for a choice
  // that can't be, naming what was expected; NotFound for a network there is not; Unavailable
  // while too many ask, or when it takes too long; whatever opening a player says.
  absl::StatusOr<Choice> Ask(const std::shared_ptr<const Rules>& rules, const PlayedGame& game,
                             const OpponentChoice& who, uint64_t seed);
  // Ends what is being thought about, and all later questions.
  void Stop();

 private:
  struct Kept {
    std::string name;
    std::shared_ptr<const Rules> rules;
    std::unique_ptr<Player> player;
  };

  absl::StatusOr<std::string> SpecOf(const OpponentChoice& who, const Rules& rules) const;
  absl::StatusOr<std::string> NetworkSpecOf(const OpponentChoice& who, const Rules& rules) const;
  absl::StatusOr<Player*> Find(const std::shared_ptr<const Rules>& rules, const std::string& spec);
  absl::StatusOr<Choice> Think(const std::shared_ptr<const Rules>& rules, const PlayedGame& game,
                               const std::string& spec, uint64_t seed);
  // Waits for its turn.
  absl::Status Enter();
  void Leave();

  const RunView* const run_;
  const std::string device_;
  const OpponentLimits limits_;
  std::atomic<bool> stopped_ = false;
  Mutex mutex_;
  CondVar turn_;
  bool thinking_ ABSL_GUARDED_BY(mutex_) = false;
  int waiting_ ABSL_GUARDED_BY(mutex_) = 0;
  std::list<Kept> kept_;  // of whoever thinks; the last used first
};

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_SERVE_OPPONENTS_H_
