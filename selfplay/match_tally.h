// The games of a match as they come in, and what they sum up to.
#ifndef CROSSRIVER_SELFPLAY_MATCH_TALLY_H_
#define CROSSRIVER_SELFPLAY_MATCH_TALLY_H_

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "selfplay/match_game.h"
#include "selfplay/match_score.h"
#include "selfplay/sprt.h"

namespace crossriver {

struct MatchSummary {
  MatchScore score;
  std::map<std::string, int64_t> ends;    // games by MatchGameResult::end
  std::array<int64_t, 2> forfeits = {};   // that A and that B have lost
  std::map<std::string, int64_t> faults;  // how often each was the reason
  std::vector<int> plies;                 // of each game, rising
  std::optional<SprtState> sprt;
  int64_t uncounted = 0;  // games played that the rest leaves out
};

// Games may come in any order.
//
// With a sequential test only whole pairs count, in the order of their numbers and up to the first
// with which the test is decided: which pairs these are does not depend on how fast games were, as
// it would if short games counted before long ones that had begun earlier. What else was
// played is left out of the summary. Without a test all games count.
//
// Not synchronised.
class MatchTally {
 public:
  explicit MatchTally(std::optional<SprtOptions> sprt = std::nullopt);

  // Each game once.
  void Add(const MatchGameResult& game);
  bool Has(int64_t pair, int half) const;

  // All games added, whether they count or not, by result.
  const ResultCounts& played() const { return played_; }
  // Whether the test has decided.
  bool decided() const;

  MatchSummary Summary() const;

 private:
  // The games of a pair by half.
  using Pair = std::array<std::optional<MatchGameResult>, 2>;

  void CountInOrder();

  const std::optional<SprtOptions> sprt_options_;
  std::map<int64_t, Pair> pairs_;
  ResultCounts played_;
  MatchScore in_order_;            // of pairs 0 … next_ - 1
  int64_t next_ = 0;               // the first pair that is not whole
  std::optional<SprtState> sprt_;  // of in_order_
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_MATCH_TALLY_H_
