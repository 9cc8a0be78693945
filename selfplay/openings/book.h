// A book of openings: positions that good play comes to, with what games or a search say of their
// moves.
//
// The book grows where it is cheapest. From the beginning each move costs something: a little for
// itself, much for what it gives away, something for being unexpected. A position costs as much as
// the cheapest way to it, and the cheapest position that is not in the book yet is the next to be
// looked at. So the lines of best play become long, what players are likely to meet is there, and
// bad moves are answered for a few plies. The idea of a book that grows by the cost of a path is
// that of KataGo's books (Wu 2022); the costs here are our own:
//
//   cost(move) = ply_cost + loss_cost (best - score) + surprise_cost (-ln p)
//
// where score and best are of the move and of the best one, from 0 to 1, and p is the share of the
// move in the search's policy and in the games together, a policy counting as `policy_games` games.
#ifndef CROSSRIVER_SELFPLAY_OPENINGS_BOOK_H_
#define CROSSRIVER_SELFPLAY_OPENINGS_BOOK_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/evaluator.h"
#include "core/position.h"
#include "core/types.h"
#include "selfplay/openings/opening_tree.h"
#include "selfplay/openings/position_classes.h"

namespace crossriver {

struct BookOptions {
  int64_t positions = 1000;  // in the book
  int max_ply = 24;          // of them, counted from the beginning of the book
  int64_t visits = 200;      // of a search
  // A position with as many games is not searched: they say enough.
  int64_t thick_games = 500;
  CheckpointRange checkpoints = {};  // games of others do not count
  int at_a_time = 32;                // searches side by side, the size of a network's batches
  double ply_cost = 0.25;
  double loss_cost = 20;
  double surprise_cost = 0.5;
  double policy_games = 20;
  uint64_t seed = 1;
  // Called now and then with the positions so far; returns false to stop there. May be empty.
  std::function<bool(int64_t positions)> progress;
};
// Names the field and what was expected.
absl::Status Validate(const BookOptions& options);

struct BookMove {
  Move move;
  double score = 0;  // the mover's, from 0 to 1: of the position it leads to, where that is known
  double share = 0;  // p above
  double share_of_policy = 0;  // of the search's
  int64_t games = 0;
  int64_t visits = 0;   // of the search; 0 where games were enough
  bool proven = false;  // by the search, whatever the way to the position: the score is exact
  double cost = 0;      // of the way to what it leads to
  bool in_book = false;
  bool ends_game = false;
};

struct BookPosition {
  std::vector<Move> line;  // from the beginning
  Position position;
  double cost = 0;
  // The mover's: of the best move that was looked at well, is proven or whose answer is in the
  // book.
  double value = 0;
  int64_t games = 0;
  bool searched = false;
  // Those that were played, visited or proven, cheapest first. Of moves that a symmetry of the
  // position maps onto each other one stands for all, with the sum of what was counted.
  std::vector<BookMove> moves;
};

// Positions by rising cost, the beginning first. `tree` may be null: then all are searched.
// Deterministic for equal seeds and answers of the evaluator. Errors: the evaluator's, the tree's.
absl::StatusOr<std::vector<BookPosition>> BuildBook(const Position& start,
                                                    const std::vector<Move>& moves,
                                                    const BookOptions& options, OpeningTree* tree,
                                                    const PositionClasses& classes,
                                                    Evaluator* evaluator);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_OPENINGS_BOOK_H_
