// The symmetries of a variant, found from its tables.
#ifndef CROSSRIVER_CORE_SYMMETRY_H_
#define CROSSRIVER_CORE_SYMMETRY_H_

#include <array>
#include <string>
#include <vector>

#include "core/position.h"
#include "core/rules.h"
#include "core/types.h"

namespace crossriver {

// A permutation of the cells that acts on the cross-section (level, file) and keeps ranks.
class Symmetry {
 public:
  // Axes of the image: file' = flip_file(transposed ? level : file), and likewise for the level.
  // A transposition needs as many levels as files.
  Symmetry(const Topology& topology, bool transpose, bool flip_level, bool flip_file);

  const std::string& name() const { return name_; }  // "identity", "flip file", …
  Cell Map(Cell cell) const { return map_[static_cast<size_t>(cell)]; }
  SquareSet Map(SquareSet set) const;
  Move Map(Move move) const;
  Position Map(const Position& position) const;

 private:
  std::string name_;
  std::array<uint8_t, kMaxCells> map_ = {};
};

// Of all signed permutations of the cross-section axes, in a fixed order with the identity first:
struct SymmetryGroups {
  // Those that keep every table and zone: a move is legal exactly where its image is.
  std::vector<Symmetry> rules;
  // Of these, those that map the cells each piece can ever reach from the start position onto
  // themselves. The group to augment training data with: it leads to no positions play can't reach.
  std::vector<Symmetry> reach;
  // Of the rules group, those that keep the start position.
  std::vector<Symmetry> start;
};

SymmetryGroups FindSymmetries(const Rules& rules);

// The cells that each piece (by piece code) can reach in games from the start position, by moves,
// promotions, captures into hand and drops, whatever stands in its way.
std::vector<SquareSet> ReachableFromStart(const Rules& rules);

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_SYMMETRY_H_
