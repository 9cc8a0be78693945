// The root's own ways: noise, forced playouts, sequential halving, and counts of this search alone.
#ifndef CROSSRIVER_MCTS_ROOT_H_
#define CROSSRIVER_MCTS_ROOT_H_

#include <cstdint>
#include <vector>

#include "mcts/gumbel.h"
#include "mcts/options.h"
#include "mcts/random.h"
#include "mcts/select.h"
#include "mcts/tree.h"

namespace crossriver {

// State of one search of one root. Moves are numbered as the root's edges: by falling prior.
// Guarded by the root node's lock where several threads search.
class Root {
 public:
  // At the start of a search of an open root, or when a new root has been evaluated: gives all its
  // edges statistics and draws the noise.
  void Prepare(Tree* tree, const SearchOptions& options, const SearchLimits& limits,
               RandomStream* random, Arena::Cache* cache);
  void Reset() { *this = Root(); }
  bool ready() const { return !log_priors_.empty(); }

  // The edge the next walk takes. None: no walk can begin until an answer comes.
  Selection Select(Tree* tree);
  // The move that Gumbel plays, as an edge's index.
  int ChooseGumbel(Tree* tree) const;
  std::vector<float> GumbelPolicy(Tree* tree) const;
  // Visits less the forced ones that were not worth it, as shares (Wu 2019, section 3.2). With no
  // visit at all, the priors.
  std::vector<float> PuctPolicy(Tree* tree) const;

  // Natural logarithms of the evaluator's priors, without noise.
  const std::vector<float>& log_priors() const { return log_priors_; }
  // Of the edge in this search, answers only.
  int64_t NewVisits(const EdgeRef& ref) const {
    return ref.stats->visits[ref.lane] - base_visits_[static_cast<size_t>(ref.index)];
  }

 private:
  void SetDirichletNoise(Tree* tree, RandomStream* random) const;
  SequentialHalving::Count CountOf(Tree* tree, int move) const;
  // Noise + logit + sigma(completed Q) of each move; sigma's N counts this search alone.
  std::vector<float> GumbelScores(Tree* tree) const;
  // Calls use(inputs) with what the tree says of the root.
  template <typename Use>
  auto WithInputs(Tree* tree, Use use) const;

  SearchOptions options_;
  std::vector<float> log_priors_;
  std::vector<int64_t> base_visits_;  // that a reused tree brought along
  std::vector<float> noise_;          // Gumbel
  SequentialHalving halving_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_MCTS_ROOT_H_
