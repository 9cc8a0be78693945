// Evaluators of one thread each, as one for all threads.
#ifndef CROSSRIVER_CORE_EVALUATOR_POOL_H_
#define CROSSRIVER_CORE_EVALUATOR_POOL_H_

#include <memory>
#include <span>
#include <vector>

#include "core/evaluator.h"
#include "core/mutex.h"

namespace crossriver {

// Hands each call to an evaluator that is free, and lets calls wait while there is none. All member
// functions may be called from several threads.
class EvaluatorPool : public Evaluator {
 public:
  // At least one; all with the same id.
  explicit EvaluatorPool(std::vector<std::unique_ptr<Evaluator>> evaluators);

  absl::Status Evaluate(std::span<const EvaluationRequest> requests,
                        std::span<Evaluation> results) override;
  uint64_t id() const override { return id_; }

 private:
  Evaluator* Take();
  void GiveBack(Evaluator* evaluator);

  const std::vector<std::unique_ptr<Evaluator>> evaluators_;
  const uint64_t id_;
  Mutex mutex_;
  CondVar returned_;
  std::vector<Evaluator*> free_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_EVALUATOR_POOL_H_
