// A match from flags to report: players, openings, the file that keeps its games.
#ifndef CROSSRIVER_TOOLS_MATCH_SESSION_H_
#define CROSSRIVER_TOOLS_MATCH_SESSION_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "selfplay/game_text.h"
#include "selfplay/match_runner.h"
#include "selfplay/match_store.h"
#include "selfplay/sprt.h"
#include "tools/match_output.h"
#include "tools/match_report.h"
#include "tools/progress.h"

namespace crossriver {

inline constexpr int kDefaultGames = 100;
// A test ends when it is decided: enough for most that ask for 10 Elo.
inline constexpr int kDefaultGamesOfTest = 20'000;

struct MatchFlags {
  std::string a;  // players: see selfplay/players/player_spec.h
  std::string b;
  std::string variant;
  int games = 0;         // 0: one of the defaults above
  std::string openings;  // a file; empty: random ones
  int plies = 6;         // of random openings
  uint64_t seed = 1;     // of openings and games
  MatchGameLimits limits;
  std::vector<double> sprt;  // elo0, elo1; empty: no test
  double sprt_error = 0.05;  // of either kind
  std::string store;         // a file; empty: none
  std::string pgn;           // a file; empty: none
  int threads = 0;           // 0: one a core
  int at_a_time = 0;         // 0: as the players ask
  std::string device = "auto";
  bool json = false;
};

// Used by one thread.
class MatchSession {
 public:
  // Errors: whatever is wrong with the flags and the files they name, other settings than those of
  // the stored games.
  static absl::StatusOr<std::unique_ptr<MatchSession>> Open(const MatchFlags& flags);

  // Plays what is missing. Errors end the match; what has been played by then is stored. Cancelled
  // after an interrupt (tools/interrupt.h). Called once.
  absl::Status Run();

  // Of the games so far.
  MatchReport Report();
  // With a store: all games, those of an earlier process included, to flags.pgn. Without one they
  // were written as they ended. Does nothing where there is no flags.pgn.
  absl::Status WritePgn();

 private:
  explicit MatchSession(const MatchFlags& flags);

  absl::Status Prepare();
  absl::Status OpenOpenings();
  absl::Status OpenStore();
  absl::Status OpenPgn();
  MatchSettings Settings() const;
  absl::Status TakeGame(const MatchGameRecord& game, Progress* progress);
  absl::Status Append(const MatchGameRecord& game, GameTextFile* file) const;
  GameTextOptions TextOptions(const MatchGameRecord& game) const;

  const MatchFlags flags_;
  const int threads_;
  const std::optional<SprtOptions> sprt_;
  std::shared_ptr<const Rules> rules_;
  std::vector<std::shared_ptr<Player>> players_;
  std::unique_ptr<MatchOpenings> openings_;
  std::string openings_text_;  // that says which they are
  MatchTally tally_;
  std::unique_ptr<MatchStore> store_;  // null: none
  StoredPairing pairing_;
  std::optional<GameTextFile> pgn_;  // without a store
  // Of this process.
  int64_t games_played_ = 0;
  MatchCounts counts_;
  double seconds_ = 0;
};

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_MATCH_SESSION_H_
