// Where walks end: games that are over, moves that win at once, evaluations asked for and taken.
#include "core/movegen.h"
#include "mcts/backup.h"
#include "mcts/search.h"
#include "mcts/winning_move.h"

namespace crossriver {

// At a pending node that is this walk's alone.
Search::Walked Search::Arrive(Leaf* leaf, std::vector<Arrival>* arrivals) {
  GenerateLegalMoves(leaf->position_, &leaf->moves_);
  const Outcome outcome = Adjudicate(leaf->position_, leaf->history_, !leaf->moves_.empty());
  if (outcome.is_over()) {
    Node& node = tree_.node(leaf->node_);
    {
      NodeLock lock(&node, options_.concurrent);
      node.state = NodeState::kTerminal;
      node.bounds = Bounds::Exact(WorthOf(outcome.result));
      node.depends_on_path = outcome.depends_on_path();
      if (outcome.result != Result::kDraw) node.mate_distance = 0;
    }
    Answer(leaf, ExactWdl(WorthOf(outcome.result)), arrivals);
    return Walked::kAnswered;
  }
  leaf->horizon_ = options_.max_plies > 0 && !leaf->path_.empty() &&
                   leaf->history_.plies() >= options_.max_plies;
  if (SeeWinningMove(leaf) && !leaf->path_.empty()) {
    OpenWon(leaf);
    return Walked::kOpened;
  }
  leaf->out_ = true;
  leaf->CountEvaluations(1);
  return Walked::kLeaf;
}

// A search without a visit tells what the evaluator thinks of the root, unchanged.
bool Search::SeeWinningMove(Leaf* leaf) {
  leaf->winning_.reset();
  const bool only_evaluates = leaf->path_.empty() && stop_rules_.limits().visits == 0;
  if (options_.see_winning_moves && !leaf->horizon_ && !only_evaluates) {
    leaf->winning_ = FindWinningMove(&leaf->position_, leaf->moves_);
  }
  return leaf->winning_.has_value();
}

// The walk's node becomes one like those that were evaluated, and its best move the one that wins.
void Search::OpenWon(Leaf* leaf) {
  Node& node = tree_.node(leaf->node_);
  NodeLock lock(&node, options_.concurrent);
  node.raw_win = 1;
  node.raw_draw = 0;
  node.visits = 1;  // its own, as if it had been evaluated
  node.win_sum = 1;
  tree_.SetEdges(&node, leaf->moves_, LogPriorsOfWin(leaf->moves_.size(), *leaf->winning_),
                 &leaf->cache_);
  node.state = NodeState::kOpen;
  --node.in_flight;  // counted again when the walk goes on
}

void Search::Answer(Leaf* leaf, const Wdl& wdl, std::vector<Arrival>* arrivals) {
  Up().Climb(leaf->path_, leaf->node_, wdl, arrivals);
  Rewind(leaf);
}

void Search::FinishAtRoot(std::vector<Arrival>* arrivals) {
  if (arrivals->empty()) return;
  if (Up().FinishAtRoot(*arrivals)) root_decided_.store(true, std::memory_order_relaxed);
  arrivals->clear();
}

void Search::Rewind(Leaf* leaf) {
  for (size_t i = 0; i < leaf->path_.size(); ++i) leaf->history_.Pop();
  leaf->path_.clear();
}

void Search::DeliverAll(std::span<Leaf* const> leaves, std::span<const Evaluation> evaluations) {
  Leaf* const mark = leaves[0];
  Enter(mark);
  if (options_.concurrent) Up().Prefetch(leaves[0]->path_);
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (options_.concurrent && i + 1 < leaves.size()) Up().Prefetch(leaves[i + 1]->path_);
    TakeEvaluation(leaves[i], evaluations[i]);
    Answer(leaves[i], evaluations[i].wdl, &mark->arrivals_);
    leaves[i]->out_ = false;
  }
  FinishAtRoot(&mark->arrivals_);
  Exit(mark);
}

void Search::TakeEvaluation(Leaf* leaf, const Evaluation& evaluation) {
  CR_CHECK(leaf->out_);
  CR_CHECK(evaluation.log_priors.size() == leaf->moves_.size());
  Node& node = tree_.node(leaf->node_);
  NodeLock lock(&node, options_.concurrent);
  node.raw_win = evaluation.wdl.win;
  node.raw_draw = evaluation.wdl.draw;
  if (leaf->horizon_) {
    node.state = NodeState::kHorizon;
    return;
  }
  if (leaf->winning_.has_value()) {  // the root
    const std::vector<float> log_priors = LogPriorsOfWin(leaf->moves_.size(), *leaf->winning_);
    tree_.SetEdges(&node, leaf->moves_, log_priors, &leaf->cache_);
  } else {
    tree_.SetEdges(&node, leaf->moves_, evaluation.log_priors, &leaf->cache_);
  }
  if (leaf->path_.empty()) {
    root_.Prepare(&tree_, options_, stop_rules_.limits(), &random_, &leaf->cache_);
  }
  node.state = NodeState::kOpen;
}

void Search::Cancel(Leaf* leaf) {
  CR_CHECK(leaf->out_);
  Enter(leaf);
  Up().TakeBack(leaf->path_, leaf->node_, &leaf->arrivals_);
  FinishAtRoot(&leaf->arrivals_);
  Rewind(leaf);
  Exit(leaf);
  leaf->out_ = false;
  leaf->CountEvaluations(-1);
}

}  // namespace crossriver
