// One game between two players.
#ifndef CROSSRIVER_SELFPLAY_MATCH_GAME_H_
#define CROSSRIVER_SELFPLAY_MATCH_GAME_H_

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "core/adjudicator.h"
#include "core/evaluator.h"
#include "core/history.h"
#include "core/position.h"
#include "core/rules.h"
#include "core/types.h"
#include "selfplay/match_openings.h"
#include "selfplay/players/player.h"
#include "selfplay/record.h"

namespace crossriver {

// What ends a game besides the rules and the players' faults.
struct MatchGameLimits {
  int max_plies = 600;  // with the opening; then the game is a draw
  // A side has lost when in the last `resign_moves` moves of each side the mover, whichever of the
  // two, gave this side an expected score below `resign_below`. 0 = games are played out.
  double resign_below = 0;
  int resign_moves = 3;
  // From ply `draw_after_ply` on a game is a draw when in the last `draw_moves` moves of each side
  // the mover saw an expected score no further from one half than `draw_within`. 0 = played out.
  double draw_within = 0;
  int draw_moves = 8;
  int draw_after_ply = 80;

  friend bool operator==(const MatchGameLimits&, const MatchGameLimits&) = default;
};

// Ends that are none of the rules' reasons, as MatchGameResult::end has them.
inline constexpr char kEndLimit[] = "limit";              // max_plies
inline constexpr char kEndResignation[] = "resignation";  // resign_below, or a player resigned
inline constexpr char kEndAgreedDraw[] = "agreed_draw";   // draw_within
inline constexpr char kEndForfeit[] = "forfeit";          // a player's fault, which costs the game

// One side of the match is "A", player 0, the other "B", player 1. Games come in pairs with one
// opening: in half 0 A has the first player's side, in half 1 B.
struct MatchGameResult {
  int64_t pair = 0;  // from 0
  int half = 0;
  Result result = Result::kNone;  // A's: a win, a loss or a draw
  std::string end;                // "checkmate", … as of ToString(Reason), or one of those above
  std::string fault;              // what the loser of a forfeited game did
  int plies = 0;                  // with the opening's
  int opening_plies = 0;

  friend bool operator==(const MatchGameResult&, const MatchGameResult&) = default;
};

// A game that is over. The record begins at the opening's start, with the opening's moves among its
// own; `root` and `visits` of a move are what its player said. A game that a limit or an agreed
// draw has ended is truncated there, a forfeited one resigned.
struct MatchGameRecord {
  MatchGameResult result;
  GameRecord record;
};

// Whether the game began with this opening.
bool HasOpening(const MatchGameRecord& game, const MatchOpening& opening);

// A game to be played.
struct MatchTicket {
  int64_t pair = 0;
  int half = 0;
  uint64_t seed = 0;  // all that is random in the game follows from it
  MatchOpening opening;
};

// Plays one game after the other with the same two seats:
//
//   game.Begin(ticket);
//   for (;;) {
//     const MatchGame::State state = game.Advance();
//     if (state == MatchGame::State::kOver) break;
//     if (state == MatchGame::State::kMoved) continue;
//     … evaluate game.request() by the evaluator of player game.mover() …
//     game.Deliver(evaluation);
//   }
//   MatchGameRecord finished = game.Take();
//
// A player that returns an error or chooses an illegal move loses the game; the error Aborted means
// that it resigns. One thread at a time.
class MatchGame {
 public:
  enum class State : uint8_t {
    kAsking,  // for an evaluation: until Deliver or Cancel
    kMoved,   // a move was made without asking; which may have taken a while
    kOver,    // until Begin
  };

  // All must outlive the game.
  MatchGame(const Rules* rules, const MatchGameLimits* limits, std::array<Player*, 2> players);

  // The game before must be over, or dropped.
  void Begin(const MatchTicket& ticket);
  State Advance();

  // While asking: the player whose evaluator is asked, and what.
  size_t mover() const { return PlayerOf(position_.side_to_move()); }
  EvaluationRequest request() const { return seats_[mover()]->request(); }
  void Deliver(const Evaluation& evaluation);
  bool is_asking() const { return asking_; }

  // Drops the game, wherever it is.
  void Cancel();

  // When it is over.
  MatchGameRecord Take();

 private:
  // For how many plies on end the movers have agreed.
  struct Agreement {
    std::array<int, kNumSides> lost = {};  // that this side loses
    int drawn = 0;
  };

  size_t PlayerOf(Side side) const { return (side == Side::kFirst) == (half_ == 0) ? 0 : 1; }
  // Whether the game goes on; otherwise it is over.
  bool BeginTurn();
  bool EndTurn();
  bool EndsByAgreement();
  void CountOpinion(const Choice& choice);
  void Play(Move move);
  // `result`: the first player's.
  void End(Result result, absl::string_view end);
  void GiveUp(Side loser, const absl::Status& status);
  void Forfeit(Side loser, absl::string_view fault);

  const Rules& rules_;
  const MatchGameLimits& limits_;
  const std::array<std::unique_ptr<Seat>, 2> seats_;

  bool over_ = true;
  bool in_turn_ = false;  // a seat has begun one
  bool asking_ = false;   // and waits for an evaluation
  int64_t pair_ = 0;
  int half_ = 0;
  int opening_plies_ = 0;
  Position start_;
  Position position_;
  History history_;
  std::vector<Move> moves_;
  std::vector<Move> legal_;
  Agreement agreement_;
  GameRecord record_;
  MatchGameResult result_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_MATCH_GAME_H_
