#include "tests/game_walk.h"

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "core/attacks.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "tests/test_data.h"

namespace crossriver::testing {
namespace {

// The board, the hand and the side to move of a FEN.
std::string WithoutCounts(const std::string& fen) {
  return fen.substr(0, fen.find(' ', fen.find(' ') + 1));
}

Kind BaseKind(const Position& position, Cell cell) {
  return position.rules().kind(KindOf(position.piece_at(cell))).base;
}

}  // namespace

WalkOptions WalkOptions::FromEnvironment(WalkOptions defaults) {
  return {testing::FromEnvironment("CROSSRIVER_GAMES", defaults.games),
          testing::FromEnvironment("CROSSRIVER_MAX_PLIES", defaults.max_plies),
          testing::FromEnvironment("CROSSRIVER_SEED", defaults.seed),
          testing::FromEnvironment("CROSSRIVER_SLOW_EVERY", defaults.slow_every)};
}

std::string Coverage::Text() const {
  return absl::StrCat(plies, " plies, ", slow_positions, " compared, ", captures, " captures, ",
                      displacements, " displacements, ", drops, " drops, ", promotions,
                      " promotions, ", checks, " checks; mates ", count(Reason::kCheckmate),
                      ", stalemates ", count(Reason::kStalemate), ", repetitions ",
                      count(Reason::kRepetition), ", perpetual checks ",
                      count(Reason::kPerpetualCheck), ", no progress ", count(Reason::kNoProgress));
}

void NaiveRecord::Add(const std::string& board_text, bool checks) {
  plies_of_[board_text].push_back(static_cast<int>(texts_.size()));
  texts_.push_back(board_text);
  checks_.push_back(checks);
}

void NaiveRecord::RemoveLast() {
  plies_of_[texts_.back()].pop_back();
  texts_.pop_back();
  checks_.pop_back();
}

bool NaiveRecord::AlwaysChecked(bool by_mover) const {
  const int now = static_cast<int>(texts_.size()) - 1;
  for (int ply = FirstOccurrence() + 1; ply <= now; ++ply) {
    // The other side has made the last move.
    const bool mover_made_it = (now - ply) % 2 == 1;
    if (mover_made_it == by_mover && !checks_[static_cast<size_t>(ply)]) return false;
  }
  return true;
}

Outcome NaiveRecord::OutcomeFor(const Rules& rules, Side mover, bool has_move,
                                int no_progress) const {
  const GameRules& game = rules.game();
  if (!has_move) {
    if (checks_.back()) return {Result::kLoss, Reason::kCheckmate};
    if (game.stalemate == StalemateRule::kDraw) return {Result::kDraw, Reason::kStalemate};
    const bool loses = game.stalemate == StalemateRule::kLoss;
    return {loses ? Result::kLoss : Result::kWin, Reason::kStalemate};
  }
  if (game.repetitions > 0 && Occurrences() >= game.repetitions) {
    if (game.perpetual_check == PerpetualCheckRule::kLoss &&
        AlwaysChecked(true) != AlwaysChecked(false)) {
      return {AlwaysChecked(true) ? Result::kLoss : Result::kWin, Reason::kPerpetualCheck};
    }
    if (game.repetition == RepetitionRule::kDraw) return {Result::kDraw, Reason::kRepetition};
    const bool first_loses = game.repetition == RepetitionRule::kFirstPlayerLoses;
    const bool mover_loses = (mover == Side::kFirst) == first_loses;
    return {mover_loses ? Result::kLoss : Result::kWin, Reason::kRepetition};
  }
  if (game.no_progress_plies > 0 && no_progress >= game.no_progress_plies) {
    return {Result::kDraw, Reason::kNoProgress};
  }
  return {};
}

GameWalk::GameWalk(const Position& start, const WalkOptions& options, Style style, Random random,
                   Coverage* coverage)
    : rules_(start.rules()),
      start_(start),
      options_(options),
      style_(style),
      random_(random),
      coverage_(coverage),
      checker_(&rules_),
      position_(start),
      history_(start),
      no_progress_(start.no_progress()) {}

std::string GameWalk::GameText() const {
  std::string text = absl::StrCat(Describe(start_), " moves");
  for (const Ply& ply : plies_) absl::StrAppend(&text, " ", FormatMove(rules_, ply.move));
  return absl::StrCat(text, "\nnow ", FormatFen(position_));
}

void GameWalk::CheckPosition() {
  checker_.CheckState(position_);
  checker_.CheckMoves(position_, moves_);
  record_.Add(WithoutCounts(checker_.CheckFen(position_)), history_.in_check());
  CheckEndings();
  if (random_.Below(static_cast<size_t>(options_.slow_every)) != 0) return;
  ++coverage_->slow_positions;
  checker_.CheckTexts(position_, moves_, &random_);
  checker_.CheckIsLegal(position_, moves_, &random_);
  checker_.CheckAgainstSlow(position_, moves_);
}

void GameWalk::CheckEndings() {
  EXPECT_EQ(history_.plies(), static_cast<int>(plies_.size()));
  EXPECT_EQ(history_.Occurrences(), record_.Occurrences());
  EXPECT_EQ(history_.FirstOccurrence(), record_.FirstOccurrence());
  EXPECT_EQ(position_.no_progress(), no_progress_);
  const Outcome outcome = Adjudicate(position_, history_, !moves_.empty());
  const Outcome expected =
      record_.OutcomeFor(rules_, position_.side_to_move(), !moves_.empty(), no_progress_);
  EXPECT_EQ(ToString(outcome.result), ToString(expected.result));
  EXPECT_EQ(ToString(outcome.reason), ToString(expected.reason));
  ++coverage_->reasons[static_cast<size_t>(outcome.reason)];
  if (history_.in_check()) ++coverage_->checks;
}

std::optional<Move> GameWalk::WayBack() const {
  if (plies_.size() < 2) return std::nullopt;
  const Move own = plies_[plies_.size() - 2].move;
  if (own.is_drop()) return std::nullopt;
  for (const Move move : moves_) {
    if (!move.is_drop() && move.from() == own.to() && move.to() == own.from()) return move;
  }
  return std::nullopt;
}

bool GameWalk::GivesCheck(Move move) const {
  Position after = position_;
  after.Do(move);
  return InCheck(after);
}

Move GameWalk::Choose() {
  const bool wilful = style_ != Style::kUniform && random_.Percent(80);
  const bool is_checker = style_ == Style::kPerpetualCheck && plies_.size() % 2 == 0;
  const std::optional<Move> back = wilful ? WayBack() : std::nullopt;
  if (back.has_value() && (!is_checker || GivesCheck(*back))) return *back;
  if (wilful && is_checker) {
    const size_t offset = random_.Below(moves_.size());
    for (size_t i = 0; i < moves_.size(); ++i) {
      const Move move = moves_[(i + offset) % moves_.size()];
      if (GivesCheck(move)) return move;
    }
  }
  return moves_[random_.Below(moves_.size())];
}

int GameWalk::NextNoProgress(const Position& before, Move move) const {
  const GameRules& game = rules_.game();
  const Kind kind = move.is_drop() ? move.drop_kind() : BaseKind(before, move.from());
  const int captured = before.occupied().size() + (move.is_drop() ? 1 : 0) -  //
                       position_.occupied().size();
  coverage_->captures += captured > 0 ? 1 : 0;
  coverage_->displacements += !move.is_drop() && before.DisplacedCell(move) != kNoCell ? 1 : 0;
  coverage_->drops += move.is_drop() ? 1 : 0;
  coverage_->promotions += move.promotes() ? 1 : 0;
  const bool progress = rules_.definition().pieces[static_cast<size_t>(kind)].resets_progress ||
                        (captured > 0 && game.capture_is_progress) ||
                        (move.is_drop() && game.drop_is_progress) ||
                        (move.promotes() && game.promotion_is_progress);
  return progress ? 0 : no_progress_ + 1;
}

void GameWalk::Play(Move move) {
  const Position before = position_;
  UndoRecord undo = position_.Do(move);
  position_.Undo(move, undo);
  EXPECT_TRUE(position_ == before) << "after taking back " << FormatMove(rules_, move);
  EXPECT_EQ(position_.key(), before.key());
  checker_.CheckState(position_);
  undo = position_.Do(move);
  history_.Push(position_, undo);
  no_progress_ = NextNoProgress(before, move);
  plies_.push_back({move, undo});
  ++coverage_->plies;
}

void GameWalk::TakeAllBack() {
  while (!plies_.empty() && !::testing::Test::HasFailure()) {
    EXPECT_EQ(history_.Occurrences(), record_.Occurrences());
    position_.Undo(plies_.back().move, plies_.back().undo);
    history_.Pop();
    record_.RemoveLast();
    plies_.pop_back();
  }
  if (::testing::Test::HasFailure()) return;
  EXPECT_TRUE(position_ == start_);
  checker_.CheckState(position_);
}

void GameWalk::Run() {
  GenerateLegalMoves(position_, &moves_);
  CheckPosition();
  while (!moves_.empty() && history_.plies() < options_.max_plies &&
         !::testing::Test::HasFailure()) {
    Play(Choose());
    GenerateLegalMoves(position_, &moves_);
    CheckPosition();
  }
  if (!::testing::Test::HasFailure()) TakeAllBack();
  if (::testing::Test::HasFailure()) ADD_FAILURE() << GameText();
}

}  // namespace crossriver::testing
