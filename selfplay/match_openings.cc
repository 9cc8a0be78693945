#include "selfplay/match_openings.h"

#include <algorithm>
#include <utility>

#include "core/adjudicator.h"
#include "core/check.h"
#include "core/history.h"
#include "core/movegen.h"
#include "core/notation.h"

namespace crossriver {
namespace {

// After so many tries on end without a new opening there are taken to be no more. Of n equally
// likely ones the last is missed with probability (1 - 1/n)^tries.
constexpr int kTries = 1000;
// The same for the first one.
constexpr int kFirstTries = 100;

// Different positions have different numbers, images of one position the same.
uint64_t KeyUnder(const std::vector<Symmetry>& symmetries, const Position& position) {
  uint64_t least = position.key();
  for (const Symmetry& symmetry : symmetries) {
    least = std::min(least, symmetry.Map(position).key());
  }
  return least;
}

}  // namespace

MatchOpenings::MatchOpenings(const Rules* rules, RandomOpeningOptions options)
    : rules_(rules),
      options_(std::move(options)),
      symmetries_(FindSymmetries(*rules).start),
      random_(options_.seed),
      plies_(options_.plies) {
  CR_CHECK(plies_ >= 0 && options_.judge != nullptr);
}

Position MatchOpening::Reached() const {
  Position position = start;
  for (const Move move : moves) position.Do(move);
  return position;
}

MatchOpenings::MatchOpenings(const Rules* rules, const std::vector<MatchOpening>& given,
                             uint64_t seed)
    : rules_(rules),
      symmetries_(FindSymmetries(*rules).start),
      random_(seed),
      plies_(0),
      complete_(true) {
  CR_CHECK(!given.empty());
  for (const MatchOpening& opening : given) {
    Add(opening, opening.Reached());
  }
  for (size_t left = openings_.size(); left > 1; --left) {
    std::swap(openings_[left - 1], openings_[random_.Below(left)]);
  }
}

MatchOpening MatchOpenings::ForPair(int64_t pair) {
  const auto index = static_cast<size_t>(pair);
  while (!complete_ && openings_.size() <= index) Extend();
  return openings_[index % openings_.size()];
}

int64_t MatchOpenings::Distinct(int64_t pairs) {
  if (pairs > 0) ForPair(pairs - 1);
  return std::min(pairs, static_cast<int64_t>(openings_.size()));
}

// One more opening, or the end of the list. Where not even one is found, games end or are decided
// before so many plies, and half of them must do.
void MatchOpenings::Extend() {
  const int tries = openings_.empty() ? kFirstTries : kTries;
  for (int i = 0; i < tries; ++i) {
    if (TryRandom() == Tried::kTaken) return;
  }
  if (!openings_.empty()) {
    complete_ = true;
  } else if (plies_ > 0) {
    plies_ /= 2;
  } else {
    // The array itself, whatever the judge says of it.
    openings_.push_back({StartPosition(*rules_), {}});
    complete_ = true;
  }
}

MatchOpenings::Tried MatchOpenings::TryRandom() {
  MatchOpening opening = {StartPosition(*rules_), {}};
  Position position = opening.start;
  History history(position);
  std::vector<Move> legal;
  for (;;) {
    GenerateLegalMoves(position, &legal);
    if (Adjudicate(position, history, !legal.empty()).is_over()) return Tried::kOver;
    if (static_cast<int>(opening.moves.size()) == plies_) break;
    opening.moves.push_back(legal[random_.Below(legal.size())]);
    const UndoRecord undo = position.Do(opening.moves.back());
    history.Push(position, undo);
  }
  if (seen_.count(KeyUnder(symmetries_, position)) != 0) return Tried::kKnown;
  const double lead = options_.judge(position, history) - 0.5;
  if (std::max(lead, -lead) > options_.max_lead) return Tried::kDecided;
  CR_CHECK(Add(std::move(opening), position));
  return Tried::kTaken;
}

// False where the position is known.
bool MatchOpenings::Add(MatchOpening opening, const Position& reached) {
  if (!seen_.insert(KeyUnder(symmetries_, reached)).second) return false;
  openings_.push_back(std::move(opening));
  return true;
}

}  // namespace crossriver
