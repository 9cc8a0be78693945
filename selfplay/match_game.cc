#include "selfplay/match_game.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/check.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "core/spelling.h"
#include "selfplay/game_ids.h"

namespace crossriver {
namespace {

// Of a move that may be none of any position.
std::string TextOf(const Rules& rules, Move move) {
  const bool exists =
      move.to() < rules.num_cells() &&
      (move.is_drop() ? move.drop_kind() < rules.num_kinds() : move.from() < rules.num_cells());
  return exists ? FormatMove(rules, move) : absl::StrCat("number ", move.raw());
}

Result LossOf(Side side) { return side == Side::kFirst ? Result::kLoss : Result::kWin; }

}  // namespace

bool HasOpening(const MatchGameRecord& game, const MatchOpening& opening) {
  const size_t plies = opening.moves.size();
  return game.record.start_fen == FormatFen(opening.start) &&
         game.result.opening_plies == static_cast<int>(plies) &&
         plies <= game.record.moves.size() &&
         std::equal(opening.moves.begin(), opening.moves.end(), game.record.moves.begin(),
                    [](Move move, const RecordedMove& played) { return move == played.move; });
}

MatchGame::MatchGame(const Rules* rules, const MatchGameLimits* limits,
                     std::array<Player*, 2> players)
    : rules_(*rules),
      limits_(*limits),
      seats_{players[0]->NewSeat(), players[1]->NewSeat()},
      start_(StartPosition(*rules)),
      position_(start_),
      history_(start_) {
  CR_CHECK(limits_.max_plies > 0 && limits_.resign_moves > 0 && limits_.draw_moves > 0);
}

void MatchGame::Begin(const MatchTicket& ticket) {
  CR_CHECK(over_);
  over_ = false;
  pair_ = ticket.pair;
  half_ = ticket.half;
  agreement_ = {};
  start_ = position_ = ticket.opening.start;
  history_ = History(start_);
  moves_.clear();
  record_ = {};
  record_.id = static_cast<uint64_t>(2 * pair_ + half_ + 1);
  record_.seed = ticket.seed;
  record_.variant = rules_.definition().id;
  record_.rules_hash = rules_.hash();
  record_.max_plies = limits_.max_plies;
  record_.start_kind = StartKind::kOpening;
  record_.start_fen = FormatFen(start_);
  for (const Move move : ticket.opening.moves) {
    RecordedMove recorded;
    recorded.move = move;
    recorded.checkpoint = kNoCheckpoint;
    record_.moves.push_back(std::move(recorded));
    Play(move);
  }
  opening_plies_ = static_cast<int>(moves_.size());
  // Who is to move first begins first, and is the first to lose by it.
  const Side first_mover = position_.side_to_move();
  for (const Side side : {first_mover, Other(first_mover)}) {
    const size_t player = PlayerOf(side);
    const absl::Status status = seats_[player]->NewGame(GameSeed(ticket.seed, player));
    if (!status.ok()) return GiveUp(side, status);
  }
}

MatchGame::State MatchGame::Advance() {
  if (over_) return State::kOver;
  if (asking_) return State::kAsking;
  if (!in_turn_ && !BeginTurn()) return State::kOver;
  const absl::StatusOr<SeatState> state = seats_[mover()]->Advance();
  if (!state.ok()) {
    GiveUp(position_.side_to_move(), state.status());
    return State::kOver;
  }
  asking_ = *state == SeatState::kAsking;
  if (asking_) return State::kAsking;
  return EndTurn() ? State::kMoved : State::kOver;
}

bool MatchGame::BeginTurn() {
  GenerateLegalMoves(position_, &legal_);
  const Outcome outcome = Adjudicate(position_, history_, !legal_.empty());
  const Side side = position_.side_to_move();
  if (outcome.is_over()) {
    record_.result = ForFirst(outcome.result, side);
    record_.reason = outcome.reason;
    End(record_.result, ToString(outcome.reason));
    return false;
  }
  if (history_.plies() >= limits_.max_plies) {
    record_.truncated = true;
    End(Result::kDraw, kEndLimit);
    return false;
  }
  if (EndsByAgreement()) return false;
  Turn turn;
  turn.start = &start_;
  turn.moves = moves_;
  turn.position = &position_;
  turn.history = &history_;
  turn.legal = legal_;
  const absl::Status status = seats_[mover()]->Begin(turn);
  if (!status.ok()) {
    GiveUp(side, status);
    return false;
  }
  in_turn_ = true;
  return true;
}

bool MatchGame::EndTurn() {
  const Choice choice = seats_[mover()]->choice();
  in_turn_ = false;
  if (std::find(legal_.begin(), legal_.end(), choice.move) == legal_.end()) {
    Forfeit(position_.side_to_move(), absl::StrCat("illegal move ", TextOf(rules_, choice.move),
                                                   " in ", FormatFen(position_)));
    return false;
  }
  CountOpinion(choice);
  RecordedMove recorded;
  recorded.move = choice.move;
  recorded.checkpoint = kNoCheckpoint;
  recorded.visits = static_cast<uint32_t>(
      std::clamp<int64_t>(choice.visits, 0, std::numeric_limits<uint32_t>::max()));
  if (choice.wdl.has_value()) recorded.root = *choice.wdl;
  record_.moves.push_back(std::move(recorded));
  Play(choice.move);
  return true;
}

// A mover without an opinion agrees to nothing.
void MatchGame::CountOpinion(const Choice& choice) {
  if (!choice.wdl.has_value()) {
    agreement_ = {};
    return;
  }
  const double score = choice.wdl->win + choice.wdl->draw / 2;
  const auto count = [](bool agrees, int* plies) { *plies = agrees ? *plies + 1 : 0; };
  const Side mover = position_.side_to_move();
  count(score < limits_.resign_below, &agreement_.lost[static_cast<size_t>(mover)]);
  count(1 - score < limits_.resign_below, &agreement_.lost[static_cast<size_t>(Other(mover))]);
  count(std::abs(score - 0.5) <= limits_.draw_within, &agreement_.drawn);
}

bool MatchGame::EndsByAgreement() {
  for (const Side side : kSides) {
    if (agreement_.lost[static_cast<size_t>(side)] < 2 * limits_.resign_moves) continue;
    record_.resigned = true;
    record_.result = LossOf(side);
    End(record_.result, kEndResignation);
    return true;
  }
  if (limits_.draw_within > 0 && agreement_.drawn >= 2 * limits_.draw_moves &&
      history_.plies() >= limits_.draw_after_ply) {
    record_.truncated = true;
    End(Result::kDraw, kEndAgreedDraw);
    return true;
  }
  return false;
}

void MatchGame::Play(Move move) {
  const UndoRecord undo = position_.Do(move);
  history_.Push(position_, undo);
  moves_.push_back(move);
}

void MatchGame::Deliver(const Evaluation& evaluation) {
  CR_CHECK(asking_);
  asking_ = false;
  seats_[mover()]->Deliver(evaluation);
}

void MatchGame::Cancel() {
  if (asking_) seats_[mover()]->Cancel();
  asking_ = in_turn_ = false;
  over_ = true;
}

// By a seat's error.
void MatchGame::GiveUp(Side loser, const absl::Status& status) {
  Forfeit(loser, std::string(status.message()));
  if (!absl::IsAborted(status)) return;
  result_.end = kEndResignation;
  result_.fault.clear();
}

void MatchGame::Forfeit(Side loser, absl::string_view fault) {
  in_turn_ = false;
  record_.resigned = true;
  record_.result = LossOf(loser);
  End(record_.result, kEndForfeit);
  result_.fault = Printable(fault);
}

void MatchGame::End(Result result, absl::string_view end) {
  over_ = true;
  result_ = {};
  result_.pair = pair_;
  result_.half = half_;
  result_.result = half_ == 0 ? result : ForFirst(result, Side::kSecond);
  result_.end = std::string(end);
  result_.plies = history_.plies();
  result_.opening_plies = opening_plies_;
}

MatchGameRecord MatchGame::Take() {
  CR_CHECK(over_ && !result_.end.empty());
  return {std::exchange(result_, {}), std::exchange(record_, {})};
}

}  // namespace crossriver
