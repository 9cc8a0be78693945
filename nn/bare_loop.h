// Forward passes and nothing else: what evaluation could reach at most. Needs no LibTorch.
#ifndef CROSSRIVER_NN_BARE_LOOP_H_
#define CROSSRIVER_NN_BARE_LOOP_H_

#include <atomic>
#include <cstdint>
#include <memory>

#include "nn/network_evaluator.h"

namespace crossriver {

// Runs a model's network over one batch of random input again and again.
class BareLoop {
 public:
  explicit BareLoop(std::shared_ptr<const InferenceModel> model);
  ~BareLoop();

  // Until `stop`; returns the positions passed. May be called from several threads at once.
  int64_t Run(const std::atomic<bool>& stop) const;

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_NN_BARE_LOOP_H_
