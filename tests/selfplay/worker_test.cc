// Workers and pools of them: the same games on any number of threads, new networks, errors, rests.
#include "selfplay/worker.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "selfplay/game_ids.h"
#include "selfplay/worker_pool.h"
#include "tests/selfplay/selfplay_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::CheckRecord;
using testing::FakeWeights;
using testing::ListSink;
using testing::QuickOptions;
using testing::SharedRulesOf;

// False where it has not come true after a time that is long even on a busy machine.
bool Await(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(120);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

std::vector<std::string> Encoded(const std::vector<GameRecord>& records) {
  std::vector<std::string> bytes;
  for (const GameRecord& record : records) bytes.push_back(EncodeRecord(record));
  return bytes;
}

// Two generations of games, each with a network of its own, and restarts from the first.
std::vector<GameRecord> Deterministic(const char* variant, SelfPlayOptions options, int workers,
                                      int games) {
  const auto rules = SharedRulesOf(variant);
  options.deterministic = true;
  options.games = games;
  ListSink sink;
  FakeWeights weights;
  LocalGameIds ids(/*run_seed=*/9, /*first=*/0, {});
  EvalCache cache({});
  StartPool starts(50);
  WorkerPool pool(rules, options, {&ids, &sink, &weights, &cache, &starts}, workers);
  ids.OpenNext(0, 0);
  pool.Resume();
  size_t stored = 0;
  for (int64_t generation = 0; generation < 2; ++generation) {
    const size_t end = stored + 12;
    ids.OpenNext(12, generation);
    EXPECT_TRUE(Await([&] { return sink.size() == end; }));
    const std::vector<GameRecord> records = sink.records();
    for (; stored < records.size(); ++stored) starts.Add(*rules, records[stored]);
  }
  EXPECT_TRUE(pool.Stop().ok());
  EXPECT_EQ(pool.counts().cache_hits, 0);
  return sink.records();
}

TEST(DeterminismTest, GamesDoNotDependOnWorkersAndBatches) {
  for (const RootPolicy policy : {RootPolicy::kGumbel, RootPolicy::kPuct}) {
    for (const char* variant : {"switchback", "minishogi"}) {
      SelfPlayOptions options = QuickOptions(policy);
      options.start_restart = 0.5;
      options.start_random_plies = 0.1;
      const auto one = Deterministic(variant, options, 1, 8);
      const auto two = Deterministic(variant, options, 2, 3);
      ASSERT_EQ(one.size(), 24U);
      EXPECT_EQ(Encoded(one), Encoded(two));
      int restarts = 0;
      for (size_t id = 0; id < one.size(); ++id) {
        EXPECT_EQ(one[id].id, id);
        restarts += one[id].start_kind == StartKind::kRestart ? 1 : 0;
        for (const RecordedMove& move : one[id].moves) EXPECT_EQ(move.checkpoint, id < 12 ? 0 : 1);
        CheckRecord(*SharedRulesOf(variant), options, one[id]);
      }
      EXPECT_GT(restarts, 0);
    }
  }
}

// Games are of one variant after the other by their numbers, whoever plays them.
TEST(DeterminismTest, VariantsTakeTurns) {
  const auto weak = SharedRulesOf("shoxiang-sh-weak");
  const auto strong = SharedRulesOf("shoxiang-sh-strong");
  const absl::StatusOr<VariantGroup> group = VariantGroup::Create({weak, strong});
  ASSERT_TRUE(group.ok()) << group.status();
  SelfPlayOptions options = QuickOptions();
  options.deterministic = true;
  std::vector<std::vector<std::string>> games;
  for (const int workers : {1, 2}) {
    options.games = 5 - 2 * workers;
    ListSink sink;
    FakeWeights weights;
    LocalGameIds ids(/*run_seed=*/9, /*first=*/0, {});
    StartPool starts(50);
    WorkerPool pool(*group, options, {&ids, &sink, &weights, nullptr, &starts}, workers);
    ids.OpenNext(8, 0);
    pool.Resume();
    ASSERT_TRUE(Await([&] { return sink.size() == 8; }));
    ASSERT_TRUE(pool.Stop().ok());
    for (const GameRecord& record : sink.records()) {
      EXPECT_EQ(record.variant, record.id % 2 == 0 ? "shoxiang-sh-weak" : "shoxiang-sh-strong");
      CheckRecord(record.id % 2 == 0 ? *weak : *strong, options, record);
    }
    games.push_back(Encoded(sink.records()));
  }
  EXPECT_EQ(games[0], games[1]);
}

struct Bench {
  explicit Bench(SelfPlayOptions quick = QuickOptions()) : options(std::move(quick)) {}
  SelfPlaySeams seams() { return {&ids, &sink, &weights, nullptr, nullptr}; }

  SelfPlayOptions options;
  std::shared_ptr<const Rules> rules = SharedRulesOf("switchback");
  LocalGameIds ids{1, 0, {}};
  ListSink sink;
  FakeWeights weights;
};

void ExpectNothingLost(const std::vector<GameRecord>& records, size_t count) {
  ASSERT_EQ(records.size(), count);
  for (size_t i = 0; i < count; ++i) EXPECT_EQ(records[i].id, i);
}

// The network tells by its draws which one it is; a search that mixed two would show.
TEST(WorkerTest, NetworksChangeBetweenMoves) {
  Bench bench;
  bench.options.start_army = 0;  // ends come soon there, and are no draws of a network's
  bench.options.full_share = 1;
  bench.weights.newest_every = 25;
  bench.weights.judge = [](int64_t checkpoint, const EvaluationRequest& request) {
    const float draw = 0.2F + 0.01F * static_cast<float>(checkpoint % 40);
    return testing::ValueOnly(request, {0.5F * (1 - draw), draw, 0.5F * (1 - draw)});
  };
  bench.ids.OpenNext(12, kNoCheckpoint);
  Worker worker(bench.rules, bench.options, bench.seams());
  for (auto step = worker.Step(); *step; step = worker.Step()) ASSERT_TRUE(step.ok());
  ExpectNothingLost(bench.sink.records(), 12);
  std::set<int64_t> checkpoints;
  bool changed_within = false;
  for (const GameRecord& record : bench.sink.records()) {
    CheckRecord(*bench.rules, bench.options, record);
    int64_t before = 0;
    for (const RecordedMove& move : record.moves) {
      EXPECT_GE(move.checkpoint, before);
      changed_within |= before > 0 && move.checkpoint > before;
      before = move.checkpoint;
      checkpoints.insert(before);
      const float draw = 0.2F + 0.01F * static_cast<float>(before % 40);
      EXPECT_NEAR(move.raw.draw, draw, 1e-4);
      if (move.root.win > 0.3F && move.root.loss > 0.3F) {
        EXPECT_NEAR(move.root.draw, draw, 1e-3);
      }
    }
  }
  EXPECT_GE(checkpoints.size(), 5U);
  EXPECT_TRUE(changed_within);
  const SelfPlayCounters* counters = &worker.counters();
  const SelfPlayCounts counts = Sum({&counters, 1});
  EXPECT_LE(counts.batch_fill(), 1);
  EXPECT_GT(counts.batch_fill(), 0.3);
}

TEST(WorkerTest, TicketsKeepTheirCheckpoints) {
  class Tickets : public GameIdSource {
   public:
    absl::StatusOr<std::optional<GameTicket>> Next() override {
      if (next_ == 15) return std::nullopt;
      const uint64_t id = next_++;
      const int64_t checkpoints[] = {7, 7, kNoCheckpoint, 3, 3};
      return GameTicket{id, id, checkpoints[id % 5]};
    }

   private:
    uint64_t next_ = 0;
  };
  Bench bench;
  Tickets tickets;
  bench.weights.newest = 20;
  SelfPlaySeams seams = bench.seams();
  seams.ids = &tickets;
  Worker worker(bench.rules, bench.options, seams);
  for (auto step = worker.Step(); *step; step = worker.Step()) ASSERT_TRUE(step.ok());
  ExpectNothingLost(bench.sink.records(), 15);
  for (const GameRecord& record : bench.sink.records()) {
    const int64_t expected[] = {7, 7, 20, 3, 3};
    for (const RecordedMove& move : record.moves) {
      EXPECT_EQ(move.checkpoint, expected[record.id % 5]);
    }
  }
}

TEST(WorkerTest, CountsWhatItDoes) {
  Bench bench;
  bench.ids.OpenNext(6, kNoCheckpoint);
  Worker worker(bench.rules, bench.options, bench.seams());
  for (auto step = worker.Step(); *step; step = worker.Step()) ASSERT_TRUE(step.ok());
  const SelfPlayCounters* counters = &worker.counters();
  const SelfPlayCounts counts = Sum({&counters, 1});
  SelfPlayCounts expected;
  for (const GameRecord& record : bench.sink.records()) {
    ++expected.games;
    for (const RecordedMove& move : record.moves) {
      ++expected.moves;
      expected.visits += move.visits;
      if (move.visits > 0) ++(move.full ? expected.full_searches : expected.cheap_searches);
    }
  }
  EXPECT_EQ(counts.games, expected.games);
  EXPECT_EQ(counts.moves, expected.moves);
  EXPECT_EQ(counts.visits, expected.visits);
  EXPECT_EQ(counts.full_searches, expected.full_searches);
  EXPECT_EQ(counts.cheap_searches, expected.cheap_searches);
  EXPECT_EQ(counts.batches, bench.weights.calls);
  EXPECT_GT(counts.evaluations, counts.moves);
  EXPECT_GE(counts.seconds, counts.evaluator_seconds);
  EXPECT_FALSE(*worker.Step());
}

TEST(WorkerTest, AnErrorLosesNothing) {
  const struct {
    const char* message;
    std::function<void(Bench*)> fail;
  } cases[] = {
      {"the evaluator has gone", [](Bench* bench) { bench->weights.failing_calls = 1; }},
      {"the disk is full", [](Bench* bench) { bench->sink.refusals = 1; }},
      {"no such checkpoint",
       [](Bench* bench) {
         ++bench->weights.newest;
         bench->weights.failing_loads = 1;
       }},
  };
  for (const auto& bad : cases) {
    Bench bench;
    bench.ids.OpenNext(20, kNoCheckpoint);
    Worker worker(bench.rules, bench.options, bench.seams());
    int errors = 0;
    for (int steps = 0;; ++steps) {
      if (steps % 50 == 20) bad.fail(&bench);
      const auto step = worker.Step();
      if (step.ok() && !*step) break;
      if (!step.ok()) {
        EXPECT_EQ(step.status().message(), bad.message);
        ++errors;
      }
    }
    EXPECT_GE(errors, 2);
    ExpectNothingLost(bench.sink.records(), 20);
    for (const GameRecord& record : bench.sink.records()) {
      CheckRecord(*bench.rules, bench.options, record);
    }
  }
}

// The cache answers for known positions; what it says is what the network would.
TEST(WorkerTest, ACacheChangesNoGame) {
  std::vector<GameRecord> records[2];
  for (const bool cached : {false, true}) {
    Bench bench;
    bench.options.start_restart = 0;
    bench.ids.OpenNext(16, 0);
    EvalCache cache({});
    SelfPlaySeams seams = bench.seams();
    if (cached) seams.cache = &cache;
    Worker worker(bench.rules, bench.options, seams);
    for (auto step = worker.Step(); *step; step = worker.Step()) ASSERT_TRUE(step.ok());
    const SelfPlayCounters* counters = &worker.counters();
    const SelfPlayCounts counts = Sum({&counters, 1});
    if (cached) {
      EXPECT_GT(counts.cache_hits, counts.evaluations / 20);
    } else {
      EXPECT_EQ(counts.cache_hits, 0);
    }
    records[cached ? 1 : 0] = bench.sink.records();
  }
  EXPECT_EQ(Encoded(records[0]), Encoded(records[1]));
}

TEST(WorkerPoolTest, RestsAndStopsUnderLoad) {
  Bench bench;
  bench.weights.newest_every = 40;
  StartPool starts(100);
  EvalCache cache({});
  SelfPlaySeams seams = bench.seams();
  seams.starts = &starts;
  seams.cache = &cache;
  WorkerPool pool(bench.rules, bench.options, seams, 3);
  EXPECT_EQ(bench.weights.calls, 0);
  for (int i = 0; i < 20; ++i) {
    const int64_t before = bench.weights.calls;
    pool.Resume();
    ASSERT_TRUE(Await([&] { return bench.weights.calls > before + 10; }));
    ASSERT_TRUE(pool.Pause().ok());
    const int64_t at_rest = bench.weights.calls;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_EQ(bench.weights.calls, at_rest);
  }
  pool.Resume();
  EXPECT_TRUE(Await([&] { return bench.sink.size() >= 10; }));
  EXPECT_TRUE(pool.Stop().ok());
  const int64_t at_end = bench.weights.calls;
  pool.Resume();
  EXPECT_EQ(bench.weights.calls, at_end);
  EXPECT_EQ(pool.counts().games, static_cast<int64_t>(bench.sink.size()));
  std::set<uint64_t> ids;
  for (const GameRecord& record : bench.sink.records()) {
    CheckRecord(*bench.rules, bench.options, record);
    EXPECT_TRUE(ids.insert(record.id).second);
  }
}

TEST(WorkerPoolTest, ReportsTheFirstErrorAndGoesOn) {
  Bench bench;
  bench.ids.OpenNext(12, kNoCheckpoint);
  WorkerPool pool(bench.rules, bench.options, bench.seams(), 2);
  bench.weights.failing_calls = 1;
  pool.Resume();
  ASSERT_TRUE(Await([&] { return !pool.status().ok(); }));
  EXPECT_EQ(pool.Pause().message(), "the evaluator has gone");
  bench.sink.refusals = 1;
  pool.Resume();
  ASSERT_TRUE(Await([&] { return !pool.status().ok(); }));
  EXPECT_EQ(pool.Pause().message(), "the disk is full");
  pool.Resume();
  EXPECT_TRUE(Await([&] { return bench.sink.size() == 12; }));
  EXPECT_TRUE(pool.Stop().ok());
  ExpectNothingLost(bench.sink.records(), 12);
}

TEST(WorkerPoolTest, StopsWithoutEverHavingPlayed) {
  Bench bench;
  WorkerPool pool(bench.rules, bench.options, bench.seams(), 3);
  EXPECT_TRUE(pool.Pause().ok());
  EXPECT_TRUE(pool.Stop().ok());
  EXPECT_EQ(bench.weights.loads, 0);
}

TEST(LocalGameIdsTest, GapsFirstThenRisingAsManyAsAreOpen) {
  LocalGameIds ids(5, 10, {7, 3});
  ids.OpenNext(2, 4);
  EXPECT_EQ((*ids.Next())->id, 3U);
  const GameTicket ticket = **ids.Next();
  EXPECT_EQ(ticket.id, 7U);
  EXPECT_EQ(ticket.seed, GameSeed(5, 7));
  EXPECT_EQ(ticket.checkpoint, 4);
  EXPECT_FALSE(ids.Next()->has_value());
  ids.OpenNext(2, 5);
  EXPECT_EQ((*ids.Next())->id, 10U);
  EXPECT_EQ((*ids.Next())->checkpoint, 5);
  EXPECT_FALSE(ids.Next()->has_value());
  LocalGameIds open(5, 0, {});
  for (uint64_t id = 0; id < 100; ++id) {
    EXPECT_EQ((*open.Next())->id, id);
    EXPECT_NE(GameSeed(5, id), GameSeed(6, id));
    EXPECT_NE(GameSeed(5, id), GameSeed(5, id + 1));
  }
  EXPECT_EQ((*open.Next())->checkpoint, kNoCheckpoint);
}

}  // namespace
}  // namespace crossriver
