#include "selfplay/worker.h"

#include <chrono>
#include <span>
#include <utility>

#include "core/check.h"

namespace crossriver {
namespace {

// A game that lives on the cache alone must let the others have their turn.
constexpr int kMostHits = 64;

// Adds the time it lives.
class Stopwatch {
 public:
  Stopwatch(SelfPlayCounters* counters, SelfPlayCounters::Counter counter)
      : counters_(*counters), counter_(counter) {}
  ~Stopwatch() {
    const auto time = std::chrono::steady_clock::now() - begin_;
    counters_.Add(counter_, std::chrono::nanoseconds(time).count());
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  SelfPlayCounters& counters_;
  const SelfPlayCounters::Counter counter_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace

Worker::Worker(VariantGroup variants, const SelfPlayOptions& options, const SelfPlaySeams& seams)
    : variants_(std::move(variants)),
      options_(options),
      seams_(seams),
      cache_(options.deterministic ? nullptr : seams.cache),
      slots_(static_cast<size_t>(options.games)) {
  CR_CHECK_OK(Validate(options));
  for (const Rules* rules : variants_.pointers()) {
    const bool is_first = starts_.empty();
    starts_.push_back(std::make_unique<const StartMaker>(rules, options, seams.starts,
                                                         is_first ? seams.openings : nullptr));
  }
  idle_.resize(variants_.size());
}

absl::StatusOr<bool> Worker::Step() {
  const Stopwatch stopwatch(&counters_, SelfPlayCounters::kNanos);
  worked_ = no_tickets_ = false;
  const bool follows = playing_ > 0 && named_ == kNoCheckpoint;
  draining_ = follows && seams_.weights->latest() != checkpoint_;
  if (absl::Status status = Gather(); !status.ok()) return status;
  if (requests_.empty() && draining_) {
    if (absl::Status status = LoadNetwork(seams_.weights->latest()); !status.ok()) return status;
    if (absl::Status status = Gather(); !status.ok()) return status;
  }
  if (requests_.empty()) return worked_;
  if (absl::Status status = EvaluateGathered(); !status.ok()) return status;
  return true;
}

absl::Status Worker::Gather() {
  asking_.clear();
  requests_.clear();
  for (Slot& slot : slots_) {
    if (absl::Status status = BringToEvaluation(&slot); !status.ok()) return status;
  }
  return absl::OkStatus();
}

// Leaves the slot without a game, with a game that waits between moves, or among those that ask.
absl::Status Worker::BringToEvaluation(Slot* slot) {
  for (int hits = 0;;) {
    if (!slot->playing) {
      if (absl::Status status = BeginNext(slot); !status.ok() || !slot->playing) return status;
    }
    switch (slot->game->state()) {
      case SelfPlayGame::State::kOver:
        if (absl::Status status = HandIn(slot); !status.ok()) return status;
        break;
      case SelfPlayGame::State::kBetweenMoves:
        if (draining_) return absl::OkStatus();
        slot->game->BeginMove(checkpoint_);
        CountMoves(slot);
        break;
      case SelfPlayGame::State::kEvaluate:
        if (hits++ < kMostHits && AnswerFromCache(slot)) break;
        asking_.push_back(slot);
        requests_.push_back(slot->game->request());
        return absl::OkStatus();
    }
    worked_ = true;
  }
}

absl::Status Worker::BeginNext(Slot* slot) {
  if (!ticket_.has_value()) {
    if (no_tickets_) return absl::OkStatus();
    absl::StatusOr<std::optional<GameTicket>> next = seams_.ids->Next();
    if (!next.ok()) return next.status();
    no_tickets_ = !next->has_value();
    if (no_tickets_) return absl::OkStatus();
    ticket_ = **next;
  }
  if (playing_ > 0 && ticket_->checkpoint != named_) return absl::OkStatus();
  if (playing_ == 0) {
    const int64_t wanted =
        ticket_->checkpoint == kNoCheckpoint ? seams_.weights->latest() : ticket_->checkpoint;
    if (absl::Status status = LoadNetwork(wanted); !status.ok()) return status;
    named_ = ticket_->checkpoint;
  }
  BeginGame(*ticket_, slot);
  ticket_.reset();
  return absl::OkStatus();
}

void Worker::BeginGame(const GameTicket& ticket, Slot* slot) {
  const size_t variant = ticket.id % variants_.size();
  if (slot->game != nullptr && slot->variant != variant) {
    idle_[slot->variant].push_back(std::move(slot->game));
  }
  if (slot->game == nullptr) slot->game = TakeIdle(variant);
  slot->variant = variant;
  slot->game->Begin(ticket);
  slot->playing = true;
  slot->counted_moves = 0;
  ++playing_;
}

// A game's search has its memory, so they are used again.
std::unique_ptr<SelfPlayGame> Worker::TakeIdle(size_t variant) {
  std::vector<std::unique_ptr<SelfPlayGame>>& idle = idle_[variant];
  if (idle.empty()) return std::make_unique<SelfPlayGame>(starts_[variant].get(), &options_);
  std::unique_ptr<SelfPlayGame> game = std::move(idle.back());
  idle.pop_back();
  return game;
}

absl::Status Worker::HandIn(Slot* slot) {
  const GameRecord& record = slot->game->record();
  if (absl::Status status = seams_.sink->Put(record); !status.ok()) return status;
  if (seams_.starts != nullptr && !options_.deterministic) {
    seams_.starts->Add(slot->game->rules(), record);
  }
  counters_.Add(SelfPlayCounters::kGames, 1);
  slot->playing = false;
  --playing_;
  return absl::OkStatus();
}

bool Worker::AnswerFromCache(Slot* slot) {
  if (cache_ == nullptr) return false;
  const EvaluationRequest request = slot->game->request();
  const EvalCache::Key key = cache_->KeyOf(request, evaluator_->id());
  if (!cache_->Find(key, request.moves.size(), &cached_)) return false;
  counters_.Add(SelfPlayCounters::kCacheHits, 1);
  Deliver(slot, cached_);
  return true;
}

absl::Status Worker::EvaluateGathered() {
  const size_t size = requests_.size();
  // Never shrunk, so that the vectors inside keep their memory.
  if (results_.size() < size) results_.resize(size);
  absl::Status status;
  {
    const Stopwatch stopwatch(&counters_, SelfPlayCounters::kEvaluatorNanos);
    status = evaluator_->Evaluate(requests_, std::span(results_).first(size));
  }
  if (!status.ok()) return status;
  counters_.Add(SelfPlayCounters::kBatches, 1);
  counters_.Add(SelfPlayCounters::kPlaces, options_.games);
  counters_.Add(SelfPlayCounters::kEvaluations, static_cast<int64_t>(size));
  for (size_t i = 0; i < size; ++i) {
    if (cache_ != nullptr) {
      cache_->Insert(cache_->KeyOf(requests_[i], evaluator_->id()), results_[i]);
    }
    Deliver(asking_[i], results_[i]);
  }
  return absl::OkStatus();
}

// The network before it stays in use where the new one can't be had.
absl::Status Worker::LoadNetwork(int64_t checkpoint) {
  if (evaluator_ == nullptr || checkpoint != checkpoint_) {
    absl::StatusOr<std::unique_ptr<Evaluator>> evaluator = seams_.weights->NewEvaluator(checkpoint);
    if (!evaluator.ok()) return evaluator.status();
    evaluator_ = *std::move(evaluator);
    checkpoint_ = checkpoint;
  }
  draining_ = false;
  return absl::OkStatus();
}

void Worker::Deliver(Slot* slot, const Evaluation& evaluation) {
  slot->game->Deliver(evaluation);
  CountMoves(slot);
}

void Worker::CountMoves(Slot* slot) {
  const std::vector<RecordedMove>& moves = slot->game->record().moves;
  for (; slot->counted_moves < moves.size(); ++slot->counted_moves) {
    const RecordedMove& move = moves[slot->counted_moves];
    counters_.Add(SelfPlayCounters::kMoves, 1);
    counters_.Add(SelfPlayCounters::kVisits, move.visits);
    if (move.visits == 0) continue;
    counters_.Add(move.full ? SelfPlayCounters::kFullSearches : SelfPlayCounters::kCheapSearches,
                  1);
  }
}

}  // namespace crossriver
