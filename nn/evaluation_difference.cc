#include "nn/evaluation_difference.h"

#include <algorithm>
#include <cmath>

namespace crossriver {
namespace {

size_t BestOf(const Evaluation& evaluation) {
  const auto& priors = evaluation.log_priors;
  return static_cast<size_t>(std::max_element(priors.begin(), priors.end()) - priors.begin());
}

void Add(const Evaluation& a, const Evaluation& b, EvaluationDifference* sum) {
  ++sum->positions;
  for (size_t i = 0; i < a.log_priors.size(); ++i) {
    const double p = std::exp(a.log_priors[i]), q = std::exp(b.log_priors[i]);
    if (p > 0) sum->mean_divergence += p * (a.log_priors[i] - b.log_priors[i]);
    sum->max_policy = std::max(sum->max_policy, std::abs(p - q));
  }
  if (BestOf(a) == BestOf(b)) ++sum->same_best;
  sum->mean_value += std::abs((a.wdl.win - a.wdl.loss) - (b.wdl.win - b.wdl.loss));
  for (float Wdl::*part : {&Wdl::win, &Wdl::draw, &Wdl::loss}) {
    sum->max_wdl = std::max<double>(sum->max_wdl, std::abs(a.wdl.*part - b.wdl.*part));
  }
}

}  // namespace

absl::StatusOr<EvaluationDifference> CompareEvaluators(Evaluator* first, Evaluator* second,
                                                       const std::vector<SamplePosition>& samples) {
  std::vector<EvaluationRequest> requests;
  for (const SamplePosition& sample : samples) requests.push_back(sample.request());
  std::vector<Evaluation> a(samples.size()), b(samples.size());
  absl::Status status = first->Evaluate(requests, a);
  if (status.ok()) status = second->Evaluate(requests, b);
  if (!status.ok()) return status;
  EvaluationDifference difference;
  for (size_t i = 0; i < samples.size(); ++i) Add(a[i], b[i], &difference);
  const double count = std::max<double>(1, difference.positions);
  for (double* mean :
       {&difference.mean_divergence, &difference.same_best, &difference.mean_value}) {
    *mean /= count;
  }
  return difference;
}

}  // namespace crossriver
