// When a match may end: a sequential test of two hypotheses about the strength of a player.
#ifndef CROSSRIVER_SELFPLAY_SPRT_H_
#define CROSSRIVER_SELFPLAY_SPRT_H_

#include <cstdint>

#include "absl/status/status.h"
#include "selfplay/match_score.h"

namespace crossriver {

// H0: A leads by `elo0` (logistic Elo) or less. H1: by `elo1` or more.
struct SprtOptions {
  double elo0 = 0;
  double elo1 = 10;
  double alpha = 0.05;  // how often H1 may be accepted where H0 holds
  double beta = 0.05;   // and H0 where H1 holds
};

// OK, or the first option that can't be, with what was expected.
absl::Status Validate(const SprtOptions& options);

enum class SprtDecision : uint8_t { kContinue, kAcceptH0, kAcceptH1 };

struct SprtState {
  double llr = 0;    // log-likelihood ratio of H1 to H0, in nats
  double lower = 0;  // at or below it H0 is accepted
  double upper = 0;  // at or above it H1 is accepted
  SprtDecision decision = SprtDecision::kContinue;
};

// The state of the test after these results, which are to be looked at each time that a pair (or a
// single game) has ended, and no more once a decision has fallen. Options are valid.
//
// The bounds are Wald's (Sequential tests of statistical hypotheses, 1945): log(beta / (1 - alpha))
// and log((1 - beta) / alpha). The hypotheses say nothing of draws and of how the games of a pair
// depend on each other, so the ratio is that of the largest likelihoods under each (the generalised
// SPRT; M. Van den Bergh's notes on it for matches of engines):
//
//   LLR = D(s0) - D(s1),   s = ScoreOfElo(elo),
//
// with the exact D of ScoreLikelihood, which has an answer for results that have not occurred yet.
SprtState Sprt(const MatchScore& score, const SprtOptions& options);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_SPRT_H_
