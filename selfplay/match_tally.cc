#include "selfplay/match_tally.h"

#include <algorithm>
#include <utility>

#include "core/check.h"

namespace crossriver {
namespace {

bool IsWhole(const std::array<std::optional<MatchGameResult>, 2>& pair) {
  return pair[0].has_value() && pair[1].has_value();
}

void Describe(const MatchGameResult& game, MatchSummary* summary) {
  ++summary->ends[game.end];
  summary->plies.push_back(game.plies);
  if (game.end != kEndForfeit) return;
  ++summary->forfeits[game.result == Result::kLoss ? 0 : 1];
  ++summary->faults[game.fault];
}

}  // namespace

MatchTally::MatchTally(std::optional<SprtOptions> sprt) : sprt_options_(sprt) { CountInOrder(); }

void MatchTally::Add(const MatchGameResult& game) {
  std::optional<MatchGameResult>& place = pairs_[game.pair][static_cast<size_t>(game.half)];
  CR_CHECK(!place.has_value());
  place = game;
  played_.Add(game.result);
  CountInOrder();
}

bool MatchTally::Has(int64_t pair, int half) const {
  const auto found = pairs_.find(pair);
  return found != pairs_.end() && found->second[static_cast<size_t>(half)].has_value();
}

bool MatchTally::decided() const {
  return sprt_.has_value() && sprt_->decision != SprtDecision::kContinue;
}

void MatchTally::CountInOrder() {
  if (!sprt_options_.has_value()) return;
  if (!sprt_.has_value()) sprt_ = Sprt(in_order_, *sprt_options_);
  for (auto pair = pairs_.find(next_);
       !decided() && pair != pairs_.end() && pair->first == next_ && IsWhole(pair->second);
       ++pair, ++next_) {
    in_order_.AddPair(pair->second[0]->result, pair->second[1]->result);
    sprt_ = Sprt(in_order_, *sprt_options_);
  }
}

MatchSummary MatchTally::Summary() const {
  MatchSummary summary;
  summary.sprt = sprt_;
  for (const auto& [number, pair] : pairs_) {
    if (sprt_options_.has_value() && number >= next_) break;
    for (const auto& game : pair) {
      if (game.has_value()) Describe(*game, &summary);
    }
    if (IsWhole(pair)) {
      summary.score.AddPair(pair[0]->result, pair[1]->result);
    } else {
      const bool first = pair[0].has_value();
      summary.score.AddGame((first ? pair[0] : pair[1])->result, first);
    }
  }
  std::sort(summary.plies.begin(), summary.plies.end());
  summary.uncounted = played_.games() - summary.score.games();
  return summary;
}

}  // namespace crossriver
