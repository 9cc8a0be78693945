#include "core/evaluator_pool.h"

#include <utility>

#include "core/check.h"

namespace crossriver {
namespace {

uint64_t CommonId(const std::vector<std::unique_ptr<Evaluator>>& evaluators) {
  CR_CHECK(!evaluators.empty());
  for (const auto& evaluator : evaluators) CR_CHECK(evaluator->id() == evaluators[0]->id());
  return evaluators[0]->id();
}

}  // namespace

EvaluatorPool::EvaluatorPool(std::vector<std::unique_ptr<Evaluator>> evaluators)
    : evaluators_(std::move(evaluators)), id_(CommonId(evaluators_)) {
  MutexLock lock(&mutex_);
  for (const auto& evaluator : evaluators_) free_.push_back(evaluator.get());
}

absl::Status EvaluatorPool::Evaluate(std::span<const EvaluationRequest> requests,
                                     std::span<Evaluation> results) {
  Evaluator* const evaluator = Take();
  absl::Status status = evaluator->Evaluate(requests, results);
  GiveBack(evaluator);
  return status;
}

Evaluator* EvaluatorPool::Take() {
  MutexLock lock(&mutex_);
  while (free_.empty()) returned_.Wait(&mutex_);
  Evaluator* const evaluator = free_.back();
  free_.pop_back();
  return evaluator;
}

void EvaluatorPool::GiveBack(Evaluator* evaluator) {
  MutexLock lock(&mutex_);
  free_.push_back(evaluator);
  returned_.NotifyOne();
}

}  // namespace crossriver
