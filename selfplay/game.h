// One game of self-play.
#ifndef CROSSRIVER_SELFPLAY_GAME_H_
#define CROSSRIVER_SELFPLAY_GAME_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/evaluator.h"
#include "core/types.h"
#include "mcts/random.h"
#include "mcts/result.h"
#include "mcts/search.h"
#include "selfplay/record.h"
#include "selfplay/seams.h"
#include "selfplay/selfplay_options.h"
#include "selfplay/starts.h"

namespace crossriver {

// A machine that plays game after game and asks for evaluations, as Search does for one position:
//
//   game.Begin(ticket);
//   while (game.state() != SelfPlayGame::State::kOver) {
//     if (game.state() == SelfPlayGame::State::kBetweenMoves) {
//       game.BeginMove(checkpoint);
//     } else {
//       … evaluate game.request() …
//       game.Deliver(evaluation);
//     }
//   }
//   sink->Put(game.record());
//
// Equal tickets, checkpoints and evaluations make equal records, whatever was played before. The
// search and its memory are used again from game to game. Not synchronised.
class SelfPlayGame {
 public:
  enum class State : uint8_t {
    kBetweenMoves,  // until BeginMove; the one place where the network may change
    kEvaluate,      // until Deliver
    kOver,          // until Begin
  };

  // Both must outlive the game; `options` must be valid.
  SelfPlayGame(const StartMaker* starts, const SelfPlayOptions* options);
  ~SelfPlayGame();
  SelfPlayGame(const SelfPlayGame&) = delete;
  SelfPlayGame& operator=(const SelfPlayGame&) = delete;

  State state() const { return state_; }
  const Rules& rules() const { return starts_.rules(); }

  // Begins a game. The one before must be over, or is lost.
  void Begin(const GameTicket& ticket);

  // Goes on to the next move, with evaluations of the checkpoint's network.
  void BeginMove(int64_t checkpoint);

  // The position to be evaluated; valid until Deliver.
  EvaluationRequest request() const;
  void Deliver(const Evaluation& evaluation);

  // Of the present game; complete when it is over.
  const GameRecord& record() const { return record_; }

 private:
  // What an evaluation is asked for.
  enum class Asking : uint8_t {
    kStart,   // a ply of a start by the network's policy
    kForced,  // the one legal move: what the position is worth
    kSearch,
  };

  void BeginFrom(const Start& start);
  void EnterPosition();
  bool TryFinish();
  void End(Result for_mover);

  void DeliverStart(const Evaluation& evaluation);
  void EndPolicyStart();
  void DeliverForced(const Evaluation& evaluation);

  void BeginSearch();
  void Walk();
  void EndSearch();
  bool ResignsAt(const SearchResult& result);
  Move Choose(const SearchResult& result);
  void Play(RecordedMove move);

  int ply() const { return static_cast<int>(record_.moves.size()); }
  Side mover() const { return search_.root_position().side_to_move(); }

  const StartMaker& starts_;
  const SelfPlayOptions& options_;
  Search search_;  // its root is the game's present position
  Leaf* leaf_;

  State state_ = State::kOver;
  Asking asking_ = Asking::kSearch;
  RandomStream random_{0};
  GameRecord record_;
  int64_t checkpoint_ = kNoCheckpoint;
  int start_plies_ = 0;                         // still to come of a start by policy
  std::vector<Move> legal_;                     // of the present position
  bool full_ = false;                           // the present search
  bool plays_out_ = false;                      // instead of resigning
  std::array<int, kNumSides> low_scores_ = {};  // on end
};

// The policy target of a finished search, one share for each of its moves. Where the root is proven
// to win, only moves that are proven to win have one.
std::vector<float> PolicyTarget(const SearchResult& result);

// Kullback-Leibler divergence of the target from the evaluator's prior, in nats.
float Surprise(const SearchResult& result, std::span<const float> target);

// Of a game that was played out instead of resigned: whether the side that would have resigned did
// not lose. nullopt of other games, and of those without a result.
std::optional<bool> FalseResignation(const GameRecord& record);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_GAME_H_
