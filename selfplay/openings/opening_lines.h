// What a tree of openings says at a glance: the main lines, and what changed from some checkpoints
// to later ones.
#ifndef CROSSRIVER_SELFPLAY_OPENINGS_OPENING_LINES_H_
#define CROSSRIVER_SELFPLAY_OPENINGS_OPENING_LINES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/position.h"
#include "core/types.h"
#include "selfplay/openings/opening_tree.h"
#include "selfplay/share_interval.h"

namespace crossriver {

struct OpeningLine {
  std::vector<Move> moves;
  std::vector<std::string> texts;
  // The share of the games at the beginning that would follow the line, were each move chosen
  // regardless of the way to its position: the product of the moves' shares.
  double reach = 1;
  OpeningCounts counts;  // of the last move
  OpeningScore score;    // of the last move, as the first player sees it
};

struct OpeningLineOptions {
  OpeningQuery query;  // `min_games` ends a line
  int max_lines = 8;
  int max_plies = 12;
};

// The first line goes on with the most played move at each position; each further one leaves the
// lines before it where most games did so (by reach), and then goes on likewise. By falling reach
// of the move with which it leaves.
absl::StatusOr<std::vector<OpeningLine>> MainLines(OpeningTree* tree, const Position& from,
                                                   const OpeningLineOptions& options);

struct OpeningChangeOptions {
  CheckpointRange before;
  CheckpointRange after;
  int max_plies = 8;
  // Positions are looked at that this share of the games at the beginning reach in one of the
  // ranges, and this many games in both.
  double min_reach = 0.02;
  int64_t min_games = 20;
  double min_change = 0.02;  // of a move's share, or of a value
};

// The share of a position's games that play a move, before and after.
struct MoveChange {
  std::vector<std::string> line;  // from the beginning to the position
  std::string fen;
  Move move;
  std::string text;
  int64_t games_before = 0;  // at the position
  int64_t games_after = 0;
  double share_before = 0;
  double share_after = 0;
  ShareInterval difference;  // of the shares, after less before: with 95 %
  double reach = 0;          // the larger of both ranges

  bool is_certain() const { return difference.low > 0 || difference.high < 0; }
};

// What networks thought of a position, as the first player sees it.
struct ValueChange {
  std::vector<std::string> line;
  std::string fen;
  double value_before = 0;
  double value_after = 0;
  std::optional<double> score_before;  // of the games
  std::optional<double> score_after;
  int64_t games_before = 0;
  int64_t games_after = 0;
  double reach = 0;
};

struct OpeningChanges {
  std::vector<MoveChange> moves;    // by falling change times reach
  std::vector<ValueChange> values;  // likewise
};
absl::StatusOr<OpeningChanges> CompareOpenings(OpeningTree* tree, const Position& from,
                                               const OpeningChangeOptions& options);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_OPENINGS_OPENING_LINES_H_
