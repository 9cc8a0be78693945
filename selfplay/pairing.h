// Who plays next, so that ratings become sharp with few games.
#ifndef CROSSRIVER_SELFPLAY_PAIRING_H_
#define CROSSRIVER_SELFPLAY_PAIRING_H_

#include <cstddef>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "selfplay/rating.h"

namespace crossriver {

// Two players who may play each other.
struct Pairing {
  int i = 0;
  int j = 0;
};

// The indices in `allowed` of the next `count` pairs of games (with sides swapped), in the order of
// their value; one may come several times. Empty only where nothing is allowed. Errors:
// InvalidArgument for players that `ratings` does not know, or one against itself.
//
// First, players that no games connect yet are connected: as nothing is known of them, those that
// stand nearest in the order of their numbers go first, for instance a new checkpoint with the one
// before it. Then each pair of games is the one from which most is expected to be learnt, the gain
// of information (Lindley, On a measure of the information provided by an experiment, 1956; for
// paired comparisons Glickman and Jensen 2005). With g the expected information on the lead in the
// two games, and V the variance of the lead as it is known now, that is, in nats,
//
//   1/2 log(1 + g V).
//
// Large V: seldom played, with each other or by way of others. Large g: g falls with the size of
// the difference, as e^(-|lead|) without draws, so in an ordered list of players neighbours are
// the ones to play. Of several pairs each takes those before it as played (V shrinks as the games
// will make it, whatever their results). Advantage and draws are taken as known.
//
// Costs O(count (allowed + players²)).
absl::StatusOr<std::vector<size_t>> NextPairings(const Ratings& ratings,
                                                 std::span<const Pairing> allowed, int count);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_PAIRING_H_
