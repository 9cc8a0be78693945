// Which move of a node a walk takes.
#ifndef CROSSRIVER_MCTS_SELECT_H_
#define CROSSRIVER_MCTS_SELECT_H_

#include "mcts/options.h"
#include "mcts/tree.h"

namespace crossriver {

// What a selection has come to: a tracked edge or, where `next_untracked` is set, the first edge
// without statistics. Neither: no edge can take another walk.
struct Selection {
  EdgeRef edge;
  bool next_untracked = false;

  bool none() const { return edge.stats == nullptr && !next_untracked; }
};

// Both skip moves that are proven to lose and edges with kMaxInFlight walks. A walk without an
// answer counts as a visit; in PUCT as one that was lost (virtual loss), so that simultaneous walks
// part. `node` is open and not exact. `draw_score`: to the side to move at the node.
//
// PUCT as in PuctOptions, with its forced playouts where `at_root`.
Selection SelectPuct(Tree* tree, const Node& node, const PuctOptions& options, float draw_score,
                     bool at_root);

// Gumbel AlphaZero below the root (Danihelka et al. 2022, section 5): the move whose share in the
// improved policy exceeds its share of the visits most: argmax pi'(a) - N(a) / (1 + sum_b N(b)),
// pi' = softmax(logits + sigma(completed Q)).
Selection SelectGumbelInterior(Tree* tree, const Node& node, const GumbelOptions& options,
                               float draw_score);

}  // namespace crossriver

#endif  // CROSSRIVER_MCTS_SELECT_H_
