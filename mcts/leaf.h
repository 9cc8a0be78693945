// A position on its way from a search to an evaluator and back.
#ifndef CROSSRIVER_MCTS_LEAF_H_
#define CROSSRIVER_MCTS_LEAF_H_

#include <atomic>
#include <optional>
#include <vector>

#include "core/evaluator.h"
#include "core/history.h"
#include "core/position.h"
#include "mcts/arena.h"
#include "mcts/backup.h"

namespace crossriver {

// A place for one walk through the tree at a time, with a position and a history of its own. Made
// by Search::leaf and used again and again, so that walks allocate nothing. One thread at a time
// may use it.
class Leaf {
 public:
  // What is to be evaluated; valid from NextLeaf until Deliver or Cancel.
  EvaluationRequest request() const { return {&position_, &history_, moves_}; }

  Leaf(const Leaf&) = delete;
  Leaf& operator=(const Leaf&) = delete;

 private:
  friend class Search;
  static constexpr size_t kHistoryBytesPerPly = 16;

  explicit Leaf(const Position& position) : position_(position), history_(position) {}

  // With all it holds.
  size_t bytes() const {
    return sizeof(Leaf) + moves_.capacity() * sizeof(Move) + path_.capacity() * sizeof(Step) +
           arrivals_.capacity() * sizeof(Arrival) + Arena::kBatch * sizeof(BlockIndex) +
           static_cast<size_t>(history_.plies() + 1) * kHistoryBytesPerPly;
  }

  // One thread writes, others may read.
  void CountEvaluations(int change) {
    evaluations_.store(evaluations_.load(std::memory_order_relaxed) + change,
                       std::memory_order_relaxed);
  }

  Position position_;
  History history_;
  std::vector<Move> moves_;
  std::vector<Step> path_;  // from the root, the leaf excluded
  BlockIndex node_ = kNoBlock;
  Move move_;                      // the step down that is to be played next
  std::vector<Arrival> arrivals_;  // of the walks of a call that this leaf comes first in
  Wdl known_;                      // the value of a node that needs no evaluation
  std::optional<size_t> winning_;  // the index of one of moves_ that wins at once
  bool out_ = false;               // handed out
  bool horizon_ = false;           // is to be evaluated and not searched further
  uint64_t epoch_ = 0;             // of the search's root when history_ was copied
  Arena::Cache cache_;
  std::atomic<int64_t> evaluations_ = 0;  // handed out in this search
  // Whether a thread is in the tree with this leaf. On a cache line of its own.
  alignas(64) std::atomic<bool> inside_ = false;
};

}  // namespace crossriver

#endif  // CROSSRIVER_MCTS_LEAF_H_
