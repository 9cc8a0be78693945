#include "selfplay/openings/position_classes.h"

#include <algorithm>
#include <utility>

#include "core/check.h"

namespace crossriver {
namespace {

constexpr int kFirstMoveNumber = 1;

bool Undoes(const Symmetry& second, const Symmetry& first, int num_cells) {
  for (Cell cell = 0; cell < num_cells; ++cell) {
    if (second.Map(first.Map(cell)) != cell) return false;
  }
  return true;
}

}  // namespace

PositionClasses::PositionClasses(const Rules* rules)
    : rules_(rules), symmetries_(FindSymmetries(*rules).start) {
  for (const Symmetry& symmetry : symmetries_) {
    const auto inverse = std::find_if(
        symmetries_.begin(), symmetries_.end(),
        [&](const Symmetry& other) { return Undoes(other, symmetry, rules->num_cells()); });
    CR_CHECK(inverse != symmetries_.end());
    inverses_.push_back(static_cast<size_t>(inverse - symmetries_.begin()));
  }
}

PositionClass PositionClasses::ClassOf(const Position& position) const {
  PositionClass found = {position.key(), {0}};
  for (size_t i = 1; i < symmetries_.size(); ++i) {
    const uint64_t key = symmetries_[i].Map(position).key();
    if (key > found.key) continue;
    if (key < found.key) found.to_image.clear();
    found.key = key;
    found.to_image.push_back(static_cast<uint8_t>(i));
  }
  return found;
}

Move PositionClasses::ToImage(const PositionClass& of, Move move) const {
  Move least = symmetries_[of.to_image.front()].Map(move);
  for (const uint8_t i : of.to_image) least = std::min(least, symmetries_[i].Map(move));
  return least;
}

Move PositionClasses::FromImage(const PositionClass& of, Move move) const {
  Move least = symmetries_[inverses_[of.to_image.front()]].Map(move);
  for (const uint8_t i : of.to_image) {
    least = std::min(least, symmetries_[inverses_[i]].Map(move));
  }
  return least;
}

Position PositionClasses::Image(const Position& position) const {
  Position image = symmetries_[ClassOf(position).to_image.front()].Map(position);
  image.SetCounts(0, kFirstMoveNumber);
  return image;
}

}  // namespace crossriver
