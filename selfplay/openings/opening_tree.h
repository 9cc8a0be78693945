// The openings of a set of games: what was played in each position, how it went, and what networks
// thought of it.
//
// Positions that are equal on the board, in hand and by side to move are one, however they came
// about, and so are their images under the symmetries that keep the start position. Which games and
// positions are in the tree: selfplay/openings/opening_builder.h.
#ifndef CROSSRIVER_SELFPLAY_OPENINGS_OPENING_TREE_H_
#define CROSSRIVER_SELFPLAY_OPENINGS_OPENING_TREE_H_

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/position.h"
#include "core/rules.h"
#include "core/types.h"
#include "selfplay/database.h"
#include "selfplay/openings/opening_counts.h"
#include "selfplay/openings/opening_settings.h"
#include "selfplay/openings/position_classes.h"
#include "selfplay/record.h"

namespace crossriver {

// Checkpoints from `first` to `last`, both included. kNoCheckpoint (-1) stands for moves without a
// network: those of imported games, of other players. The default is all.
struct CheckpointRange {
  int64_t first = kNoCheckpoint;
  int64_t last = std::numeric_limits<int64_t>::max();

  friend bool operator==(const CheckpointRange&, const CheckpointRange&) = default;
};

struct OpeningMove {
  Move move;         // in the orientation of the position asked for; the least of equal ones
  std::string text;  // core/notation.h
  OpeningCounts counts;
  OpeningScore score;  // the mover's
  double share = 0;    // of the position's games
  // The first and the last checkpoint (within all, not the range asked for) in which the move was
  // popular: played in at least `popular_share` of that checkpoint's games here. nullopt: in none.
  std::optional<int64_t> first_popular;
  std::optional<int64_t> last_popular;
};

struct OpeningPosition {
  std::string fen;  // of the position asked for
  Side side_to_move = Side::kFirst;
  std::optional<int> ply;  // the fewest plies from the array with which games came here
  OpeningCounts counts;
  OpeningScore score;              // the mover's
  std::vector<OpeningMove> moves;  // by falling games, then by text; empty: not in the tree
};

struct OpeningQuery {
  CheckpointRange checkpoints = {};
  int64_t min_games = 1;       // moves with fewer are left out; the position's sums have them
  double popular_share = 0.1;  // see OpeningMove::first_popular
};

// Of games that move on from a position at some ply, from 0 at the array.
struct OpeningPly {
  int ply = 0;
  int64_t games = 0;      // that moved on from a position of the tree at this ply
  int64_t positions = 0;  // different ones
  // The most games at this ply or one before it: those that are not among `games` have left the
  // tree, or are over.
  int64_t all_games = 0;
  // Entropy in bits of the positions of all games: 0 where all are in one, log2(all_games) where
  // each is in one of its own, as those that have left the tree are taken to be. Fewer than
  // `min_games` (OpeningSettings) are in one in fact, so this is less than log2(min_games) too
  // much.
  double position_entropy = 0;
  // Mean entropy of the next move in bits, weighted by games: how undecided the players are.
  double move_entropy = 0;
  double common_position = 0;  // of all games: those in the most common position
  double common_move = 0;      // of `games`: those that play their position's most common move
};

// A connection that only reads, in short transactions. Not synchronised: a thread has its own. The
// tree may grow while it is read.
class OpeningTree {
 public:
  // Of a run's database. `rules` must outlive the tree. Errors: NotFound where no tree has been
  // made yet (`crossriver openings RUN` and training do), FailedPrecondition where it is of other
  // rules or of another version of the program and has to be made anew.
  static absl::StatusOr<std::unique_ptr<OpeningTree>> OpenFile(const std::string& path,
                                                               const Rules* rules);
  // Of any database that an OpeningBuilder has filled. `database` must outlive the tree too.
  static absl::StatusOr<std::unique_ptr<OpeningTree>> Open(Database* database, const Rules* rules);

  const Rules& rules() const { return classes_.rules(); }
  const PositionClasses& classes() const { return classes_; }
  // What the tree was built with, how many games it has, up to which sequence of a run.
  absl::StatusOr<OpeningState> State();

  // A position that is not in the tree has no moves; that is no error.
  absl::StatusOr<OpeningPosition> At(const Position& position, const OpeningQuery& query = {});
  // Checkpoints with moves at the position, rising, with their counts.
  absl::StatusOr<std::vector<std::pair<int64_t, OpeningCounts>>> ByCheckpoint(
      const Position& position);
  // One ply each, rising; plies without games are left out.
  absl::StatusOr<std::vector<OpeningPly>> Diversity(const CheckpointRange& checkpoints);

 private:
  // One row of opening_moves, in the image of the class.
  struct Row {
    Move move;
    int64_t checkpoint = kNoCheckpoint;
    int ply = 0;
    OpeningCounts counts;
  };

  OpeningTree(Database* database, const Rules* rules) : database_(database), classes_(rules) {}
  absl::Status Prepare();
  absl::StatusOr<std::vector<Row>> RowsOf(uint64_t key);

  std::unique_ptr<Database> owned_;
  Database* database_;
  PositionClasses classes_;
  Statement moves_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_OPENINGS_OPENING_TREE_H_
