#include "selfplay/match_bench.h"

#include <atomic>
#include <chrono>
#include <thread>

#include "selfplay/match_runner.h"

namespace crossriver {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr int64_t kEndlessPairs = 100'000;

}  // namespace

absl::StatusOr<double> MeasureMatch(const Rules& rules, Player* a, Player* b,
                                    const MatchBenchOptions& options) {
  RandomOpeningOptions random;
  random.judge = [](const Position&, const History&) { return 0.5; };
  MatchOpenings openings(&rules, random);
  MatchTally tally;
  std::atomic<bool> stopped = false;
  std::atomic<bool> ended = false;
  MatchOptions match;
  match.pairs = kEndlessPairs;
  match.threads = options.threads;
  match.games_at_a_time = options.games_at_a_time;
  match.interrupted = [&stopped] { return stopped.load(); };
  MatchRunner runner(&rules, a, b, &openings, &tally, match);
  absl::Status status;
  std::thread thread([&] {
    status = runner.Run();
    ended = true;
  });
  std::this_thread::sleep_for(Seconds(options.warm_up));
  const MatchCounts before = runner.counts();
  const auto begin = Clock::now();
  MatchCounts after = before;
  while (after.evaluations == before.evaluations && !ended) {
    std::this_thread::sleep_for(Seconds(options.seconds));
    after = runner.counts();
  }
  const double spent = Seconds(Clock::now() - begin).count();
  stopped = true;
  thread.join();
  if (!status.ok() && !absl::IsCancelled(status)) return status;
  return static_cast<double>(after.evaluations - before.evaluations) / spent;
}

}  // namespace crossriver
