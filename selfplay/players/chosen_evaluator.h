// An evaluator that was asked for, and how to call it.
#ifndef CROSSRIVER_SELFPLAY_PLAYERS_CHOSEN_EVALUATOR_H_
#define CROSSRIVER_SELFPLAY_PLAYERS_CHOSEN_EVALUATOR_H_

#include <cstdint>
#include <memory>

#include "core/evaluator.h"

namespace crossriver {

struct ChosenEvaluator {
  std::unique_ptr<Evaluator> evaluator;
  bool is_thread_safe = false;
  int batch = 1;  // positions a call that it is fast with
  // Equal for equal weights, on any device and in any numeric type, unlike Evaluator::id; 0: there
  // are none.
  uint64_t identity = 0;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_PLAYERS_CHOSEN_EVALUATOR_H_
