#include "core/variant.h"

#include <algorithm>
#include <cstdlib>

namespace crossriver {
namespace {

// The part of `component` covered after `step` of `steps` steps, when an axis starts moving only as
// late as it must.
int Covered(int component, int step, int steps) {
  const int covered = std::max(0, step - (steps - std::abs(component)));
  return component < 0 ? -covered : covered;
}

}  // namespace

std::vector<Vec3> LeapPath(Vec3 vector) {
  const int steps =
      std::max({std::abs(vector.level), std::abs(vector.file), std::abs(vector.rank)});
  std::vector<Vec3> path;
  for (int step = 1; step < steps; ++step) {
    path.push_back({Covered(vector.level, step, steps), Covered(vector.file, step, steps),
                    Covered(vector.rank, step, steps)});
  }
  return path;
}

}  // namespace crossriver
