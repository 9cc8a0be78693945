// What a search may be told. One implementation serves self-play, matches and analysis.
#ifndef CROSSRIVER_MCTS_OPTIONS_H_
#define CROSSRIVER_MCTS_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace crossriver {

// How visits are spread at the root. Below it each has the selection that fits.
enum class RootPolicy : uint8_t { kPuct, kGumbel };

// How the move to play follows from the visits of a PUCT search.
enum class FinalMove : uint8_t {
  kVisits,               // the most visited
  kLowerConfidenceBound  // the best lower bound of the value among well visited ones
};

// PUCT (Silver et al. 2018): argmax Q(a) + c(N) P(a) sqrt(N) / (1 + n(a)), Q from -1 to 1 and
// c(N) = c_init + c_factor log((1 + N + c_base) / c_base).
struct PuctOptions {
  float c_init = 1.75F;
  float c_factor = 1.0F;
  float c_base = 19652.0F;
  // A move without a visit has the value of its parent less this times the square root of the
  // prior of the visited moves (first-play urgency).
  float fpu_reduction = 0.25F;

  // Root only, for self-play. The share of Dirichlet noise in the priors; its parameters sum to
  // `noise_total`, so that each is noise_total / (number of legal moves).
  float noise_share = 0.0F;
  float noise_total = 10.0F;
  // Root only: a visited move gets at least sqrt(forced_playouts P(a) N) visits, and the policy
  // target is pruned of them (Wu 2019). 0 = none.
  float forced_playouts = 0.0F;
};

// Gumbel AlphaZero (Danihelka et al. 2022), Q from 0 to 1.
struct GumbelOptions {
  int sampled_moves = 16;  // that sequential halving begins with; fewer legal moves do as well
  // sigma(q) = (c_visit + max_b N(b)) c_scale q.
  float c_visit = 50.0F;
  float c_scale = 1.0F;
  // Whether Gumbel noise is added to the logits. Off in matches and in searches whose policy is no
  // target: then sampled_moves are the best by prior.
  bool noise = true;
};

struct SearchOptions {
  RootPolicy root_policy = RootPolicy::kPuct;
  PuctOptions puct;
  GumbelOptions gumbel;
  FinalMove final_move = FinalMove::kVisits;
  // A bound lies `lcb_deviations` standard errors below the mean; moves with less than
  // `lcb_min_share` of the most visited move's visits are no candidates.
  float lcb_deviations = 3.0F;
  float lcb_min_share = 0.15F;

  // What a draw is worth to the side to move at the root, from 0 (a loss) to 1 (a win). To the
  // other side it is worth the rest, so the game stays one of zero sum.
  float draw_score = 0.5F;

  // Positions so many plies after the start of the game are evaluated and not searched further.
  // They are no draws. 0 = no limit. The root is always searched.
  int max_plies = 0;

  // Whether a position in which a move wins at once (winning_move.h) is known for won when a walk
  // comes to it, without an evaluation. At the root such a move has nearly all of the prior, except
  // in a search without a visit.
  bool see_winning_moves = true;

  // Hard bound of everything a search allocates. Subtrees that were visited least and longest ago
  // make room. At least kMinTreeBytes.
  size_t tree_bytes = size_t{64} << 20;

  // Set where several threads call a search at once; a search of one thread does without locks.
  bool concurrent = false;

  // Everything random follows from it.
  uint64_t seed = 1;
};

inline constexpr size_t kMinTreeBytes = size_t{1} << 19;

inline constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

// When a search of one root ends; whichever comes first. A proven root ends it always.
struct SearchLimits {
  // Walks from the root to a leaf and back in this search. The evaluation of a new root is none,
  // and what a reused tree brings along does not count. The Gumbel policy needs this limit.
  int64_t visits = kNoLimit;
  // Positions evaluated in this search.
  int64_t nodes = kNoLimit;
  absl::Duration time = absl::InfiniteDuration();
  // Ends when the root's visit distribution changes by less than this a visit: Kullback-Leibler
  // divergence from one look to the next, `kl_interval` visits apart, divided by those visits.
  double min_kl_gain = 0;
  int kl_interval = 100;
  // Ends when the second move can no longer overtake the first within the visits that are left.
  // With a time limit alone they are estimated. PUCT with FinalMove::kVisits only.
  bool stop_when_clear = false;
};

// Both name the field and what was expected.
absl::Status Validate(const SearchOptions& options);
absl::Status Validate(const SearchLimits& limits, const SearchOptions& options);

}  // namespace crossriver

#endif  // CROSSRIVER_MCTS_OPTIONS_H_
