// The blocks of one tree.
#ifndef CROSSRIVER_MCTS_ARENA_H_
#define CROSSRIVER_MCTS_ARENA_H_

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "core/check.h"
#include "core/mutex.h"
#include "mcts/node.h"

namespace crossriver {

// A fixed number of blocks, allocated at once; the operating system gives memory to those that are
// used. Freed blocks are used again first.
//
// Every thread takes blocks by a Cache of its own, which asks for the mutex once in kBatch times.
// Frees, and everything else, must have the arena to themselves.
class Arena {
 public:
  // A cache line of marks of nodes: threads that mark nodes do not share one.
  static constexpr size_t kBatch = 64;

  class Cache {
   private:
    friend class Arena;
    std::vector<BlockIndex> blocks_;
  };

  // At most `bytes`, which counts the arena's own bookkeeping.
  explicit Arena(size_t bytes);

  // A block as a T with its initial values. There must be one: see free_blocks.
  template <typename T>
  BlockIndex New(Cache* cache) {
    const BlockIndex index = Take(cache);
    new (&blocks_[index]) T;
    return index;
  }
  BlockIndex NewNode(Cache* cache) {
    const BlockIndex index = New<Node>(cache);
    is_node_[index] = true;
    return index;
  }

  template <typename T>
  T& At(BlockIndex index) {
    return *std::launder(reinterpret_cast<T*>(&blocks_[index]));
  }
  template <typename T>
  const T& At(BlockIndex index) const {
    return *std::launder(reinterpret_cast<const T*>(&blocks_[index]));
  }

  void Free(BlockIndex index);
  // Blocks in the cache are as free as any.
  void Return(Cache* cache);
  void Clear();

  bool is_node(BlockIndex index) const { return is_node_[index]; }
  // Indices are 1 .. size(); those from end_of_used() on have not been used since Clear.
  size_t size() const { return size_; }
  BlockIndex end_of_used() const { return fresh_; }
  // Blocks no cache has taken. May be read at any time.
  size_t free_blocks() const { return free_.load(std::memory_order_relaxed); }
  size_t bytes_used() const { return (size_ - free_blocks()) * kBytesPerBlock; }

 private:
  struct alignas(kBlockBytes) Block {
    std::byte bytes[kBlockBytes];
  };
  // With the mark of nodes and a place in the list of free blocks.
  static constexpr size_t kBytesPerBlock = kBlockBytes + 1 + sizeof(BlockIndex);

  BlockIndex Take(Cache* cache) {
    if (cache->blocks_.empty()) Refill(cache);
    const BlockIndex index = cache->blocks_.back();
    cache->blocks_.pop_back();
    return index;
  }
  void Refill(Cache* cache);

  const size_t size_;
  std::unique_ptr<Block[]> blocks_;
  std::unique_ptr<bool[]> is_node_;
  // What changes is on other cache lines than what every access reads.
  alignas(64) Mutex mutex_;
  // The list of free blocks is a stack in an array of its own: its use touches no block.
  std::unique_ptr<BlockIndex[]> freed_ ABSL_GUARDED_BY(mutex_);
  size_t num_freed_ ABSL_GUARDED_BY(mutex_) = 0;
  BlockIndex fresh_ = 1;  // the first that was never used; written under the mutex
  std::atomic<size_t> free_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_MCTS_ARENA_H_
