// All shortest mates of a position.
#ifndef CROSSRIVER_SELFPLAY_SUITES_MATES_H_
#define CROSSRIVER_SELFPLAY_SUITES_MATES_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "core/position.h"
#include "core/types.h"

namespace crossriver {

struct ShortestMates {
  int plies = 0;
  // Every move that mates in so many plies against the best defence, in the order of generation.
  std::vector<Move> moves;
};

// The mates of the side to move, of a game that begins with `position`, in at most `max_plies`. A
// move mates in n plies where every answer to it is met by a mate in n - 2, or where there is no
// answer and that loses; each is asked of the mate solver (mcts/mate_solver.h) with `max_nodes`.
// Errors: NotFound where there is none, ResourceExhausted where the nodes did not do to tell.
absl::StatusOr<ShortestMates> FindShortestMates(const Position& position, int max_plies,
                                                int64_t max_nodes);

// Whether `move` mates within `plies`, if after it every move of the attacker gives check: a weaker
// question, which takes far fewer nodes. Errors: ResourceExhausted.
absl::StatusOr<bool> ChecksMateWithin(const Position& position, Move move, int plies,
                                      int64_t max_nodes);

// Whether there is a mate within `max_plies` by checks alone, as far as `max_nodes` tell.
bool HasMateByChecks(const Position& position, int max_plies, int64_t max_nodes);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_SUITES_MATES_H_
