// A game that a person plays: moves, what is legal, how it ended.
#ifndef CROSSRIVER_TOOLS_PLAY_GAME_H_
#define CROSSRIVER_TOOLS_PLAY_GAME_H_

#include <memory>
#include <optional>
#include <vector>

#include "core/adjudicator.h"
#include "core/history.h"
#include "core/position.h"
#include "core/types.h"
#include "selfplay/players/player.h"
#include "selfplay/record.h"

namespace crossriver {

// Not synchronised. The rules of the start must outlive it.
class PlayedGame {
 public:
  explicit PlayedGame(const Position& start);

  const Rules& rules() const { return start_.rules(); }
  const Position& position() const { return position_; }
  const std::vector<Move>& moves() const { return moves_; }
  const std::vector<Move>& legal() const { return legal_; }
  Side mover() const { return position_.side_to_move(); }
  bool in_check() const { return history_.in_check(); }
  int plies() const { return history_.plies(); }

  // By the rules, or because somebody gave up.
  bool is_over() const { return outcome_.is_over() || given_up_.has_value(); }
  // For the side to move; kNone while the game goes on and where somebody gave up.
  const Outcome& outcome() const { return outcome_; }
  std::optional<Side> given_up() const { return given_up_; }

  // Plays one of legal(). The game must not be over.
  void Play(Move move);
  // Takes the last move back; false at the start. Nobody may have given up.
  bool TakeBack();
  // `side` loses. The game must not be over.
  void GiveUp(Side side) { given_up_ = side; }
  // As if nobody had given up.
  void GoOn() { given_up_.reset(); }

  // What the player to move is asked. Valid until the game changes.
  Turn AsTurn() const { return {&start_, moves_, &position_, &history_, legal_}; }
  // The game as it stands, of which nothing is known but the moves. One that goes on is truncated.
  GameRecord AsRecord() const;

 private:
  void Update();

  const Position start_;
  Position position_;
  History history_;
  std::vector<Move> moves_;
  std::vector<UndoRecord> undos_;
  std::vector<Move> legal_;
  Outcome outcome_;
  std::optional<Side> given_up_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_PLAY_GAME_H_
