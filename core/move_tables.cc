#include "core/move_tables.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace crossriver {

RayTables::RayTables(const Topology& topology, std::vector<Vec3> directions)
    : num_cells_(topology.num_cells()), directions_(std::move(directions)) {
  const auto cells = static_cast<size_t>(num_cells_);
  rays_.resize(directions_.size() * cells);
  between_.resize(cells * cells);
  for (size_t d = 0; d < directions_.size(); ++d) {
    const Vec3 v = directions_[d];
    increasing_.push_back(std::tuple(v.rank, v.level, v.file) > std::tuple(0, 0, 0));
    for (Cell cell = 0; cell < num_cells_; ++cell) {
      SquareSet passed;
      for (Vec3 at = topology.At(cell) + v; topology.Contains(at); at = at + v) {
        const Cell reached = topology.CellAt(at);
        between_[static_cast<size_t>(reached * num_cells_ + cell)] = passed;
        passed.Add(reached);
      }
      rays_[d * cells + static_cast<size_t>(cell)] = passed;
    }
  }
}

int RayTables::DirectionIndex(Vec3 vector) const {
  const auto found = std::find(directions_.begin(), directions_.end(), vector);
  CR_CHECK(found != directions_.end());
  return static_cast<int>(found - directions_.begin());
}

}  // namespace crossriver
