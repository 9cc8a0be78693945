#include "selfplay/suites/practice_game.h"

#include "core/adjudicator.h"
#include "core/fingerprint.h"
#include "core/movegen.h"

namespace crossriver {
namespace {

constexpr int kMostPlies = 300;

// Of every so many games one is purely random; of the others a share looks a ply further.
constexpr int kStyles = 4;
constexpr double kLeastRandom = 0.05;
constexpr double kMostRandom = 0.4;
constexpr double kDeeperShare = 0.3;

// Starts by game number, in turn.
constexpr StartKind kStarts[] = {StartKind::kArray, StartKind::kRandomPlies, StartKind::kArmy};

}  // namespace

PracticeGame::PracticeGame(const StartMaker* starts, const PieceValues* values, uint64_t seed,
                           int number)
    : random_(KeySequence(seed + (static_cast<uint64_t>(number) << 32)).Next()),
      search_(values),
      position_(starts->Make(kStarts[static_cast<size_t>(number) % std::size(kStarts)], &random_)
                    .position),
      history_(position_) {
  if (number % kStyles == 0) return;
  random_share_ = kLeastRandom + (kMostRandom - kLeastRandom) * random_.Uniform();
  depth_ = random_.Uniform() < kDeeperShare ? 2 : 1;
}

bool PracticeGame::Advance() {
  GenerateLegalMoves(position_, &legal_);
  if (Adjudicate(position_, history_, !legal_.empty()).is_over()) return false;
  if (history_.plies() >= kMostPlies) return false;
  Move move = legal_[random_.Below(legal_.size())];
  if (random_.Uniform() >= random_share_) {
    move = search_.Search(position_, depth_, /*exact=*/1, &random_).front().move;
  }
  const UndoRecord undo = position_.Do(move);
  history_.Push(position_, undo);
  return true;
}

}  // namespace crossriver
