// How many positions of a suite an evaluator solves, alone and by search.
#ifndef CROSSRIVER_SELFPLAY_SUITES_SUITE_SOLVER_H_
#define CROSSRIVER_SELFPLAY_SUITES_SUITE_SOLVER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/evaluator.h"
#include "mcts/options.h"
#include "selfplay/suites/suite.h"

namespace crossriver {

struct SolveOptions {
  std::vector<int64_t> visits = {1, 10, 100, 1000};  // of one search each
  RootPolicy root_policy = RootPolicy::kPuct;        // Gumbel without noise
  int at_a_time = 64;  // searches side by side: the size of the evaluator's batches
  uint64_t seed = 1;
  std::function<bool()> interrupted;               // may be empty
  std::function<void(int64_t searches)> progress;  // that have ended; may be empty
};

// OK, or what was expected: at least one number of visits, from 1 on and rising.
absl::Status Validate(const SolveOptions& options);

// How a position was solved, from 0 to 1 each.
struct SolvedPosition {
  // By the evaluator's likeliest move. Where several are equally likely, the share of them that
  // solve it: what a draw among them would get.
  double policy = 0;
  std::vector<double> by_visits;  // by the move that a search plays; one for each of the options
};

// One for each position of the suite. Each search begins with an empty tree. The evaluator is not
// owned and is called by this thread alone. Errors: the evaluator's; Cancelled when interrupted.
absl::StatusOr<std::vector<SolvedPosition>> SolveSuite(const Suite& suite, Evaluator* evaluator,
                                                       const SolveOptions& options);

// The shares of positions solved, of a group of them.
struct SolvedGroup {
  std::string name;  // "mate in 3", "captures", "mates", "all"
  int positions = 0;
  double policy = 0;  // mean, from 0 to 1
  std::vector<double> by_visits = {};
};

// Mates by length, captures, and all; groups without positions are left out.
std::vector<SolvedGroup> GroupSolved(const Suite& suite, const std::vector<SolvedPosition>& solved);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_SUITES_SUITE_SOLVER_H_
