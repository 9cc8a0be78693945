// What a trainer is made of between two steps. Includes LibTorch.
#ifndef CROSSRIVER_NN_TRAINER_STATE_H_
#define CROSSRIVER_NN_TRAINER_STATE_H_

#include <cstdint>

#include "nn/tensor_map.h"

namespace crossriver {

struct TrainerState {
  int64_t step = 0;     // steps done
  TensorMap weights;    // parameters and running norm statistics
  TensorMap average;    // averaged parameters (EMA)
  TensorMap optimizer;  // by parameter name, see NamedOptimizer
};

}  // namespace crossriver

#endif  // CROSSRIVER_NN_TRAINER_STATE_H_
