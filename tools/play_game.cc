#include "tools/play_game.h"

#include <algorithm>

#include "core/check.h"
#include "core/movegen.h"
#include "core/notation.h"

namespace crossriver {

PlayedGame::PlayedGame(const Position& start) : start_(start), position_(start), history_(start) {
  Update();
}

void PlayedGame::Play(Move move) {
  CR_CHECK(!is_over() && std::find(legal_.begin(), legal_.end(), move) != legal_.end());
  moves_.push_back(move);
  undos_.push_back(position_.Do(move));
  history_.Push(position_, undos_.back());
  Update();
}

bool PlayedGame::TakeBack() {
  if (moves_.empty()) return false;
  CR_CHECK(!given_up_.has_value());
  history_.Pop();
  position_.Undo(moves_.back(), undos_.back());
  moves_.pop_back();
  undos_.pop_back();
  Update();
  return true;
}

void PlayedGame::Update() {
  GenerateLegalMoves(position_, &legal_);
  outcome_ = Adjudicate(position_, history_, !legal_.empty());
}

GameRecord PlayedGame::AsRecord() const {
  GameRecord record;
  record.variant = rules().definition().id;
  record.rules_hash = rules().hash();
  record.start_kind = StartKind::kImported;  // neither self-play nor a match
  record.start_fen = FormatFen(start_);
  for (const Move move : moves_) {
    RecordedMove recorded;
    recorded.move = move;
    recorded.checkpoint = kNoCheckpoint;
    record.moves.push_back(recorded);
  }
  record.reason = outcome_.reason;
  record.result = ForFirst(outcome_.result, mover());
  record.truncated = !is_over();
  if (given_up_.has_value()) {
    record.resigned = true;
    record.result = *given_up_ == Side::kFirst ? Result::kLoss : Result::kWin;
  }
  return record;
}

}  // namespace crossriver
