#include "selfplay/sprt.h"

#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/check.h"
#include "nn/number_option.h"
#include "selfplay/score_likelihood.h"

namespace crossriver {
namespace {

// Beyond it a score is as good as 0 or 1.
constexpr double kMaxElo = 2000;
constexpr double kMinError = 1e-9;
constexpr double kMaxError = 0.49;

const std::vector<NumberOption<SprtOptions, double>>& Numbers() {
  static const auto& numbers = *new std::vector<NumberOption<SprtOptions, double>>{
      {"elo0", &SprtOptions::elo0, -kMaxElo, kMaxElo},
      {"elo1", &SprtOptions::elo1, -kMaxElo, kMaxElo},
      {"alpha", &SprtOptions::alpha, kMinError, kMaxError},
      {"beta", &SprtOptions::beta, kMinError, kMaxError},
  };
  return numbers;
}

}  // namespace

absl::Status Validate(const SprtOptions& options) {
  absl::Status status = CheckRanges(Numbers(), options);
  if (status.ok() && options.elo0 >= options.elo1) {
    return absl::InvalidArgumentError(
        absl::StrCat("elo1: expected more than elo0 (", options.elo0, "), got ", options.elo1));
  }
  return status;
}

SprtState Sprt(const MatchScore& score, const SprtOptions& options) {
  CR_DCHECK(Validate(options).ok());
  const ScoreLikelihood likelihood(score);
  SprtState state;
  state.llr = likelihood.Loss(ScoreOfElo(options.elo0)) - likelihood.Loss(ScoreOfElo(options.elo1));
  state.lower = std::log(options.beta / (1 - options.alpha));
  state.upper = std::log((1 - options.beta) / options.alpha);
  if (state.llr <= state.lower) state.decision = SprtDecision::kAcceptH0;
  if (state.llr >= state.upper) state.decision = SprtDecision::kAcceptH1;
  return state;
}

}  // namespace crossriver
