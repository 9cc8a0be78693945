#include "mcts/parallel_search.h"

#include <algorithm>
#include <thread>

namespace crossriver {
namespace {

// A wait is broken off so often, to look at stop rules.
constexpr std::chrono::milliseconds kWaitTime(5);

}  // namespace

ParallelSearch::ParallelSearch(Search* search, Evaluator* evaluator, const ParallelOptions& options)
    : search_(search), evaluator_(evaluator), options_(options) {
  CR_CHECK(options.threads >= 1 && options.batch >= 1);
  const int threads = std::min(options.threads, search->max_leaves());
  const int batch = std::min(options.batch, search->max_leaves() / threads);
  workers_.resize(static_cast<size_t>(threads));
  if (options.mate_nodes > 0) mate_probe_.emplace(options.mate_nodes);
  int next = 0;
  for (Worker& worker : workers_) {
    for (int i = 0; i < batch; ++i) worker.leaves.push_back(search->leaf(next++));
    worker.results.resize(worker.leaves.size());
  }
}

absl::StatusOr<SearchResult> ParallelSearch::Run(const SearchLimits& limits) {
  search_->Begin(limits);
  {
    MutexLock lock(&mutex_);
    status_ = absl::OkStatus();
  }
  if (mate_probe_.has_value() && mate_probe_->Run(search_, [this] { return Interrupted(); })) {
    return search_->Result();
  }
  std::vector<std::thread> threads;
  for (size_t i = 1; i < workers_.size(); ++i) {
    threads.emplace_back([this, i] { Work(&workers_[i]); });
  }
  Work(&workers_[0]);
  for (std::thread& thread : threads) thread.join();
  MutexLock lock(&mutex_);
  if (!status_.ok()) return status_;
  return search_->Result();
}

void ParallelSearch::Work(Worker* worker) {
  for (;;) {
    if (Interrupted()) search_->Stop();
    const uint64_t seen = answers_.load();
    size_t num_out = 0;
    const Next next = search_->NextLeaves(worker->leaves, &num_out);
    worker->requests.clear();
    for (size_t i = 0; i < num_out; ++i) worker->requests.push_back(worker->leaves[i]->request());
    if (num_out == 0) {
      if (next == Next::kDone) return;
      WaitForAnswer(seen);
      continue;
    }
    const absl::Status status = Evaluate(worker);
    GiveBack(worker, status);
    if (status.ok()) continue;
    search_->Stop();
    MutexLock lock(&mutex_);
    status_.Update(status);
    return;
  }
}

absl::Status ParallelSearch::Evaluate(Worker* worker) {
  const auto results = std::span(worker->results).first(worker->requests.size());
  if (options_.evaluator_is_thread_safe) return evaluator_->Evaluate(worker->requests, results);
  MutexLock lock(&evaluator_mutex_);
  return evaluator_->Evaluate(worker->requests, results);
}

void ParallelSearch::GiveBack(Worker* worker, const absl::Status& status) {
  const auto leaves = std::span(worker->leaves).first(worker->requests.size());
  if (status.ok()) {
    search_->DeliverAll(leaves, std::span(worker->results).first(leaves.size()));
  } else {
    for (Leaf* const leaf : leaves) search_->Cancel(leaf);
  }
  // Either this thread sees the one that waits, or that one sees the new number.
  answers_.fetch_add(1);
  if (waiting_.load() == 0) return;
  MutexLock lock(&mutex_);
  answered_.NotifyAll();
}

void ParallelSearch::WaitForAnswer(uint64_t seen) {
  MutexLock lock(&mutex_);
  waiting_.fetch_add(1);
  if (answers_.load() == seen) answered_.WaitFor(&mutex_, kWaitTime);
  waiting_.fetch_sub(1);
}

}  // namespace crossriver
