#include "core/perft.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "core/movegen.h"
#include "core/mutex.h"

namespace crossriver {
namespace {

// One thread's counter; keeps a move list a ply so that nothing is allocated while it counts.
class Counter {
 public:
  explicit Counter(const PerftOptions& options)
      : options_(options), lists_(static_cast<size_t>(std::max(options.depth, 1))) {}

  uint64_t Count(Position* position, int depth) {
    if (depth == 0) return 1;
    if (depth == 1 && options_.bulk) return static_cast<uint64_t>(CountLegalMoves(*position));
    std::vector<Move>& moves = lists_[static_cast<size_t>(depth - 1)];
    GenerateLegalMoves(*position, &moves);
    uint64_t leaves = 0;
    for (const Move move : moves) leaves += CountAfter(position, move, depth - 1);
    return leaves;
  }

  uint64_t CountAfter(Position* position, Move move, int depth) {
    if (options_.copy_make) {
      Position after = *position;
      after.Do(move);
      return Count(&after, depth);
    }
    const UndoRecord undo = position->Do(move);
    const uint64_t leaves = Count(position, depth);
    position->Undo(move, undo);
    return leaves;
  }

 private:
  const PerftOptions& options_;
  std::vector<std::vector<Move>> lists_;
};

}  // namespace

std::vector<std::pair<Move, uint64_t>> PerftDivide(const Position& position,
                                                   const PerftOptions& options) {
  std::vector<std::pair<Move, uint64_t>> counts;
  if (options.depth < 1) return counts;
  std::vector<Move> moves;
  GenerateLegalMoves(position, &moves);
  for (const Move move : moves) counts.emplace_back(move, 0);
  std::atomic<size_t> next = 0;
  Mutex progress_mutex;
  int done = 0;
  const auto work = [&] {
    Counter counter(options);
    Position own = position;
    for (size_t i = next++; i < counts.size(); i = next++) {
      counts[i].second = counter.CountAfter(&own, counts[i].first, options.depth - 1);
      if (!options.progress) continue;
      MutexLock lock(&progress_mutex);
      options.progress(++done, static_cast<int>(counts.size()));
    }
  };
  std::vector<std::thread> threads;
  for (int i = 1; i < options.threads; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return counts;
}

uint64_t Perft(const Position& position, const PerftOptions& options) {
  if (options.depth == 0) return 1;
  if (options.depth == 1 && options.bulk) return static_cast<uint64_t>(CountLegalMoves(position));
  uint64_t leaves = 0;
  for (const auto& [move, count] : PerftDivide(position, options)) leaves += count;
  return leaves;
}

}  // namespace crossriver
