// What is counted of a move or a position in a tree of openings, and what follows from it.
#ifndef CROSSRIVER_SELFPLAY_OPENINGS_OPENING_COUNTS_H_
#define CROSSRIVER_SELFPLAY_OPENINGS_OPENING_COUNTS_H_

#include <cstdint>
#include <optional>

#include "core/types.h"

namespace crossriver {

// Expected scores (win + draw / 2) are kept as whole numbers, so that sums do not depend on the
// order of games: in units of 1 / kOpinionScale, twice what records keep of a probability.
inline constexpr int64_t kOpinionUnit = 65535;
inline constexpr int64_t kOpinionScale = 2 * kOpinionUnit;

// Games of which something was counted, each once.
struct OpeningCounts {
  int64_t games = 0;
  // Results; what they leave of `games` had none (a limit ended the game).
  int64_t first_wins = 0;
  int64_t draws = 0;
  int64_t second_wins = 0;
  // Positions that a network judged, and the sum of its own expected scores (win + draw / 2), the
  // mover's, in units of 1 / kOpinionScale.
  int64_t opinions = 0;
  int64_t value_sum = 0;
  // Positions that were searched, with the search's scores likewise, and its visits.
  int64_t searches = 0;
  int64_t search_value_sum = 0;
  int64_t visits_sum = 0;

  int64_t decided() const { return first_wins + draws + second_wins; }
  void Add(const OpeningCounts& other);
  friend bool operator==(const OpeningCounts&, const OpeningCounts&) = default;
};

// Means of the above. Values are from 0 to 1 and the view of `side`, who is to move.
struct OpeningScore {
  std::optional<double> score;  // of the results: (wins + draws / 2) / decided; nullopt without any
  // Where the expected score lies with 95 %: WilsonInterval, with draws as half a win. 0 and 1
  // without results.
  double low = 0;
  double high = 1;
  std::optional<double> value;         // of the networks alone
  std::optional<double> search_value;  // of the searches
  double visits = 0;                   // a search
};
OpeningScore ScoreOf(const OpeningCounts& counts, Side side);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_OPENINGS_OPENING_COUNTS_H_
