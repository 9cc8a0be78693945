// A ladder from flags to report: checkpoints of a run, other players, the file that keeps the
// games.
#ifndef CROSSRIVER_TOOLS_LADDER_SESSION_H_
#define CROSSRIVER_TOOLS_LADDER_SESSION_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/rules.h"
#include "selfplay/ladder.h"
#include "selfplay/ladder_checkpoints.h"
#include "selfplay/match_openings.h"
#include "selfplay/match_store.h"
#include "selfplay/run_directory.h"
#include "tools/ladder_report.h"
#include "tools/progress.h"

namespace crossriver {

struct LadderFlags {
  std::string run;                // a folder; empty: the players of `with` alone
  std::vector<std::string> with;  // see selfplay/players/player_spec.h
  std::string variant;            // where there is no run
  int checkpoints = 8;
  bool even = false;     // LadderSpacing
  int visits = 32;       // of checkpoints, a move
  int64_t games = 2000;  // 0: a store is only read, also while another process plays into it
  double interval = 50;
  int block = 0;       // LadderOptions::block; 0: as many as are fast, fewer where games are few
  std::string anchor;  // a player's name, or @12; empty: the first checkpoint, or player
  int plies = 6;       // of random openings
  uint64_t seed = 1;   // of openings and games
  int max_plies = 600;
  int threads = 0;              // 0: one a core
  int at_a_time = 0;            // 0: as the players ask
  std::string device = "auto";  // of networks
  std::string store;            // a file; empty: ladder.db in the run's folder; without a run, none
  std::string svg;              // a file; empty: none
  bool plots = false;           // all of them in the terminal
  bool json = false;
};

// Used by one thread.
class LadderSession {
 public:
  // Errors: whatever is wrong with the flags and the files they name, other settings than those of
  // the stored games. What the user should know goes to standard error.
  static absl::StatusOr<std::unique_ptr<LadderSession>> Open(const LadderFlags& flags);

  // Plays what is missing. Errors end it; what has been played by then is stored. Cancelled after
  // an interrupt (tools/interrupt.h). Called once.
  absl::Status Run();

  // Of the games so far.
  absl::StatusOr<LadderReport> Report() const;

 private:
  explicit LadderSession(const LadderFlags& flags);

  absl::Status Prepare();
  absl::Status OpenRun();
  absl::Status AddOthers();
  absl::Status AddCheckpoints();
  absl::Status OpenStore();
  absl::Status OpenLadder();
  absl::Status FindAnchor();
  // For good, and wherever the run lies: a checkpoint's games are stored under it.
  std::string CheckpointName(int64_t number) const;
  std::string StorePath() const;

  const LadderFlags flags_;
  const int threads_;
  std::optional<RunDirectory> run_;
  std::shared_ptr<const Rules> rules_;
  std::vector<LadderPlayer> players_;
  std::vector<std::optional<LadderCheckpoint>> checkpoints_;  // by player
  int anchor_ = 0;
  std::unique_ptr<MatchOpenings> openings_;
  std::unique_ptr<MatchStore> store_;  // null: none
  std::unique_ptr<Ladder> ladder_;
  std::unique_ptr<Progress> progress_;  // while games are played
  int64_t progress_from_ = 0;           // games there were when it began
  // Of this process.
  int64_t games_played_ = 0;
  double seconds_ = 0;
};

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_LADDER_SESSION_H_
