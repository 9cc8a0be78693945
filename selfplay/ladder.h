// Many players rated together, by the games that tell most.
#ifndef CROSSRIVER_SELFPLAY_LADDER_H_
#define CROSSRIVER_SELFPLAY_LADDER_H_

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/rules.h"
#include "selfplay/match_game.h"
#include "selfplay/match_openings.h"
#include "selfplay/match_runner.h"
#include "selfplay/match_score.h"
#include "selfplay/match_store.h"
#include "selfplay/match_tally.h"
#include "selfplay/players/player.h"
#include "selfplay/rating.h"

namespace crossriver {

struct LadderPlayer {
  std::string name;  // for good: its games are stored under it
  // Opens the player. Called when it first plays, and again where it was closed in between.
  std::function<absl::StatusOr<std::shared_ptr<Player>>()> open;
  // Stored games of a player with this name and another identity do not count: see
  // MatchStore::ReplacePlayer.
  uint64_t identity = 0;
  // `open` always answers with the same one, so that nothing is saved by closing it.
  bool stays_open = false;
  // Where `open` answers NotFound or DataLoss, the others play on without it.
  bool may_vanish = false;
};

struct LadderOptions {
  // It ends with so many games (or one more, for whole pairs), those of earlier processes included;
  // or as soon as the lead of each
  // player over the next one is known to within `interval` Elo either way, with 95 % confidence. 0:
  // not before the games are played.
  int64_t games = 2000;
  double interval = 50;
  int64_t block = 8;  // pairs of games of two players, after which ratings are made anew
  // Held at once of those that do not stay open, at least 2; a network takes memory.
  int open_players = 8;
  uint64_t seed = 1;
  MatchGameLimits limits;
  int threads = 1;
  int games_at_a_time = 0;            // of a thread; 0 = DefaultGamesAtATime
  std::function<bool()> interrupted;  // as in MatchOptions
  // After each game, which is stored by then: how many there are, and whose it was. One thread at a
  // time. May be null.
  std::function<void(int64_t games, const std::string& a, const std::string& b)> on_game;
  // Told what the user should know although it is no error: stored games that do not count,
  // players that have vanished. May be null.
  std::function<void(const std::string& message)> on_message;
};

// Two players who have met.
struct LadderMeeting {
  int a = 0;  // indices of players
  int b = 0;
  MatchScore score;  // as `a` sees it
};

// Plays block after block: rates all players by all games (Rate), and takes the two from whose
// games most is to be learnt (NextPairings). Those are mostly neighbours, so that large differences
// are chained from small ones.
//
// Where the players' games follow from their seeds, all of the ladder follows from `options` and
// the order of players: a block that an interrupt has cut short is played to its end first, and
// then everything goes on as if nothing had happened.
//
// Not synchronised.
class Ladder {
 public:
  // At least two players, with different names: InvalidArgument otherwise. Players whom no games
  // connect yet begin with those that are next to them in the order given. `rules`, `openings` and
  // `store` must outlive the ladder; `store` may be null. Games in it between these players count.
  // Other errors: the store's, games in it that began with other openings than `openings`.
  static absl::StatusOr<std::unique_ptr<Ladder>> Create(const Rules* rules,
                                                        std::vector<LadderPlayer> players,
                                                        MatchOpenings* openings, MatchStore* store,
                                                        LadderOptions options);

  // Plays until the end that `options` set. Errors: Cancelled when interrupted, a player's who
  // can't be opened, too few that have not vanished, the store's, an evaluator's; what was played
  // by then is stored and counts.
  absl::Status Run();

  const std::vector<LadderPlayer>& players() const { return players_; }
  int64_t games() const { return games_; }
  // By the players' order.
  std::vector<LadderMeeting> Meetings() const;
  // By all games so far. `anchor`: the index of the player whose rating is 0.
  absl::StatusOr<Ratings> Rate(int anchor) const;
  // Whether each player's lead over the next one, in the order of ratings, is known to within
  // `interval` Elo either way. Those in `left_out` are not looked at.
  static bool IsSharp(const Ratings& ratings, double interval, const std::set<int>& left_out = {});
  // Of this process.
  MatchCounts counts() const { return counts_; }

 private:
  struct Meeting {
    // Indices: `a` is the one with the smaller number in the store, `b` the other.
    int a = 0;
    int b = 0;
    MatchTally tally;
    int64_t pairs = 0;  // begun
  };

  Ladder(const Rules* rules, std::vector<LadderPlayer> players, MatchOpenings* openings,
         MatchStore* store, LadderOptions options);

  absl::Status ReadStore();
  absl::Status ReadMeeting(const StoredPairing& pairing, Meeting* meeting);
  absl::StatusOr<bool> IsFinished() const;
  // Plays what an interrupt, or an end that has been moved on, has left out of the last blocks.
  absl::Status FinishBlocks();
  absl::Status PlayNext();
  // Of players i < j: plays what is missing of its first `pairs` pairs.
  absl::Status Play(const std::pair<int, int>& players, int64_t pairs);
  // Null where it has vanished.
  absl::StatusOr<std::shared_ptr<Player>> Open(int player);
  void MakeRoom();
  void Tell(const std::string& message) const;
  uint64_t SeedOf(const Meeting& meeting) const;
  // The pairs of a block that begins after so many games: fewer than usual at the end.
  int64_t BlockAfter(int64_t games) const;

  const Rules* const rules_;
  const std::vector<LadderPlayer> players_;
  MatchOpenings* const openings_;
  MatchStore* const store_;
  const LadderOptions options_;

  std::vector<int64_t> numbers_;                     // in the store, by player; 0: not in it yet
  int64_t last_number_ = 0;                          // given without a store
  std::map<std::pair<int, int>, Meeting> meetings_;  // by players i < j
  int64_t games_ = 0;
  MatchCounts counts_;
  std::list<std::pair<int, std::shared_ptr<Player>>> open_;  // the one used last is the last
  std::set<int> vanished_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_LADDER_H_
