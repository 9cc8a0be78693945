// Many games at a time, one call of the evaluator for all of them.
#ifndef CROSSRIVER_SELFPLAY_WORKER_H_
#define CROSSRIVER_SELFPLAY_WORKER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/eval_cache.h"
#include "core/evaluator.h"
#include "core/variant_group.h"
#include "selfplay/counters.h"
#include "selfplay/game.h"
#include "selfplay/seams.h"
#include "selfplay/selfplay_options.h"
#include "selfplay/starts.h"

namespace crossriver {

// What a worker plays for. Not owned; shared by all workers.
struct SelfPlaySeams {
  GameIdSource* ids = nullptr;
  GameSink* sink = nullptr;
  WeightSource* weights = nullptr;
  EvalCache* cache = nullptr;   // null: none. Not used in deterministic mode
  StartPool* starts = nullptr;  // null: no restarts. Not added to in deterministic mode
  // Given starts of the first variant; null: none.
  const std::vector<Position>* openings = nullptr;
};

// Plays SelfPlayOptions::games games side by side, each with one position out at a time.
//
// A newer network is taken between moves: games finish the move they are at with the old one and
// wait, so that batches shrink for a moment, and when all wait they go on with the new one. Games
// whose ticket names a checkpoint are played with it throughout; as a worker holds one network at a
// time, a ticket for another one waits until the games in play are over.
//
// One thread at a time; counters may be read by any.
class Worker {
 public:
  // `options` must be valid. Of several variants, a game is of number id % variants.size().
  Worker(VariantGroup variants, const SelfPlayOptions& options, const SelfPlaySeams& seams);

  // Brings every game to its next evaluation, evaluates all of them in one call, and delivers.
  // False: there was nothing to do, as there are no games to play for now. After an error all games
  // are as they were, and another step tries again.
  absl::StatusOr<bool> Step();

  const SelfPlayCounters& counters() const { return counters_; }

 private:
  struct Slot {
    std::unique_ptr<SelfPlayGame> game;  // null before the first
    size_t variant = 0;                  // which it can play
    bool playing = false;
    size_t counted_moves = 0;
  };

  absl::Status Gather();
  absl::Status BringToEvaluation(Slot* slot);
  absl::Status BeginNext(Slot* slot);
  void BeginGame(const GameTicket& ticket, Slot* slot);
  std::unique_ptr<SelfPlayGame> TakeIdle(size_t variant);
  absl::Status HandIn(Slot* slot);
  bool AnswerFromCache(Slot* slot);
  absl::Status EvaluateGathered();
  absl::Status LoadNetwork(int64_t checkpoint);
  void Deliver(Slot* slot, const Evaluation& evaluation);
  void CountMoves(Slot* slot);

  const VariantGroup variants_;
  const SelfPlayOptions options_;
  const SelfPlaySeams seams_;
  EvalCache* const cache_;
  std::vector<std::unique_ptr<const StartMaker>> starts_;  // by variant
  std::vector<Slot> slots_;
  // By variant: games that other slots may take, because theirs is of another one now.
  std::vector<std::vector<std::unique_ptr<SelfPlayGame>>> idle_;
  SelfPlayCounters counters_;

  std::unique_ptr<Evaluator> evaluator_;
  int64_t checkpoint_ = kNoCheckpoint;  // of the evaluator
  std::optional<GameTicket> ticket_;    // of the next game
  int playing_ = 0;                     // slots
  int64_t named_ = kNoCheckpoint;       // by the tickets of the games in play
  bool draining_ = false;               // games wait between moves, for a newer network
  bool no_tickets_ = false;             // for the rest of this step

  // Of the present step.
  bool worked_ = false;
  std::vector<Slot*> asking_;
  std::vector<EvaluationRequest> requests_;
  std::vector<Evaluation> results_;
  Evaluation cached_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_WORKER_H_
