// Evaluations remembered, within a bound in bytes.
#ifndef CROSSRIVER_CORE_EVAL_CACHE_H_
#define CROSSRIVER_CORE_EVAL_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "core/evaluator.h"
#include "core/mutex.h"

namespace crossriver {

struct EvalCacheOptions {
  size_t max_bytes = size_t{64} << 20;
  int shards = 16;  // each with a lock of its own
  // Positions whose no-progress counts share a bucket of so many plies share an evaluation.
  int no_progress_bucket = 16;
};

// Least recently used entries go first. The key is the position, its variant's rules,
// min(occurrences, 3), the bucket of its no-progress count, and the evaluator's id; one store
// serves any number of evaluators. All member functions may be called from several threads.
class EvalCache {
 public:
  struct Key {
    uint64_t position = 0;
    uint64_t context = 0;

    friend bool operator==(const Key&, const Key&) = default;
    template <typename H>
    friend H AbslHashValue(H h, const Key& key) {
      return H::combine(std::move(h), key.position, key.context);
    }
  };

  struct Statistics {
    uint64_t hits = 0;
    uint64_t misses = 0;
    uint64_t entries = 0;
    uint64_t bytes = 0;
  };

  explicit EvalCache(const EvalCacheOptions& options);

  Key KeyOf(const EvaluationRequest& request, uint64_t evaluator_id) const;

  // Copies what is stored for the key into `result` and returns true; false where nothing is, or
  // what is stored has not `num_moves` priors, which only a collision of keys can bring about.
  bool Find(const Key& key, size_t num_moves, Evaluation* result);
  void Insert(const Key& key, const Evaluation& evaluation);
  void Clear();

  Statistics statistics() const;

 private:
  struct Shard {
    mutable Mutex mutex;
    // Most recently used first.
    std::list<std::pair<Key, Evaluation>> entries ABSL_GUARDED_BY(mutex);
    absl::flat_hash_map<Key, std::list<std::pair<Key, Evaluation>>::iterator> by_key
        ABSL_GUARDED_BY(mutex);
    size_t bytes ABSL_GUARDED_BY(mutex) = 0;
    uint64_t hits ABSL_GUARDED_BY(mutex) = 0;
    uint64_t misses ABSL_GUARDED_BY(mutex) = 0;
  };

  Shard& ShardOf(const Key& key) { return *shards_[key.position % shards_.size()]; }

  const EvalCacheOptions options_;
  std::vector<std::unique_ptr<Shard>> shards_;
};

// An evaluator that asks another only for what the cache does not hold. As safe for threads as the
// other. Neither is owned.
class CachedEvaluator : public Evaluator {
 public:
  CachedEvaluator(Evaluator* evaluator, EvalCache* cache) : evaluator_(evaluator), cache_(cache) {}

  absl::Status Evaluate(std::span<const EvaluationRequest> requests,
                        std::span<Evaluation> results) override;
  uint64_t id() const override { return evaluator_->id(); }

 private:
  Evaluator* evaluator_;
  EvalCache* cache_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_EVAL_CACHE_H_
