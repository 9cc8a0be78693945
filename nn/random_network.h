// Networks that know nothing yet, for callers without LibTorch.
#ifndef CROSSRIVER_NN_RANDOM_NETWORK_H_
#define CROSSRIVER_NN_RANDOM_NETWORK_H_

#include <cstdint>
#include <memory>

#include "core/rules.h"
#include "nn/network_options.h"

namespace crossriver {

class Network;

// In evaluation mode. The same weights for the same arguments (and LibTorch). Not to be called
// while another thread draws from LibTorch's generator.
std::shared_ptr<Network> RandomNetwork(const NetworkOptions& options, const Rules& rules,
                                       uint64_t seed);

}  // namespace crossriver

#endif  // CROSSRIVER_NN_RANDOM_NETWORK_H_
