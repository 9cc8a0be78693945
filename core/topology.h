// The shape of a board: a box of levels x files x ranks, and the names of its cells.
#ifndef CROSSRIVER_CORE_TOPOLOGY_H_
#define CROSSRIVER_CORE_TOPOLOGY_H_

#include <string>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/square_set.h"
#include "core/types.h"

namespace crossriver {

// A position or a direction in the box. Directions are the first player's: +rank is forward.
struct Vec3 {
  int level = 0;
  int file = 0;
  int rank = 0;

  friend constexpr Vec3 operator+(Vec3 a, Vec3 b) {
    return {a.level + b.level, a.file + b.file, a.rank + b.rank};
  }
  friend constexpr Vec3 operator*(Vec3 v, int n) { return {v.level * n, v.file * n, v.rank * n}; }
  friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
  friend constexpr bool operator<(const Vec3& a, const Vec3& b) {
    return std::tie(a.level, a.file, a.rank) < std::tie(b.level, b.file, b.rank);
  }
};

// A cell's name is the letter of its column and its rank from 1: "e5". A column is a (level, file)
// pair; on a folded board the letters run on from level to level as the definition lays them out.
// Immutable after Create; safe to share between threads.
class Topology {
 public:
  // `levels` lists for each level, from the top, its column letters from left to right:
  // {"abc", "fed", "ghi"}. Errors: ragged levels, letters that are not a.. in some order,
  // no ranks, more than kMaxCells cells.
  static absl::StatusOr<Topology> Create(const std::vector<std::string>& levels, int ranks);

  int levels() const { return levels_; }
  int files() const { return files_; }
  int ranks() const { return ranks_; }
  int columns() const { return levels_ * files_; }
  int num_cells() const { return columns() * ranks_; }
  SquareSet all() const { return SquareSet::FirstCells(num_cells()); }

  bool Contains(Vec3 at) const {
    return at.level >= 0 && at.level < levels_ && at.file >= 0 && at.file < files_ &&
           at.rank >= 0 && at.rank < ranks_;
  }
  Cell CellAt(Vec3 at) const { return (at.rank * levels_ + at.level) * files_ + at.file; }
  Vec3 At(Cell cell) const {
    return {cell / files_ % levels_, cell % files_, cell / files_ / levels_};
  }

  // Letters: column 0 is 'a'. A column of letters is not a file of the box on a folded board.
  Cell CellOf(int letter_column, int rank) const {
    return rank * columns() + column_place_[static_cast<size_t>(letter_column)];
  }
  int LetterColumn(Cell cell) const { return place_column_[static_cast<size_t>(cell % columns())]; }
  int Rank(Cell cell) const { return cell / columns(); }
  // All cells of the column of `cell`: the same level and file, every rank.
  SquareSet Column(Cell cell) const;

  // The cell of the same column with the ranks turned over: what the second player sees.
  Cell MirrorRank(Cell cell) const {
    return (ranks_ - 1 - Rank(cell)) * columns() + cell % columns();
  }
  SquareSet MirrorRank(SquareSet set) const;

  std::string Name(Cell cell) const;

  friend bool operator==(const Topology&, const Topology&) = default;

 private:
  int levels_ = 0;
  int files_ = 0;
  int ranks_ = 0;
  std::vector<int> column_place_;  // letter column -> level * files + file
  std::vector<int> place_column_;  // and back
};

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_TOPOLOGY_H_
