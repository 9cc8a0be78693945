// The games of matches in one file, so that a match that was stopped goes on where it was.
//
// An SQLite database: `settings` (names and values), `players` (by number), `games` (by players,
// pair and half, with the game as EncodeRecord writes it). A process that is killed at any moment
// loses the games under way. After a loss of power the newest ones may be missing too; they are
// played again.
#ifndef CROSSRIVER_SELFPLAY_MATCH_STORE_H_
#define CROSSRIVER_SELFPLAY_MATCH_STORE_H_

#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "selfplay/database.h"
#include "selfplay/match_game.h"

namespace crossriver {

// Whatever games depend on besides their players: "variant", "seed", …, with values as text.
using MatchSettings = std::vector<std::pair<std::string, std::string>>;

// Two of the players, the first of which is the pairing's "A".
struct StoredPairing {
  int64_t a = 0;
  int64_t b = 0;
};

struct StoredPlayer {
  std::string name;
  uint64_t identity = 0;
};

// Open for writing by one process at a time; others may read it meanwhile. Errors name the file.
// Not synchronised.
class MatchStore {
 public:
  // A new file, or one with the same settings: others are an error that names the first difference.
  // So are a file of another program, one that is damaged, and one that another process has open.
  static absl::StatusOr<std::unique_ptr<MatchStore>> Open(const std::string& path,
                                                          const MatchSettings& settings);
  // An existing one, with any settings, to look at.
  static absl::StatusOr<std::unique_ptr<MatchStore>> OpenReadOnly(const std::string& path);
  ~MatchStore();
  MatchStore(const MatchStore&) = delete;
  MatchStore& operator=(const MatchStore&) = delete;

  absl::StatusOr<MatchSettings> Settings();
  // FailedPrecondition where the games were played with other settings, naming the first
  // difference.
  absl::Status CheckSettings(const MatchSettings& settings);

  // The number of the player with this name, which is entered where it is new. `identity` is equal
  // for players that play alike, such as Player::identity; 0 where the name says all. Another one
  // than the stored is an error: games of both would be mixed up.
  absl::StatusOr<int64_t> AddPlayer(const std::string& name, uint64_t identity);
  // The same, but that a stored player with another identity makes room: with its games it is
  // called "NAME (replaced 1)" from then on, or 2, ….
  absl::StatusOr<int64_t> ReplacePlayer(const std::string& name, uint64_t identity);
  // By number, from 1.
  absl::StatusOr<std::vector<StoredPlayer>> Players();

  // Stores a game of the pairing; one that is there already is an error, but where ReadGames has
  // found it damaged.
  absl::Status Put(const StoredPairing& pairing, const MatchGameRecord& game);

  // Calls `take` with each game of the pairing, by pair and half. An error of it ends the reading.
  // Damaged games are left out: the lines that come back name them, for people.
  using GameTaker = absl::FunctionRef<absl::Status(MatchGameRecord game)>;
  absl::StatusOr<std::vector<std::string>> ReadGames(const StoredPairing& pairing, GameTaker take);
  // Pairings with games, each once: the A of a pair's half 0 is first.
  absl::StatusOr<std::vector<StoredPairing>> Pairings();
  // FailedPrecondition where the game does not begin with the opening that its pair has now.
  absl::Status CheckOpening(const MatchGameRecord& game, const MatchOpening& opening) const;

 private:
  // Of a game's row: player_first, player_second, pair, half.
  using Key = std::array<int64_t, 4>;

  MatchStore() = default;

  absl::Status Lock(const std::string& path);
  absl::Status EnterSettings(const MatchSettings& settings);
  absl::StatusOr<std::string> NameForReplaced(const std::string& name);
  absl::Status Insert(const Key& key, const MatchGameRecord& game);

  int lock_ = -1;  // a descriptor of the file
  std::unique_ptr<Database> database_;
  Statement insert_;
  std::set<Key> damaged_;  // that ReadGames has come upon
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_MATCH_STORE_H_
