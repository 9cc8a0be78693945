// The trained networks that come with the program.
#ifndef CROSSRIVER_TOOLS_SHIPPED_NETWORKS_H_
#define CROSSRIVER_TOOLS_SHIPPED_NETWORKS_H_

#include <optional>
#include <string>

#include "core/rules.h"

namespace crossriver {

// The file of the network for a variant that is built in: ID.safetensors, else FAMILY.safetensors.
// They lie in the folder that the environment variable CROSSRIVER_NETS names, or else in
// configs/nets of the source tree in whose build folder the program is. None where there is none,
// and for a user's own variant, unless its rules are those of the built-in one of its id.
std::optional<std::string> ShippedNetwork(const Rules& rules);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_SHIPPED_NETWORKS_H_
