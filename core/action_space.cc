#include "core/action_space.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/fingerprint.h"

namespace crossriver {

ActionSpace::ActionSpace(const Rules* rules) : rules_(rules) {
  bool promotes = false;
  for (Kind kind = 0; kind < rules->num_kinds(); ++kind) {
    promotes |= rules->tables(kind, Side::kFirst).promotes;
  }
  const int cells = rules->num_cells();
  if (promotes) promotion_row_ = cells;
  drop_row_ = promotes ? 2 * cells : cells;
  rows_ = drop_row_;
  row_of_hand_kind_.assign(static_cast<size_t>(rules->num_kinds()), -1);
  for (const Kind kind : rules->hand_kinds()) {
    row_of_hand_kind_[static_cast<size_t>(kind)] = rows_++;
  }
  hash_ = HashBytes(absl::StrCat(cells, " ", absl::StrJoin(RowNames(), " ")));
}

ActionSpace::Action ActionSpace::Of(Move move, Side side) const {
  const int column = Seen(move.to(), side);
  if (move.is_drop()) return {row_of_hand_kind_[static_cast<size_t>(move.drop_kind())], column};
  return {Seen(move.from(), side) + (move.promotes() ? promotion_row_ : 0), column};
}

Move ActionSpace::MoveOf(int index, Side side) const {
  CR_CHECK(index >= 0 && index < size());
  const int row = index / columns();
  const Cell to = Seen(index % columns(), side);
  if (row >= drop_row_) {
    return Move::Drop(rules_->hand_kinds()[static_cast<size_t>(row - drop_row_)], to);
  }
  const bool promotes = promotion_row_ >= 0 && row >= promotion_row_;
  return Move::Board(Seen(promotes ? row - promotion_row_ : row, side), to, promotes);
}

std::vector<std::string> ActionSpace::RowNames() const {
  std::vector<std::string> names;
  for (const char* suffix : {"", "+"}) {
    if (*suffix == '+' && promotion_row_ < 0) continue;
    for (Cell cell = 0; cell < rules_->num_cells(); ++cell) {
      names.push_back(absl::StrCat(rules_->topology().Name(cell), suffix));
    }
  }
  for (const Kind kind : rules_->hand_kinds()) {
    names.push_back(absl::StrCat("drop ", rules_->kind(kind).id));
  }
  return names;
}

}  // namespace crossriver
