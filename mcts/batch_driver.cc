#include "mcts/batch_driver.h"

namespace crossriver {

size_t BatchDriver::Add(Search* search) {
  slots_.emplace_back();
  Replace(slots_.size() - 1, search);
  return slots_.size() - 1;
}

void BatchDriver::Replace(size_t place, Search* search) {
  slots_[place] = {search, search != nullptr ? search->leaf(0) : nullptr, search == nullptr};
}

absl::StatusOr<int> BatchDriver::Step() {
  asking_.clear();
  requests_.clear();
  for (Slot& slot : slots_) {
    if (slot.search == nullptr) continue;
    slot.done = slot.search->NextLeaf(slot.leaf) == Next::kDone;
    if (slot.done) continue;  // with nothing out, none has to wait
    asking_.push_back(&slot);
    requests_.push_back(slot.leaf->request());
  }
  if (asking_.empty()) return 0;
  // Never shrunk, so that the vectors inside keep their memory.
  if (results_.size() < requests_.size()) results_.resize(requests_.size());
  const absl::Status status =
      evaluator_->Evaluate(requests_, std::span(results_).first(requests_.size()));
  for (size_t i = 0; i < asking_.size(); ++i) {
    Slot& slot = *asking_[i];
    if (status.ok()) {
      slot.search->Deliver(slot.leaf, results_[i]);
    } else {
      slot.search->Cancel(slot.leaf);
    }
  }
  if (!status.ok()) return status;
  return static_cast<int>(asking_.size());
}

absl::Status BatchDriver::Run() {
  for (;;) {
    const absl::StatusOr<int> leaves = Step();
    if (!leaves.ok()) return leaves.status();
    if (*leaves == 0) return absl::OkStatus();
  }
}

absl::StatusOr<SearchResult> RunSearch(Search* search, const SearchLimits& limits,
                                       Evaluator* evaluator) {
  search->Begin(limits);
  BatchDriver driver(evaluator);
  driver.Add(search);
  if (absl::Status status = driver.Run(); !status.ok()) return status;
  return search->Result();
}

}  // namespace crossriver
