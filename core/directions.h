// The named direction sets of variant files.
#ifndef CROSSRIVER_CORE_DIRECTIONS_H_
#define CROSSRIVER_CORE_DIRECTIONS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/topology.h"

namespace crossriver {

// The vectors of a named set ("orthogonal", "forward_knight", …), or an empty list for a name there
// is not. "sideways" is along file and level; a diagonal is one unit along each of two axes.
std::vector<Vec3> NamedDirections(absl::string_view name);

// The names, for error messages.
const std::vector<std::string>& DirectionNames();

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_DIRECTIONS_H_
