#include "mcts/arena.h"

#include <algorithm>
#include <limits>

namespace crossriver {
namespace {

// Before so much memory is asked for: their numbers, and the one behind them, have to fit.
size_t CheckedBlocks(size_t count) {
  CR_CHECK(count < std::numeric_limits<BlockIndex>::max());
  return count;
}

}  // namespace

// Default initialisation leaves the arrays untouched, so they cost no memory yet. Index 0 stands
// for no block.
Arena::Arena(size_t bytes)
    : size_(CheckedBlocks(bytes / kBytesPerBlock - 1)),
      blocks_(new Block[size_ + 1]),
      is_node_(new bool[size_ + 1]),
      freed_(new BlockIndex[size_ + 1]),
      free_(size_) {
  CR_CHECK(size_ > kBatch);
}

void Arena::Refill(Cache* cache) {
  MutexLock lock(&mutex_);
  cache->blocks_.reserve(kBatch);
  while (cache->blocks_.size() < kBatch && num_freed_ > 0) {
    cache->blocks_.push_back(freed_[--num_freed_]);
  }
  while (cache->blocks_.size() < kBatch && fresh_ <= size_) {
    is_node_[fresh_] = false;
    cache->blocks_.push_back(fresh_++);
  }
  CR_CHECK(!cache->blocks_.empty());
  free_.fetch_sub(cache->blocks_.size(), std::memory_order_relaxed);
  // Taken from the back: neighbours in memory in the order of use.
  std::reverse(cache->blocks_.begin(), cache->blocks_.end());
}

void Arena::Free(BlockIndex index) {
  MutexLock lock(&mutex_);
  is_node_[index] = false;
  freed_[num_freed_++] = index;
  free_.fetch_add(1, std::memory_order_relaxed);
}

void Arena::Return(Cache* cache) {
  for (const BlockIndex index : cache->blocks_) Free(index);
  cache->blocks_.clear();
}

void Arena::Clear() {
  MutexLock lock(&mutex_);
  num_freed_ = 0;
  fresh_ = 1;
  free_ = size_;
}

}  // namespace crossriver
