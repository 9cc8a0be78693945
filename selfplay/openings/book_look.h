// A look at positions of a book: what games say, or a search where there are too few.
#ifndef CROSSRIVER_SELFPLAY_OPENINGS_BOOK_LOOK_H_
#define CROSSRIVER_SELFPLAY_OPENINGS_BOOK_LOOK_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/evaluator.h"
#include "core/position.h"
#include "core/types.h"
#include "mcts/search.h"
#include "selfplay/openings/book.h"
#include "selfplay/openings/opening_tree.h"
#include "selfplay/openings/position_classes.h"

namespace crossriver {

struct BookLook {
  double value = 0.5;  // the mover's
  int64_t games = 0;
  bool searched = false;
  std::vector<BookMove> moves;  // without costs
};

// Not synchronised.
class BookLooker {
 public:
  // `moves` lead from `start` to the beginning of the book. All must outlive it; `tree` may be
  // null.
  BookLooker(const Position& start, const std::vector<Move>& moves, const BookOptions& options,
             OpeningTree* tree, const PositionClasses& classes, Evaluator* evaluator);

  const Position& beginning() const { return beginning_; }
  // After a line from the beginning.
  Position After(const std::vector<Move>& line) const;

  // At the positions after the lines, in which the game is not over; their searches go side by
  // side.
  absl::StatusOr<std::vector<BookLook>> Look(const std::vector<std::vector<Move>>& lines);

 private:
  // What games say; nothing of moves where there are too few.
  absl::StatusOr<std::optional<OpeningPosition>> GamesAt(const Position& position);
  absl::Status SearchAll(const std::vector<std::vector<Move>>& lines,
                         const std::vector<size_t>& numbers, std::vector<BookLook>* looks);

  const Position& start_;
  const std::vector<Move>& moves_;
  const BookOptions& options_;
  OpeningTree* const tree_;
  const PositionClasses& classes_;
  Evaluator* const evaluator_;
  const Position beginning_;
  std::vector<std::unique_ptr<Search>> searches_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_OPENINGS_BOOK_LOOK_H_
