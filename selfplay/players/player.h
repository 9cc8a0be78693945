// Whoever plays: a network with a search, a baseline, another program.
#ifndef CROSSRIVER_SELFPLAY_PLAYERS_PLAYER_H_
#define CROSSRIVER_SELFPLAY_PLAYERS_PLAYER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/check.h"
#include "core/evaluator.h"
#include "core/history.h"
#include "core/position.h"
#include "core/types.h"

namespace crossriver {

// A position in which somebody has to move, and how the game came to it. The game is not over.
// Everything it points to outlives the turn.
struct Turn {
  const Position* start = nullptr;  // of the game; may be any position
  std::span<const Move> moves;      // played since
  const Position* position = nullptr;
  const History* history = nullptr;  // from `start`; `position` is its last
  std::span<const Move> legal;       // all legal moves, at least one
};

// A move, and what the player thinks of the position.
struct Choice {
  Move move;
  std::optional<Wdl> wdl;  // the mover's view
  int64_t visits = 0;      // or nodes; 0 = not known
};

// One side of one game, as a machine that is never kept waiting for an evaluation: whoever runs
// many games gathers the requests of all of them into one call.
//
//   seat->NewGame(seed);
//   seat->Begin(turn);
//   for (;;) {
//     absl::StatusOr<SeatState> state = seat->Advance();
//     if (!state.ok()) …       // this side has lost the game
//     if (*state == SeatState::kChosen) break;
//     … evaluate seat->request() by the player's evaluator() …
//     seat->Deliver(evaluation);
//   }
//   Choice choice = seat->choice();
//
// One thread at a time. A seat serves one game after the other.
enum class SeatState : uint8_t {
  kAsking,  // for an evaluation: see request()
  kChosen,  // see choice()
};

class Seat {
 public:
  virtual ~Seat() = default;

  // A new game begins. Everything random in it follows from `seed`. An error, also of the other
  // functions that return one, is the seat's own fault (a program that can't be started, that has
  // crashed, or answers nonsense) and costs it the game; the seat can be used for the next one.
  virtual absl::Status NewGame(uint64_t seed) = 0;
  // It is this seat's turn. `turn` stays valid until the move is chosen. The rules are always those
  // the player was made for.
  virtual absl::Status Begin(const Turn& turn) = 0;
  // Goes on to the next evaluation or to the choice. The move chosen may be illegal: callers check.
  virtual absl::StatusOr<SeatState> Advance() = 0;
  virtual Choice choice() const = 0;

  // After kAsking: what to evaluate, then either of the two.
  virtual EvaluationRequest request() const {
    CR_CHECK(false);
    return {};
  }
  virtual void Deliver(const Evaluation& /*evaluation*/) { CR_CHECK(false); }
  // Ends the turn without a choice.
  virtual void Cancel() { CR_CHECK(false); }
};

// Makes seats. Thread-safe; outlives its seats.
class Player {
 public:
  virtual ~Player() = default;

  // The specification it was made from.
  virtual const std::string& name() const = 0;
  // Of what it plays with, such as a network's weights; 0: its name says all.
  virtual uint64_t identity() const { return 0; }
  virtual std::unique_ptr<Seat> NewSeat() = 0;
  // Answers the requests of all its seats; null where they never ask. May be called by several
  // threads at once, and is fastest with batches of `batch()` positions.
  virtual Evaluator* evaluator() { return nullptr; }
  virtual int batch() const { return 1; }
};

// A seat that chooses at once.
class SimpleSeat : public Seat {
 public:
  absl::Status NewGame(uint64_t /*seed*/) override { return absl::OkStatus(); }
  absl::Status Begin(const Turn& turn) final {
    turn_ = turn;
    return absl::OkStatus();
  }
  absl::StatusOr<SeatState> Advance() final {
    absl::StatusOr<Choice> choice = Choose(turn_);
    if (!choice.ok()) return choice.status();
    choice_ = *choice;
    return SeatState::kChosen;
  }
  Choice choice() const final { return choice_; }

 protected:
  virtual absl::StatusOr<Choice> Choose(const Turn& turn) = 0;

 private:
  Turn turn_;
  Choice choice_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_PLAYERS_PLAYER_H_
