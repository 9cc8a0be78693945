// What a side has more than the other, as numbers: the input of the model of piece values.
#ifndef CROSSRIVER_SELFPLAY_REPORT_MATERIAL_COLUMNS_H_
#define CROSSRIVER_SELFPLAY_REPORT_MATERIAL_COLUMNS_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/position.h"
#include "core/rules.h"

namespace crossriver {

// One number of the material difference: pieces of a kind on the board, or in hand.
struct MaterialColumn {
  Kind kind = kNoKind;
  bool in_hand = false;
  std::string name;  // for people: "Point", "Point in hand"
  int in_array = 0;  // how many each side begins with
  double prior = 0;  // points by PieceValues, from the moves of the kind alone
  // Whether it can come up in a game from the array, by promotions and captures: variants inherit
  // pieces that they do not use.
  bool in_play = false;
};

// The columns of a variant: a column for every kind but the royal one, and one more for every kind
// that may be in hand. A pending form counts as the kind that it is the form of. Immutable.
class MaterialColumns {
 public:
  // `rules` must outlive the object.
  explicit MaterialColumns(const Rules& rules);

  const Rules& rules() const { return rules_; }
  int size() const { return static_cast<int>(columns_.size()); }
  const MaterialColumn& column(int i) const { return columns_[static_cast<size_t>(i)]; }
  // Writes what the first player has more, one number a column.
  void Differences(const Position& position, std::span<int8_t> differences) const;

 private:
  const Rules& rules_;
  std::vector<MaterialColumn> columns_;
  std::array<int, kMaxKinds> on_board_;  // the column of a kind, or -1
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_REPORT_MATERIAL_COLUMNS_H_
