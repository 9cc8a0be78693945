// What the tests of players share: players from text, single moves, games between two.
#ifndef CROSSRIVER_TESTS_SELFPLAY_PLAYERS_SEAT_HELPERS_H_
#define CROSSRIVER_TESTS_SELFPLAY_PLAYERS_SEAT_HELPERS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/adjudicator.h"
#include "core/rules.h"
#include "selfplay/players/player.h"
#include "tests/mcts/search_helpers.h"

namespace crossriver::testing {

// Without networks.
absl::StatusOr<std::unique_ptr<Player>> OpenFromText(const std::string& spec,
                                                     const std::string& variant);

// "uci:fake_engine BEHAVIOUR?OPTIONS", and the same of usi.
std::string FakeSpec(const std::string& behaviour, const std::string& options = "nodes=5",
                     const std::string& kind = "uci");

// The seat's choice in the last position of the game, which must be legal, or its error.
absl::StatusOr<Choice> ChooseIn(const Game& game, Player* player, Seat* seat);

struct SeatGame {
  std::vector<Move> moves;
  Outcome outcome;      // none: stopped at the most plies, or by an error
  absl::Status status;  // of the seat that failed
  int evaluations = 0;
};
// From the variant's array; both seats begin a new game with this seed.
SeatGame PlaySeats(const Rules& rules, Player* first, Seat* first_seat, Player* second,
                   Seat* second_seat, uint64_t seed, int max_plies);
// With seats of their own.
SeatGame PlayPlayers(const Rules& rules, Player* first, Player* second, uint64_t seed,
                     int max_plies);

}  // namespace crossriver::testing

#endif  // CROSSRIVER_TESTS_SELFPLAY_PLAYERS_SEAT_HELPERS_H_
