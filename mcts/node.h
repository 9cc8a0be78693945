// The tree's memory: blocks of 128 bytes, of three sorts.
//
//   Node       one position: its counts, value, what is proven, and its first 16 moves
//   MoreEdges  31 further moves of a node; a list of these holds the rest
//   EdgeStats  statistics of 8 moves of a node as arrays, for selection by vector arithmetic
//
// Moves stand in order of falling prior, and selection takes unvisited moves in this order. So
// statistics exist for a prefix of the moves only, the "tracked" ones, which grows as they are
// visited: a node visited once, as most are, has none. A child node exists from the first visit of
// its move. Blocks of one size leave no holes: when a tree is full, any that is freed serves.
#ifndef CROSSRIVER_MCTS_NODE_H_
#define CROSSRIVER_MCTS_NODE_H_

#include <Eigen/Core>
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

#include "core/types.h"
#include "mcts/spin_lock.h"
#include "mcts/value.h"

namespace crossriver {

using BlockIndex = uint32_t;
inline constexpr BlockIndex kNoBlock = 0;
inline constexpr size_t kBlockBytes = 128;

struct Edge {
  Move move;
  Eigen::half prior;  // a probability
};

enum class NodeState : uint8_t {
  kPending,   // handed out for evaluation; not to be entered
  kOpen,      // evaluated, with moves
  kTerminal,  // decided by the rules
  kHorizon,   // evaluated, not to be searched further (SearchOptions::max_plies)
};

// All fields are guarded by `lock` unless they say otherwise, where several threads search.
struct alignas(kBlockBytes) Node {
  static constexpr int kInlineEdges = 16;
  static constexpr int16_t kUnknownDistance = -1;

  SpinLock lock;
  NodeState state = NodeState::kPending;
  Bounds bounds;  // of the side to move here
  // Whether `bounds` rest on a repetition or perpetual check, which another way here would lack.
  std::atomic<bool> depends_on_path = false;
  uint16_t num_edges = 0;

  uint16_t num_tracked = 0;
  uint16_t num_children = 0;     // tracked edges with a node
  uint16_t in_flight = 0;        // walks through or at this node without an answer
  uint16_t parent_edge = 0;      // changed only while no other thread is in the tree
  BlockIndex parent = kNoBlock;  // as parent_edge
  uint32_t visits = 0;           // its own evaluation included
  uint32_t edge_visits = 0;      // the sum of its edges' visits

  BlockIndex more_edges = kNoBlock;
  // Sums over all visits, as the side to move sees it.
  double win_sum = 0;
  double draw_sum = 0;
  // What the evaluator said.
  float raw_win = 0;
  float raw_draw = 0;

  BlockIndex stats = kNoBlock;
  int16_t mate_distance = kUnknownDistance;    // plies to the end of a proven win or loss
  Eigen::half tracked_prior = Eigen::half(0);  // sum over the tracked edges
  Edge edges[kInlineEdges];

  Wdl raw() const { return {raw_win, raw_draw, 1.0F - raw_win - raw_draw}; }
};
static_assert(sizeof(Node) == kBlockBytes);

struct alignas(kBlockBytes) MoreEdges {
  static constexpr int kEdges = 31;
  Edge edges[kEdges];
  BlockIndex next = kNoBlock;
};
static_assert(sizeof(MoreEdges) == kBlockBytes);

inline constexpr uint32_t kAllOpen = 0x88888888;  // EdgeStats::bounds with nothing proven

// Guarded by the node's lock. Lanes without a tracked edge have the prior -infinity and no visits.
struct alignas(kBlockBytes) EdgeStats {
  static constexpr int kEdges = 8;
  using Floats = Eigen::Array<float, kEdges, 1>;

  EdgeStats() { std::fill_n(prior, kEdges, -std::numeric_limits<Eigen::half>::infinity()); }

  int32_t visits[kEdges] = {};
  float value[kEdges] = {};       // mean score for the side to move at the node; 0 without visits
  BlockIndex child[kEdges] = {};  // kNoBlock: never visited, or pruned
  Eigen::half prior[kEdges];
  uint8_t in_flight[kEdges] = {};  // walks through the edge without an answer
  uint32_t bounds = kAllOpen;      // four bits an edge, as the side to move at the node sees it
  BlockIndex next = kNoBlock;

  Bounds bounds_of(int lane) const { return Bounds::FromBits(bounds >> (4 * lane)); }
  void set_bounds(int lane, Bounds value_bounds) {
    bounds = (bounds & ~(15U << (4 * lane))) | value_bounds.bits() << (4 * lane);
  }

  Floats visit_array() const {
    return Eigen::Map<const Eigen::Array<int32_t, kEdges, 1>>(visits).cast<float>();
  }
  Floats in_flight_array() const {
    return Eigen::Map<const Eigen::Array<uint8_t, kEdges, 1>>(in_flight).cast<float>();
  }
  Floats value_array() const { return Eigen::Map<const Floats>(value); }
  Floats prior_array() const {
    return Eigen::Map<const Eigen::Array<Eigen::half, kEdges, 1>>(prior).cast<float>();
  }
};
static_assert(sizeof(EdgeStats) == kBlockBytes);

// More walks than an edge can count are not started.
inline constexpr int kMaxInFlight = 255;

}  // namespace crossriver

#endif  // CROSSRIVER_MCTS_NODE_H_
