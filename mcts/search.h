// The search: a resumable machine for one root that asks for evaluations and is never kept waiting.
//
//   Search search(options, StartPosition(rules));
//   search.Begin(limits);
//   Leaf* leaf = search.leaf(0);
//   while (search.NextLeaf(leaf) == Next::kLeaf) {
//     … evaluate leaf->request() …
//     search.Deliver(leaf, evaluation);
//   }
//   SearchResult result = search.Result();
//
// A walk goes (1) down from the root by the selection of each node, playing moves on the leaf's own
// position, to the first position without a node; (2) is answered there by the rules, or by the
// evaluator when the leaf is delivered; (3) carries the answer back up. Drivers (batch_driver.h,
// parallel_search.h) do the waiting.
#ifndef CROSSRIVER_MCTS_SEARCH_H_
#define CROSSRIVER_MCTS_SEARCH_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "core/adjudicator.h"
#include "core/history.h"
#include "core/mutex.h"
#include "core/position.h"
#include "mcts/backup.h"
#include "mcts/leaf.h"
#include "mcts/mate_solver.h"
#include "mcts/options.h"
#include "mcts/prune.h"
#include "mcts/random.h"
#include "mcts/result.h"
#include "mcts/root.h"
#include "mcts/stop_rules.h"
#include "mcts/tree.h"

namespace crossriver {

// What NextLeaf has to say.
enum class Next : uint8_t {
  kLeaf,  // the leaf is out: evaluate it, then Deliver or Cancel it
  kWait,  // nothing to hand out until one of the leaves that are out is back
  kDone,  // no more leaves in this search. Those that are out must still come back
};

// With SearchOptions::concurrent, NextLeaf, Deliver and Cancel may be called by several threads,
// each with leaves of its own; Stop by any thread at any time. All else wants the search to itself,
// and no leaf out. Results are equal for equal seeds and calls as long as one leaf is out at a
// time.
class Search {
 public:
  // `options` must be valid (Validate). The rules of `start` must outlive the search.
  Search(const SearchOptions& options, const Position& start);
  ~Search();
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  // Makes the position after the legal `moves` from `start` the root. What the tree knows of it is
  // kept where this game goes on from the one before; otherwise nothing, because repetitions count
  // from the start of the game. With Forget and SetOptions all is as in a new search. `start` has
  // the same rules. An illegal move is an error and leaves the search as it was.
  absl::Status SetGame(const Position& start, std::span<const Move> moves);
  // Plays a move of the root. An illegal one is an error.
  absl::Status Advance(Move move);

  // Drops all that the tree knows of the root.
  void Forget() { Restart(); }

  // Other options from the next Begin on, and random numbers anew from their seed. `options` must
  // be valid, with `tree_bytes` and `concurrent` as they are.
  void SetOptions(const SearchOptions& options);

  // Starts to count anew. `limits` must be valid.
  void Begin(const SearchLimits& limits);

  // Of the last Begin.
  const SearchLimits& limits() const { return stop_rules_.limits(); }
  // Whether NextLeaf would answer kDone now. No thread may be in the search.
  bool IsDone() { return ShouldStop(); }
  // Ends a search that has begun with a forced win of the root that was found by other means.
  void EndWithMate(const MateResult& mate);

  // The leaf of a number from 0 to max_leaves() - 1, which the search owns and makes when it is
  // first asked for. Drivers that come one after the other take the same ones.
  Leaf* leaf(int number);
  int max_leaves() const;

  Next NextLeaf(Leaf* leaf) {
    size_t num_out = 0;
    return NextLeaves({&leaf, 1}, &num_out);
  }
  // NextLeaf for several leaves at once, which threads on one tree are faster with: their walks
  // pass the root together, and walks through a move that has been visited often stay together.
  // Puts the leaves that are out first, and says how many these are, whatever it answers; kLeaf is
  // for all of them.
  Next NextLeaves(std::span<Leaf*> leaves, size_t* num_out);

  // The evaluation of a leaf that is out.
  void Deliver(Leaf* leaf, const Evaluation& evaluation) {
    DeliverAll({&leaf, 1}, {&evaluation, 1});
  }
  void DeliverAll(std::span<Leaf* const> leaves, std::span<const Evaluation> evaluations);
  // Takes a leaf that is out back without an evaluation. The walk counts as never begun.
  void Cancel(Leaf* leaf);

  // From now on NextLeaf answers kDone, until Begin.
  void Stop() { stop_.store(true, std::memory_order_relaxed); }

  SearchResult Result();

  const Position& root_position() const { return root_position_; }
  const History& root_history() const { return root_history_; }
  // Bytes of all that was allocated, used or not: within SearchOptions::tree_bytes, if no game is
  // longer than some 500 plies.
  size_t bytes() const;
  // Bytes of the tree's blocks in use, and nodes that came and went since the game was set.
  size_t tree_bytes() const { return tree_.arena().bytes_used(); }
  size_t CountNodes() const;

 private:
  enum class Walked : uint8_t {
    kLeaf,      // is to be evaluated
    kAnswered,  // has its answer already
    kBlocked,   // another walk has to come back first
    kOpened     // at a node with a move that wins, and goes on by it
  };
  enum class Descent : uint8_t {
    kOn,       // a ply deeper
    kArrived,  // at a node without evaluation
    kKnown,    // at a node that the rules or an earlier evaluation have settled
    kBlocked,  // another walk has to come back first
    kFull,     // there are as many visits as may be
  };

  bool AnyOut() const;
  int64_t CountEvaluations() const;
  void Restart();
  void UpdateRoot();
  bool ShouldStop();

  // The stages of a walk. Answers gather in a list until they are all counted at the root.
  size_t StartWalks(std::span<Leaf*> leaves, Descent* last);
  size_t Accompany(const Leaf& leader, std::span<Leaf*> leaves);
  Walked Walk(Leaf* leaf, std::vector<Arrival>* arrivals);
  Descent Descend(Leaf* leaf);
  Descent Choose(Leaf* leaf, Node* node);
  void Play(Leaf* leaf);
  Selection Select(const Node& node, size_t depth);
  Walked Arrive(Leaf* leaf, std::vector<Arrival>* arrivals);
  bool SeeWinningMove(Leaf* leaf);
  void OpenWon(Leaf* leaf);
  void TakeEvaluation(Leaf* leaf, const Evaluation& evaluation);
  void Answer(Leaf* leaf, const Wdl& wdl, std::vector<Arrival>* arrivals);
  void FinishAtRoot(std::vector<Arrival>* arrivals);
  void Rewind(Leaf* leaf);
  bool IsFull(const Node& root) const {
    return int64_t{root.edge_visits} - base_visits_ + root.in_flight >= stop_rules_.limits().visits;
  }
  Backup Up() { return Backup(&tree_, options_.draw_score, options_.concurrent); }

  // Threads in the tree, and one that wants it alone.
  void Enter(Leaf* leaf);
  void Exit(Leaf* leaf);
  bool NeedsRoom() const { return tree_.arena().free_blocks() < reserve_blocks_; }
  void MakeRoom(Leaf* leaf);

  SearchOptions options_;
  const Rules* rules_;

  Position start_;
  std::vector<Move> played_;
  Position root_position_;
  History root_history_;
  Outcome root_outcome_;
  uint64_t epoch_ = 0;  // of root_history_

  Tree tree_;
  Pruner pruner_;
  Root root_;
  size_t blocks_per_walk_;
  size_t reserve_blocks_;  // to be free when a walk begins
  std::vector<std::unique_ptr<Leaf>> leaves_;

  StopRules stop_rules_;
  int64_t base_visits_ = 0;  // of the root when this search began
  std::optional<MateResult> mate_;
  uint64_t searches_ = 0;
  RandomStream random_;
  std::atomic<bool> stop_ = false;
  std::atomic<bool> root_decided_ = false;
  std::atomic<StopReason> stopped_ = StopReason::kNone;

  Mutex alone_mutex_;
  std::atomic<bool> alone_ = false;
};

}  // namespace crossriver

#endif  // CROSSRIVER_MCTS_SEARCH_H_
