// Positions up to the symmetries that keep the start position.
#ifndef CROSSRIVER_SELFPLAY_OPENINGS_POSITION_CLASSES_H_
#define CROSSRIVER_SELFPLAY_OPENINGS_POSITION_CLASSES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/position.h"
#include "core/rules.h"
#include "core/symmetry.h"
#include "core/types.h"

namespace crossriver {

// The class of a position: all its images, by the one whose key is least.
struct PositionClass {
  uint64_t key = 0;
  // By number in PositionClasses::symmetries(): those that lead to that image. Several where the
  // position is its own image.
  std::vector<uint8_t> to_image;
};

// Immutable after construction: may be shared by threads.
class PositionClasses {
 public:
  // `rules` must outlive it.
  explicit PositionClasses(const Rules* rules);

  const Rules& rules() const { return *rules_; }
  const std::vector<Symmetry>& symmetries() const { return symmetries_; }  // the identity first

  PositionClass ClassOf(const Position& position) const;
  // The move in the class's image; moves that a symmetry of the position maps onto each other are
  // one, the least of them.
  Move ToImage(const PositionClass& of, Move move) const;
  // Back into the position; the least of equal moves.
  Move FromImage(const PositionClass& of, Move move) const;
  // The class's image with counts as of a new game.
  Position Image(const Position& position) const;

 private:
  const Rules* rules_;
  std::vector<Symmetry> symmetries_;
  std::vector<size_t> inverses_;  // by number: which symmetry undoes it
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_OPENINGS_POSITION_CLASSES_H_
