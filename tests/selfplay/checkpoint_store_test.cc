// Checkpoints of a run: rows and files, damage, retention.
#include "selfplay/checkpoint_store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "selfplay/checksum.h"
#include "tests/scratch_folder.h"
#include "tests/selfplay/record_helpers.h"
#include "tests/selfplay/store_helpers.h"

namespace crossriver {
namespace {

namespace fs = std::filesystem;

using testing::ExpectError;
using testing::NewRun;
using testing::OpenRun;
using testing::ReadBytes;
using testing::ScratchFolder;
using testing::WriteBytes;

TEST(CheckpointStoreTest, RowsFollowFiles) {
  const ScratchFolder folder;
  OpenRun open(NewRun(folder.File("run")));
  EXPECT_FALSE(NewestValidCheckpoint(open.run, open.reader.get())->row.has_value());
  EXPECT_FALSE(NewestValidCheckpoint(open.run, open.reader.get())->any);
  CheckpointRow row;
  row.network_file = "none.safetensors";
  ExpectError(RegisterCheckpoint(open.run, open.store.get(), row), {"none.safetensors"});
  EXPECT_TRUE(open.reader->ListCheckpoints()->empty());
  open.AddCheckpoint(1);
  open.AddCheckpoint(2);
  const std::vector<CheckpointRow> rows = *open.reader->ListCheckpoints();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1].step, 200);
  EXPECT_EQ(rows[1].network_bytes, 100);
  EXPECT_EQ(rows[1].optimizer_bytes, 200);
  EXPECT_EQ(rows[1].network_checksum, Checksum(ReadBytes(open.File(rows[1].network_file))));
  EXPECT_GT(rows[1].time, 0);
  const NewestCheckpoint newest = *NewestValidCheckpoint(open.run, open.reader.get());
  EXPECT_EQ(newest.row, rows[1]);
  EXPECT_TRUE(newest.any);
  EXPECT_TRUE(newest.messages.empty());
  row.network_file = NetworkFileName(1);
  row.number = 1;
  EXPECT_TRUE(absl::IsAlreadyExists(RegisterCheckpoint(open.run, open.store.get(), row)));
}

TEST(CheckpointStoreTest, NamesDoNotLeadOut) {
  const ScratchFolder folder;
  OpenRun open(NewRun(folder.File("run")));
  for (const char* name : {"../config.toml", "/etc/hostname", ".", ""}) {
    CheckpointRow row;
    row.network_file = name;
    ExpectError(RegisterCheckpoint(open.run, open.store.get(), row), {"is no name"});
  }
}

TEST(CheckpointStoreTest, DamagedFilesAreLeftOutWithAMessage) {
  const ScratchFolder folder;
  OpenRun open(NewRun(folder.File("run")));
  for (int64_t number = 1; number <= 4; ++number) open.AddCheckpoint(number);
  fs::remove(open.File(OptimizerFileName(4)));
  std::string bytes = ReadBytes(open.File(NetworkFileName(3)));
  bytes[50] ^= 1;
  WriteBytes(open.File(NetworkFileName(3)), bytes);
  fs::resize_file(open.File(NetworkFileName(2)), 99);
  const NewestCheckpoint newest = *NewestValidCheckpoint(open.run, open.reader.get());
  ASSERT_TRUE(newest.row.has_value());
  EXPECT_EQ(newest.row->number, 1);
  ASSERT_EQ(newest.messages.size(), 3U);
  EXPECT_NE(newest.messages[0].find(OptimizerFileName(4)), std::string::npos);
  EXPECT_NE(newest.messages[1].find("checksum"), std::string::npos);
  EXPECT_NE(newest.messages[2].find("99 bytes instead of 100"), std::string::npos);
}

TEST(CheckpointStoreTest, NoneIsWhole) {
  const ScratchFolder folder;
  OpenRun open(NewRun(folder.File("run")));
  open.AddCheckpoint(1);
  fs::remove(open.File(NetworkFileName(1)));
  const NewestCheckpoint newest = *NewestValidCheckpoint(open.run, open.reader.get());
  EXPECT_FALSE(newest.row.has_value());
  EXPECT_TRUE(newest.any) << "a run that was begun";
  EXPECT_EQ(newest.messages.size(), 1U);
}

// The newest is damaged, and its number comes again.
TEST(CheckpointStoreTest, GoingOnFromAnOlderOne) {
  const ScratchFolder folder;
  OpenRun open(NewRun(folder.File("run")));
  for (int64_t number = 0; number <= 4; ++number) {
    open.AddCheckpoint(number);
    ASSERT_TRUE(open.store->PutMetrics({{number, 100 * number, "loss", 1, 9}}).ok());
  }
  ASSERT_TRUE(open.store->MarkDeleted(3).ok());
  WriteBytes(open.File(NetworkFileName(4)), "damaged");
  const int64_t number = NewestValidCheckpoint(open.run, open.reader.get())->row->number;
  ASSERT_EQ(number, 2);
  ASSERT_TRUE(open.store->DropCheckpointsAfter(number).ok());
  EXPECT_EQ(open.reader->ListCheckpoints()->size(), 3U);
  EXPECT_EQ(open.reader->ReadMetrics("loss")->back().generation, 2);
  open.AddCheckpoint(3);
  open.AddCheckpoint(4);
  EXPECT_EQ(NewestValidCheckpoint(open.run, open.reader.get())->row->number, 4);
}

struct RetentionCase {
  RetentionOptions options;
  std::vector<int64_t> deleted;
};

TEST(CheckpointStoreTest, WhatRetentionDeletes) {
  std::vector<CheckpointRow> rows(6);
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i].number = static_cast<int64_t>(i + 1);
    rows[i].network_bytes = 100;
  }
  rows[0].kept = false;
  const RetentionCase cases[] = {
      {{.keep_newest = 2}, {2, 3, 4}},
      {{.keep_newest = 9}, {}},
      {{.keep_newest = 0}, {2, 3, 4, 5}},
      {{.keep_newest = 1, .keep_every = 2}, {3, 5}},
      {{.keep_newest = 9, .max_bytes = 300}, {2, 3}},
      {{.keep_newest = 9, .max_bytes = 299}, {2, 3, 4}},
      {{.keep_newest = 9, .max_bytes = 1}, {2, 3, 4, 5}},
      {{.keep_newest = 1, .keep_every = 2, .max_bytes = 200}, {2, 3, 5}},
      {{.keep_newest = 1, .needed = {3, 4}}, {2, 5}},
      {{.keep_newest = 9, .max_bytes = 1, .needed = {2, 9}}, {3, 4, 5}},
      {{.keep_newest = 2, .max_bytes = 1, .needed = {5}}, {2, 3, 4}},
  };
  for (const RetentionCase& c : cases) {
    EXPECT_EQ(ChooseDeletions(rows, c.options), c.deleted)
        << c.options.keep_newest << " " << c.options.keep_every << " " << c.options.max_bytes;
  }
  EXPECT_TRUE(ChooseDeletions({}, {}).empty());
}

TEST(CheckpointStoreTest, RetentionMarksAndDeletes) {
  const ScratchFolder folder;
  OpenRun open(NewRun(folder.File("run")));
  for (int64_t number = 1; number <= 4; ++number) open.AddCheckpoint(number);
  // A kill between marking and deleting.
  ASSERT_TRUE(open.store->MarkDeleted(1).ok());
  WriteBytes(open.File("stray.tmp"), "x");
  EXPECT_EQ(*ListOrphans(open.run, open.reader.get()),
            (std::vector<std::string>{NetworkFileName(1), OptimizerFileName(1), "stray.tmp"}));
  const absl::StatusOr<RetentionReport> report =
      ApplyRetention(open.run, open.store.get(), open.reader.get(), {.keep_newest = 2});
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->deleted, std::vector<int64_t>{2});
  EXPECT_EQ(report->bytes_kept, 600);
  EXPECT_FALSE(fs::exists(open.File(NetworkFileName(1))));
  EXPECT_FALSE(fs::exists(open.File(OptimizerFileName(2))));
  EXPECT_TRUE(fs::exists(open.File(NetworkFileName(3))));
  EXPECT_EQ(*ListOrphans(open.run, open.reader.get()), std::vector<std::string>{"stray.tmp"});
  EXPECT_EQ(NewestValidCheckpoint(open.run, open.reader.get())->row->number, 4);
}

}  // namespace
}  // namespace crossriver
