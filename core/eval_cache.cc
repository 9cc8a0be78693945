#include "core/eval_cache.h"

#include <algorithm>

#include "core/check.h"
#include "core/fingerprint.h"

namespace crossriver {
namespace {

// What an entry costs beside its priors: list node, hash slot and allocator overhead, rounded up.
constexpr size_t kEntryOverhead = 160;

size_t BytesOf(const Evaluation& evaluation) {
  return kEntryOverhead + evaluation.log_priors.size() * sizeof(float);
}

}  // namespace

EvalCache::EvalCache(const EvalCacheOptions& options) : options_(options) {
  CR_CHECK(options.shards > 0 && options.no_progress_bucket > 0);
  for (int i = 0; i < options.shards; ++i) shards_.push_back(std::make_unique<Shard>());
}

EvalCache::Key EvalCache::KeyOf(const EvaluationRequest& request, uint64_t evaluator_id) const {
  const Position& position = *request.position;
  const int limit = position.rules().game().no_progress_plies;
  const int bucket = limit > 0 ? position.no_progress() / options_.no_progress_bucket : 0;
  const int occurrences = std::min(request.history->Occurrences(), 3);
  // Positions of several variants may look alike, and be worth different things.
  const uint64_t context =
      position.rules().hash() ^ KeySequence(static_cast<uint64_t>(4 * bucket + occurrences)).Next();
  return {position.key(), KeySequence(evaluator_id ^ context).Next()};
}

bool EvalCache::Find(const Key& key, size_t num_moves, Evaluation* result) {
  Shard& shard = ShardOf(key);
  MutexLock lock(&shard.mutex);
  const auto found = shard.by_key.find(key);
  if (found == shard.by_key.end() || found->second->second.log_priors.size() != num_moves) {
    ++shard.misses;
    return false;
  }
  ++shard.hits;
  shard.entries.splice(shard.entries.begin(), shard.entries, found->second);
  *result = found->second->second;
  return true;
}

void EvalCache::Insert(const Key& key, const Evaluation& evaluation) {
  const size_t limit = options_.max_bytes / shards_.size();
  const size_t bytes = BytesOf(evaluation);
  if (bytes > limit) return;
  Shard& shard = ShardOf(key);
  MutexLock lock(&shard.mutex);
  if (const auto known = shard.by_key.find(key); known != shard.by_key.end()) {
    shard.bytes -= BytesOf(known->second->second);
    shard.entries.erase(known->second);
    shard.by_key.erase(known);
  }
  while (shard.bytes + bytes > limit) {
    shard.bytes -= BytesOf(shard.entries.back().second);
    shard.by_key.erase(shard.entries.back().first);
    shard.entries.pop_back();
  }
  shard.entries.emplace_front(key, evaluation);
  shard.by_key[key] = shard.entries.begin();
  shard.bytes += bytes;
}

void EvalCache::Clear() {
  for (const std::unique_ptr<Shard>& shard : shards_) {
    MutexLock lock(&shard->mutex);
    shard->by_key.clear();
    shard->entries.clear();
    shard->bytes = 0;
  }
}

EvalCache::Statistics EvalCache::statistics() const {
  Statistics sum;
  for (const std::unique_ptr<Shard>& shard : shards_) {
    MutexLock lock(&shard->mutex);
    sum.hits += shard->hits;
    sum.misses += shard->misses;
    sum.entries += shard->entries.size();
    sum.bytes += shard->bytes;
  }
  return sum;
}

absl::Status CachedEvaluator::Evaluate(std::span<const EvaluationRequest> requests,
                                       std::span<Evaluation> results) {
  CR_CHECK(requests.size() == results.size());
  std::vector<size_t> missing;
  std::vector<EvalCache::Key> keys;
  std::vector<EvaluationRequest> missing_requests;
  for (size_t i = 0; i < requests.size(); ++i) {
    const EvalCache::Key key = cache_->KeyOf(requests[i], id());
    if (cache_->Find(key, requests[i].moves.size(), &results[i])) continue;
    missing.push_back(i);
    keys.push_back(key);
    missing_requests.push_back(requests[i]);
  }
  if (missing.empty()) return absl::OkStatus();
  std::vector<Evaluation> evaluations(missing.size());
  absl::Status status = evaluator_->Evaluate(missing_requests, evaluations);
  if (!status.ok()) return status;
  for (size_t i = 0; i < missing.size(); ++i) {
    cache_->Insert(keys[i], evaluations[i]);
    results[missing[i]] = std::move(evaluations[i]);
  }
  return absl::OkStatus();
}

}  // namespace crossriver
