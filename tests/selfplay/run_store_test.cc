// The run's database: what is stored is read, once; errors.
#include "selfplay/run_store.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "selfplay/run_reader.h"
#include "tests/scratch_folder.h"
#include "tests/selfplay/record_helpers.h"
#include "tests/selfplay/store_helpers.h"

namespace crossriver {
namespace {

using testing::ExpectError;
using testing::IdsAfter;
using testing::NewRun;
using testing::OpenDatabase;
using testing::OpenReader;
using testing::OpenStore;
using testing::ScratchFolder;
using testing::StoredGame;

TEST(RunStoreTest, GamesComeBackAsTheyWere) {
  const ScratchFolder folder;
  const RunDirectory run = NewRun(folder.File("run"));
  const std::unique_ptr<RunStore> store = OpenStore(run);
  store->SetGeneration(7);
  // More than a page, not in the order of their ids.
  std::vector<uint64_t> ids;
  for (uint64_t i = 0; i < 100; ++i) ids.push_back(i * 37 % 101);
  for (const uint64_t id : ids) ASSERT_TRUE(store->Put(StoredGame(id)).ok());
  ASSERT_TRUE(store->Flush().ok());
  const std::unique_ptr<RunReader> reader = OpenReader(run);
  EXPECT_EQ(IdsAfter(reader.get(), 0), ids) << "the order of storing";
  int64_t before = 0;
  int games = 0;
  ASSERT_TRUE(reader
                  ->ReadGames(10, 60,
                              [&](const GameRow& row, const GameRecord& record) {
                                EXPECT_EQ(record, StoredGame(row.id));
                                GameRow expected = DescribeGame(record);
                                EXPECT_EQ(row.plies, expected.plies);
                                EXPECT_EQ(row.rows, expected.rows);
                                EXPECT_EQ(row.moves_hash, expected.moves_hash);
                                EXPECT_EQ(row.result, record.result);
                                EXPECT_EQ(row.reason, record.reason);
                                EXPECT_EQ(row.seed, record.seed);
                                EXPECT_EQ(row.resign_ply, record.resign_ply);
                                EXPECT_EQ(row.start_fen, record.start_fen);
                                EXPECT_EQ(row.start_kind, record.start_kind);
                                EXPECT_EQ(row.generation, 7);
                                EXPECT_GT(static_cast<int64_t>(row.id), before);
                                before = static_cast<int64_t>(row.id);
                                ++games;
                                return true;
                              })
                  .ok());
  EXPECT_EQ(games, 51);
  EXPECT_EQ(*reader->ReadGame(42), StoredGame(42));
  EXPECT_TRUE(absl::IsNotFound(reader->ReadGame(1000).status()));
  EXPECT_EQ(*reader->MaxGameId(), 100U);
}

TEST(RunStoreTest, TheNewestGames) {
  const ScratchFolder folder;
  const RunDirectory run = NewRun(folder.File("run"));
  const std::unique_ptr<RunStore> store = OpenStore(run);
  const std::unique_ptr<RunReader> reader = OpenReader(run);
  EXPECT_EQ(*reader->SequenceBeforeNewest(5), 0);
  int64_t rows = 0;
  for (uint64_t id = 20; id > 0; --id) {
    ASSERT_TRUE(store->Put(StoredGame(id)).ok());
    if (id <= 3) rows += DescribeGame(StoredGame(id)).rows;
  }
  ASSERT_TRUE(store->Flush().ok());
  EXPECT_EQ(IdsAfter(reader.get(), *reader->SequenceBeforeNewest(3)),
            (std::vector<uint64_t>{3, 2, 1}));
  EXPECT_EQ(IdsAfter(reader.get(), *reader->SequenceBeforeNewest(0)).size(), 0U);
  EXPECT_EQ(IdsAfter(reader.get(), *reader->SequenceBeforeNewest(500)).size(), 20U);
  ASSERT_GT(DescribeGame(StoredGame(3)).rows, 0);
  EXPECT_EQ(IdsAfter(reader.get(), *reader->SequenceBeforeNewestRows(rows)).size(), 3U);
  EXPECT_EQ(IdsAfter(reader.get(), *reader->SequenceBeforeNewestRows(1 << 20)).size(), 20U);
  EXPECT_EQ(reader->ListNewest(2)->at(0).id, 1U);
}

TEST(RunStoreTest, AGameIsStoredOnce) {
  const ScratchFolder folder;
  const RunDirectory run = NewRun(folder.File("run"));
  for (int opening = 0; opening < 3; ++opening) {
    const std::unique_ptr<RunStore> store = OpenStore(run);
    for (int again = 0; again < 2; ++again) {
      for (uint64_t id = 1; id <= 5; ++id) ASSERT_TRUE(store->Put(StoredGame(id)).ok());
      GameRecord other = StoredGame(9);
      other.id = 1;
      ASSERT_TRUE(store->Put(other).ok());
      ASSERT_TRUE(store->Flush().ok());
    }
  }
  const std::unique_ptr<RunReader> reader = OpenReader(run);
  EXPECT_EQ(reader->Counts()->games, 5);
  EXPECT_EQ(*reader->ReadGame(1), StoredGame(1)) << "the first stays";
}

TEST(RunStoreTest, CountsAndDuplicates) {
  const ScratchFolder folder;
  const RunDirectory run = NewRun(folder.File("run"));
  const std::unique_ptr<RunStore> store = OpenStore(run);
  GameCounts expected;
  for (uint64_t id = 1; id <= 40; ++id) {
    GameRecord record = StoredGame(id <= 37 ? id : 1, 30);
    record.id = id;
    ASSERT_TRUE(store->Put(record).ok());
    ++expected.games;
    expected.plies += static_cast<int64_t>(record.moves.size());
    expected.rows += DescribeGame(record).rows;
    expected.first_wins += record.result == Result::kWin;
    expected.second_wins += record.result == Result::kLoss;
    expected.draws += record.result == Result::kDraw;
    expected.truncated += record.truncated;
    expected.resigned += record.resigned;
  }
  ASSERT_TRUE(store->Flush().ok());
  const GameCounts counts = *OpenReader(run)->Counts();
  EXPECT_EQ(counts.games, 40);
  EXPECT_EQ(counts.duplicates, 3);
  EXPECT_EQ(counts.plies, expected.plies);
  EXPECT_EQ(counts.rows, expected.rows);
  EXPECT_EQ(counts.first_wins, expected.first_wins);
  EXPECT_EQ(counts.second_wins, expected.second_wins);
  EXPECT_EQ(counts.draws, expected.draws);
  EXPECT_EQ(counts.truncated, expected.truncated);
  EXPECT_EQ(counts.resigned, expected.resigned);
}

TEST(RunStoreTest, Metrics) {
  const ScratchFolder folder;
  const RunDirectory run = NewRun(folder.File("run"));
  const std::unique_ptr<RunStore> store = OpenStore(run);
  ASSERT_TRUE(store->PutMetrics({{1, 200, "loss", 0.5, 9}, {1, 100, "loss", 1.5, 8}}).ok());
  ASSERT_TRUE(store->PutMetrics({{2, 300, "rate", NAN, 9}, {2, 300, "rate", 1e300, 9}}).ok());
  ASSERT_TRUE(store->Flush().ok());
  const std::unique_ptr<RunReader> reader = OpenReader(run);
  EXPECT_EQ(*reader->MetricNames(), (std::vector<std::string>{"loss", "rate"}));
  EXPECT_EQ(*reader->ReadMetrics("loss"),
            (std::vector<Metric>{{1, 100, "loss", 1.5, 8}, {1, 200, "loss", 0.5, 9}}));
  const std::vector<Metric> rates = *reader->ReadMetrics("rate");
  ASSERT_EQ(rates.size(), 2U);
  EXPECT_TRUE(std::isnan(rates[0].value));
  EXPECT_TRUE(reader->ReadMetrics("none")->empty());
}

// A generation that was learnt anew may have made fewer steps than the one that was lost.
TEST(RunStoreTest, TheNewestMetricComesLast) {
  const ScratchFolder folder;
  const RunDirectory run = NewRun(folder.File("run"));
  const std::unique_ptr<RunStore> store = OpenStore(run);
  ASSERT_TRUE(store->PutMetrics({{2, 300, "playing", 2, 9}, {3, 250, "playing", 3, 9}}).ok());
  ASSERT_TRUE(store->PutMetrics({{3, 250, "playing", 4, 9}, {1, 400, "playing", 1, 9}}).ok());
  ASSERT_TRUE(store->Flush().ok());
  std::vector<double> values;
  const absl::StatusOr<std::vector<Metric>> read = OpenReader(run)->ReadMetrics("playing");
  ASSERT_TRUE(read.ok());
  for (const Metric& metric : *read) values.push_back(metric.value);
  EXPECT_EQ(values, (std::vector<double>{1, 2, 3, 4}));
}

TEST(RunStoreTest, ManyWritersAndAReader) {
  const ScratchFolder folder;
  const RunDirectory run = NewRun(folder.File("run"));
  RunStoreOptions options;
  options.queue_size = 4;
  options.batch_size = 3;
  const std::unique_ptr<RunStore> store = OpenStore(run, options);
  constexpr uint64_t kGames = 40;
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      for (uint64_t i = 0; i < kGames; ++i) {
        // Every game is put by two threads.
        EXPECT_TRUE(store->Put(StoredGame((i + t * kGames / 2) % (2 * kGames))).ok());
        if (i % 10 == 0) {
          EXPECT_TRUE(store->Flush().ok());
        }
      }
      EXPECT_TRUE(store->TruncateLog().ok());
    });
  }
  threads.emplace_back([&] {
    const std::unique_ptr<RunReader> reader = OpenReader(run);
    size_t before = 0;
    for (int i = 0; i < 10; ++i) {
      const size_t games = IdsAfter(reader.get(), 0).size();
      EXPECT_GE(games, before);
      before = games;
    }
  });
  for (std::thread& thread : threads) thread.join();
  ASSERT_TRUE(store->Flush().ok());
  const std::vector<uint64_t> ids = IdsAfter(OpenReader(run).get(), 0);
  EXPECT_EQ(ids.size(), 2 * kGames);
  EXPECT_EQ(std::set<uint64_t>(ids.begin(), ids.end()).size(), 2 * kGames);
}

TEST(RunStoreTest, TotalsAndTheBeginningOfAGeneration) {
  const ScratchFolder folder;
  const RunDirectory run = NewRun(folder.File("run"));
  const std::unique_ptr<RunStore> store = OpenStore(run);
  const std::unique_ptr<RunReader> reader = OpenReader(run);
  EXPECT_EQ(*reader->CountGames(), GameTotals());
  EXPECT_EQ(*reader->FirstSequenceOfGeneration(0), std::nullopt);
  GameTotals expected;
  for (uint64_t id = 1; id <= 12; ++id) {
    GameRecord record = StoredGame(id);
    if (id == 7) record.start_kind = StartKind::kImported;
    store->SetGeneration(static_cast<int64_t>(id) / 4);  // 0 0 0 1 1 1 1 …
    ++expected.games;
    expected.rows += DescribeGame(record).rows;
    ASSERT_TRUE(store->Put(record).ok());
  }
  ASSERT_TRUE(store->Flush().ok());
  EXPECT_EQ(*reader->CountGames(), expected);
  EXPECT_EQ(*reader->FirstSequenceOfGeneration(0), 1);
  EXPECT_EQ(*reader->FirstSequenceOfGeneration(1), 4);
  EXPECT_EQ(*reader->FirstSequenceOfGeneration(2), 8);
  EXPECT_EQ(*reader->FirstSequenceOfGeneration(3), 12);
  EXPECT_EQ(*reader->FirstSequenceOfGeneration(4), std::nullopt);
  // Imported games are of no generation.
  GameRecord last = StoredGame(20);
  last.start_kind = StartKind::kImported;
  store->SetGeneration(9);
  ASSERT_TRUE(store->Put(last).ok());
  ASSERT_TRUE(store->Flush().ok());
  EXPECT_EQ(*reader->FirstSequenceOfGeneration(4), std::nullopt);
}

// Games from outside have numbers of their own, and the run those it would have without them.
TEST(RunStoreTest, ImportedGamesDoNotDisturbTheNumbering) {
  const ScratchFolder folder;
  const RunDirectory run = NewRun(folder.File("run"));
  const std::unique_ptr<RunStore> store = OpenStore(run);
  const std::unique_ptr<RunReader> reader = OpenReader(run);
  EXPECT_EQ(*reader->NextImportedId(), kFirstImportedId);
  const uint64_t outside[] = {kFirstImportedId, kFirstImportedId + 1};
  for (const uint64_t id : {uint64_t{2}, uint64_t{5}, outside[0], outside[1]}) {
    ASSERT_TRUE(store->Put(StoredGame(id)).ok());
  }
  ASSERT_TRUE(store->Flush().ok());
  EXPECT_EQ(*reader->MaxGameId(), 5U);
  EXPECT_EQ(*reader->MissingGameIds(1, 5), (std::vector<uint64_t>{1, 3, 4}));
  EXPECT_EQ(*reader->MissingGameIds(3, 7), (std::vector<uint64_t>{3, 4, 6, 7}));
  EXPECT_TRUE(reader->MissingGameIds(outside[0], outside[1] + 100)->empty());
  EXPECT_EQ(*reader->NextImportedId(), outside[1] + 1);
  EXPECT_EQ(IdsAfter(reader.get(), 0).size(), 4U) << "the window sees all";
  EXPECT_EQ(*reader->ReadGame(outside[1]), StoredGame(outside[1]));
}

// Closing commits what is queued.
TEST(RunStoreTest, ClosingWritesTheQueue) {
  const ScratchFolder folder;
  const RunDirectory run = NewRun(folder.File("run"));
  {
    const std::unique_ptr<RunStore> store = OpenStore(run);
    for (uint64_t id = 0; id < 20; ++id) ASSERT_TRUE(store->Put(StoredGame(id)).ok());
  }
  EXPECT_EQ(OpenReader(run)->Counts()->games, 20);
}

TEST(RunStoreTest, ARunWithoutGames) {
  const ScratchFolder folder;
  const RunDirectory run = NewRun(folder.File("run"));
  EXPECT_TRUE(absl::IsNotFound(RunReader::Open(run).status()));
  const std::unique_ptr<RunStore> store = OpenStore(run);
  const std::unique_ptr<RunReader> reader = OpenReader(run);
  EXPECT_EQ(reader->Counts()->games, 0);
  EXPECT_EQ(*reader->MaxGameId(), 0U);
  EXPECT_TRUE(reader->ListCheckpoints()->empty());
  EXPECT_TRUE(reader->CheckIntegrity()->empty());
  EXPECT_TRUE(IdsAfter(reader.get(), 0).empty());
}

TEST(RunStoreTest, WhatItDoesNotTake) {
  const ScratchFolder folder;
  const RunDirectory run = NewRun(folder.File("run"));
  const std::unique_ptr<RunStore> store = OpenStore(run);
  GameRecord record = StoredGame(1);
  record.id = std::numeric_limits<uint64_t>::max();
  ExpectError(store->Put(record), {"63 bits"});
  EXPECT_TRUE(store->Flush().ok()) << "the others are not held up";
  const RunDirectory reading = *RunDirectory::OpenReadOnly(run.path());
  ExpectError(RunStore::Open(reading).status(), {"reading only"});
}

TEST(RunStoreTest, OtherDatabases) {
  const ScratchFolder folder;
  const RunDirectory run = NewRun(folder.File("run"));
  (void)OpenStore(run);
  ASSERT_TRUE(OpenDatabase(run)->Execute("PRAGMA user_version = 99").ok());
  ExpectError(RunStore::Open(run).status(), {"format 99", "newer crossriver"});
  ExpectError(RunReader::Open(run).status(), {"format 99"});

  const RunDirectory foreign = NewRun(folder.File("foreign"));
  testing::WriteBytes(foreign.database_path(), "");
  ASSERT_TRUE(OpenDatabase(foreign)->Execute("CREATE TABLE cake (slices)").ok());
  ExpectError(RunStore::Open(foreign).status(), {"another program"});

  const RunDirectory garbage = NewRun(folder.File("garbage"));
  testing::WriteBytes(garbage.database_path(), std::string(5000, 'x'));
  ExpectError(RunStore::Open(garbage).status(), {"damaged", "crossriver doctor"});
  ExpectError(RunReader::Open(garbage).status(), {"damaged"});
}

TEST(RunStoreTest, ADamagedRecordIsSetAside) {
  const ScratchFolder folder;
  const RunDirectory run = NewRun(folder.File("run"));
  const std::unique_ptr<RunStore> store = OpenStore(run);
  for (uint64_t id = 1; id <= 5; ++id) ASSERT_TRUE(store->Put(StoredGame(id)).ok());
  ASSERT_TRUE(store->Flush().ok());
  ASSERT_TRUE(OpenDatabase(run)
                  ->Execute("UPDATE games SET record = zeroblob(40) WHERE id = 2; UPDATE games SET "
                            "record = (SELECT record FROM games WHERE id = 5) WHERE id = 4")
                  .ok());
  std::vector<uint64_t> bad;
  const std::unique_ptr<RunReader> reader = OpenReader(run, [&](const BadGame& game) {
    bad.push_back(game.id);
    EXPECT_TRUE(store->Quarantine(game).ok());
  });
  EXPECT_EQ(IdsAfter(reader.get(), 0), (std::vector<uint64_t>{1, 3, 5}));
  EXPECT_EQ(bad, (std::vector<uint64_t>{2, 4}));
  const std::vector<BadGame> aside = *reader->ListQuarantine();
  ASSERT_EQ(aside.size(), 2U);
  EXPECT_EQ(aside[0].id, 2U);
  EXPECT_NE(aside[1].why.find("game 5"), std::string::npos);
  EXPECT_EQ(reader->Counts()->quarantined, 2);
  EXPECT_EQ(reader->Counts()->games, 3);
  bad.clear();
  EXPECT_EQ(IdsAfter(reader.get(), 0).size(), 3U);
  EXPECT_TRUE(bad.empty());
  // The game may come again.
  ASSERT_TRUE(store->Put(StoredGame(2)).ok());
  ASSERT_TRUE(store->Flush().ok());
  EXPECT_EQ(*reader->ReadGame(2), StoredGame(2));
}

}  // namespace
}  // namespace crossriver
