#include "selfplay/players/move_order.h"

#include <algorithm>
#include <cstdlib>

#include "selfplay/players/static_exchange.h"

namespace crossriver {
namespace {

// Classes of moves, far enough apart for what is added.
constexpr int kFirst = 1 << 28;
constexpr int kTactical = 1 << 26;
constexpr int kKiller = 1 << 20;
constexpr int kLosing = -(1 << 26);

constexpr int kGainWeight = 16;  // of what is taken, against the value of what takes it
constexpr int kPlaceWeight = 8;  // of a better cell, against history
constexpr int kCheckBonus = 2048;

// Moves are picked one by one until so many quiet ones have been asked for; the rest is sorted.
constexpr size_t kPickedQuiet = 16;

}  // namespace

void MoveHistory::Clear() { std::fill(scores_.begin(), scores_.end(), int16_t{0}); }

void MoveHistory::Fade() {
  for (int16_t& score : scores_) score = static_cast<int16_t>(score / 2);
}

void MoveHistory::Add(const Position& position, Move move, int by) {
  int16_t& score = scores_[Slot(position, move)];
  score = static_cast<int16_t>(score + by - score * std::abs(by) / kMost);
}

void MoveOrder::RateTactical(RatedMove* rated) const {
  rated->tactical = true;
  const Kind mover = KindOf(position_->piece_at(rated->move.from()));
  const int risk = values_->capture_gain(mover);
  rated->unclear = rated->gain < risk && !position_->rules().kind(mover).royal;
  rated->rating = kTactical + rated->gain * kGainWeight - risk;
}

void MoveOrder::RateQuiet(const MoveHistory& history, const KillerMoves& killers,
                          RatedMove* rated) const {
  const Move move = rated->move;
  const Side side = position_->side_to_move();
  const Rules& rules = position_->rules();
  Kind kind;
  int place;
  if (move.is_drop()) {
    kind = rules.tables(move.drop_kind(), side).DroppedOn(move.to());
    place = values_->at(MakePiece(kind, side), move.to()) - values_->hand_value(move.drop_kind());
  } else {
    const Piece piece = position_->piece_at(move.from());
    kind = KindOf(piece);
    place = values_->at(piece, move.to()) - values_->at(piece, move.from());
  }
  const Cell target = position_->royal(Other(side));
  rated->maybe_check = rules.tables(kind, side).AttacksOn(target).any_from.Contains(move.to());
  rated->rating = history.Of(*position_, move) + place * kPlaceWeight;
  if (rated->maybe_check) rated->rating += kCheckBonus;
  if (move == killers[0]) {
    rated->rating = kKiller + 1;
  } else if (move == killers[1]) {
    rated->rating = kKiller;
  }
}

void MoveOrder::Reset(const PieceValues& values, const Position& position) {
  values_ = &values;
  position_ = &position;
  next_ = 0;
  quiet_taken_ = 0;
  sorted_ = false;
  moves_.clear();
}

void MoveOrder::Begin(const PieceValues& values, const MoveHistory& history,
                      const Position& position, std::span<const Move> moves, Move first,
                      const KillerMoves& killers) {
  Reset(values, position);
  for (const Move move : moves) {
    RatedMove& rated = moves_.emplace_back();
    rated.move = move;
    rated.gain = MoveGain(values, position, move);
    if (rated.gain != 0 || move.promotes()) {
      RateTactical(&rated);
    } else {
      RateQuiet(history, killers, &rated);
    }
    if (move == first) {
      rated.rating = kFirst;
      rated.unclear = false;
    }
  }
}

void MoveOrder::BeginTactical(const PieceValues& values, const Position& position,
                              std::span<const Move> moves, Move first) {
  Reset(values, position);
  for (const Move move : moves) {
    if (move.is_drop()) continue;
    const int gain = MoveGain(values, position, move);
    if (gain == 0 && !move.promotes()) continue;
    RatedMove& rated = moves_.emplace_back();
    rated.move = move;
    rated.gain = gain;
    RateTactical(&rated);
    if (move == first) {
      rated.rating = kFirst;
      rated.unclear = false;
    }
  }
}

RatedMove* MoveOrder::TakeBest() {
  const auto before = [](const RatedMove& a, const RatedMove& b) {
    return a.rating != b.rating ? a.rating > b.rating : a.move < b.move;
  };
  const auto begin = moves_.begin() + static_cast<std::ptrdiff_t>(next_);
  if (!sorted_ && quiet_taken_ >= kPickedQuiet) {
    std::sort(begin, moves_.end(), before);
    sorted_ = true;
  }
  if (!sorted_) std::iter_swap(begin, std::min_element(begin, moves_.end(), before));
  return &moves_[next_];
}

void MoveOrder::DropQuiet() {
  const auto begin = moves_.begin() + static_cast<std::ptrdiff_t>(next_);
  const auto is_quiet = [](const RatedMove& m) { return !m.tactical && !m.maybe_check; };
  moves_.erase(std::remove_if(begin, moves_.end(), is_quiet), moves_.end());
}

const RatedMove* MoveOrder::Next() {
  while (next_ < moves_.size()) {
    RatedMove* best = TakeBest();
    if (best->unclear) {
      best->unclear = false;
      const int exchange = StaticExchange(*values_, *position_, best->move);
      if (exchange < 0) {
        best->losing = true;
        best->rating = kLosing + exchange;
        continue;
      }
    }
    if (!best->tactical) ++quiet_taken_;
    ++next_;
    return best;
  }
  return nullptr;
}

}  // namespace crossriver
