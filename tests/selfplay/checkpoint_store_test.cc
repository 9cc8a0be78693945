// Checkpoints of a run: rows and files, damage, retention; the doctor; backups.
#include "selfplay/checkpoint_store.h"

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/check.h"
#include "selfplay/backup.h"
#include "selfplay/checksum.h"
#include "selfplay/doctor.h"
#include "tests/scratch_folder.h"
#include "tests/selfplay/record_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

namespace fs = std::filesystem;

using testing::ExpectError;
using testing::NewRun;
using testing::RandomRecord;
using testing::ReadBytes;
using testing::RulesOf;
using testing::ScratchFolder;
using testing::SharedRulesOf;
using testing::WriteBytes;

// A run with a database, open for all.
class OpenRun {
 public:
  explicit OpenRun(RunDirectory directory) : run(std::move(directory)) {
    absl::StatusOr<std::unique_ptr<RunStore>> opened = RunStore::Open(run);
    CR_CHECK_OK(opened.status());
    store = *std::move(opened);
    absl::StatusOr<std::unique_ptr<RunReader>> reading = RunReader::Open(run);
    CR_CHECK_OK(reading.status());
    reader = *std::move(reading);
  }

  std::string File(const std::string& name) const { return run.checkpoints_path() + "/" + name; }
  // Files of 300 bytes in all, and their row.
  void AddCheckpoint(int64_t number) {
    CheckpointRow row;
    row.number = number;
    row.step = 100 * number;
    row.network_file = NetworkFileName(number);
    row.optimizer_file = OptimizerFileName(number);
    WriteBytes(File(row.network_file), std::string(100, static_cast<char>('a' + number)));
    WriteBytes(File(row.optimizer_file), std::string(200, static_cast<char>('A' + number)));
    const absl::Status status = RegisterCheckpoint(run, store.get(), row);
    EXPECT_TRUE(status.ok()) << status;
  }
  void AddGames(uint64_t count) {
    for (uint64_t id = 1; id <= count; ++id) {
      EXPECT_TRUE(store->Put(RandomRecord(RulesOf("minishogi"), id, 12)).ok());
    }
    EXPECT_TRUE(store->Flush().ok());
  }
  void Execute(const std::string& sql) {
    const auto database = Database::Open(run.database_path(), Database::Mode::kWrite,
                                         std::chrono::milliseconds(1000));
    CR_CHECK_OK(database.status());
    CR_CHECK_OK((*database)->Execute(sql));
  }

  RunDirectory run;
  std::unique_ptr<RunStore> store;
  std::unique_ptr<RunReader> reader;
};

DoctorOptions MinishogiDoctor() {
  DoctorOptions options;
  options.rules = [](absl::string_view variant) -> absl::StatusOr<std::shared_ptr<const Rules>> {
    if (variant == "minishogi") return SharedRulesOf("minishogi");
    return absl::NotFoundError("no such variant");
  };
  return options;
}

TEST(CheckpointStoreTest, RowsFollowFiles) {
  const ScratchFolder folder;
  OpenRun open(NewRun(folder.File("run")));
  EXPECT_FALSE(NewestValidCheckpoint(open.run, open.reader.get())->row.has_value());
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

TEST(DoctorTest, ASoundRun) {
  const ScratchFolder folder;
  OpenRun open(NewRun(folder.File("run")));
  open.AddGames(10);
  open.AddCheckpoint(1);
  const absl::StatusOr<DoctorReport> report = ExamineRun(open.run, nullptr, MinishogiDoctor());
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->is_sound()) << report->Text();
  EXPECT_EQ(report->games, 10);
  EXPECT_EQ(report->checkpoints, 1);
}

TEST(DoctorTest, FaultsAreNamedAndSetAside) {
  const ScratchFolder folder;
  OpenRun open(NewRun(folder.File("run")));
  open.AddGames(10);
  // One that decodes and does not replay.
  GameRecord liar = RandomRecord(RulesOf("minishogi"), 11, 12);
  liar.moves[3].move = Move::FromRaw(0x3FFF);
  ASSERT_TRUE(open.store->Put(liar).ok());
  ASSERT_TRUE(open.store->Flush().ok());
  open.Execute("UPDATE games SET record = x'00' WHERE id = 4");
  open.AddCheckpoint(1);
  WriteBytes(open.File(NetworkFileName(1)), "damaged");
  WriteBytes(open.File("stray"), "");
  const DoctorReport looked = *ExamineRun(open.run, nullptr, MinishogiDoctor());
  EXPECT_FALSE(looked.bad_games_set_aside);
  EXPECT_EQ(open.reader->Counts()->games, 11) << "without a store nothing is changed";
  const DoctorReport report = *ExamineRun(open.run, open.store.get(), MinishogiDoctor());
  EXPECT_FALSE(report.is_sound());
  EXPECT_EQ(report.games, 9);
  EXPECT_EQ(report.checkpoints, 0);
  const std::string text = report.Text();
  for (const char* words : {"game 4 set aside", "game 11 set aside", "ply 3", "checkpoint 1",
                            "checkpoints/stray", "the run has faults"}) {
    EXPECT_NE(text.find(words), std::string::npos) << "no " << words << " in\n" << text;
  }
  const DoctorReport after = *ExamineRun(open.run, open.store.get(), MinishogiDoctor());
  EXPECT_TRUE(after.bad_games.empty());
  EXPECT_NE(after.Text().find("set aside before"), std::string::npos);
}

TEST(DoctorTest, UnknownRulesAndDamagedPages) {
  const ScratchFolder folder;
  const std::string path = folder.File("run");
  {
    OpenRun open(NewRun(path));
    GameRecord foreign = RandomRecord(RulesOf("minishogi"), 1, 5);
    foreign.variant = "ludo";
    ASSERT_TRUE(open.store->Put(foreign).ok());
    ASSERT_TRUE(open.store->Flush().ok());
    const DoctorReport report = *ExamineRun(open.run, nullptr, MinishogiDoctor());
    ASSERT_EQ(report.problems.size(), 1U);
    EXPECT_NE(report.problems[0].find("ludo"), std::string::npos);
    open.AddGames(200);
  }
  // A page in the middle of the file.
  std::string bytes = ReadBytes(path + "/run.db");
  ASSERT_GT(bytes.size(), 65536U);
  bytes.replace(bytes.size() / 2 & ~size_t{4095}, 4096, std::string(4096, '\x7F'));
  WriteBytes(path + "/run.db", bytes);
  const absl::StatusOr<DoctorReport> report =
      ExamineRun(*RunDirectory::OpenReadOnly(path), nullptr, MinishogiDoctor());
  if (report.ok()) {
    EXPECT_FALSE(report->is_sound());
  }
}

// Unpacks a tar archive with libarchive, as `tar xf` would.
void Unpack(const std::string& file, const std::string& folder) {
  archive* reader = archive_read_new();
  archive_read_support_format_tar(reader);
  archive_read_support_filter_zstd(reader);
  ASSERT_EQ(archive_read_open_filename(reader, file.c_str(), 1 << 16), ARCHIVE_OK);
  archive_entry* entry = nullptr;
  while (archive_read_next_header(reader, &entry) == ARCHIVE_OK) {
    const fs::path path = fs::path(folder) / archive_entry_pathname(entry);
    fs::create_directories(path.parent_path());
    std::string bytes(static_cast<size_t>(archive_entry_size(entry)), '\0');
    ASSERT_EQ(archive_read_data(reader, bytes.data(), bytes.size()),
              static_cast<la_ssize_t>(bytes.size()));
    WriteBytes(path.string(), bytes);
  }
  archive_read_free(reader);
}

TEST(BackupTest, TheUnpackedRunGoesOn) {
  const ScratchFolder folder;
  OpenRun open(NewRun(folder.File("quick")));
  open.AddGames(30);
  for (int64_t number = 1; number <= 3; ++number) open.AddCheckpoint(number);
  ASSERT_TRUE(open.store->MarkDeleted(1).ok());
  WriteBytes(open.File(NetworkFileName(3)), "damaged");
  ASSERT_TRUE(open.run.WriteMachine("threads = 2\n").ok());
  fs::create_directory(folder.File("backups"));
  const std::string file = folder.File("backups/quick.tar.zst");
  // While the run is open for writing.
  const absl::StatusOr<BackupReport> report = BackupRun(open.run, file);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->games, 30);
  EXPECT_EQ(report->checkpoints, 1);
  EXPECT_EQ(report->bytes, static_cast<int64_t>(fs::file_size(file)));
  ASSERT_EQ(report->messages.size(), 1U);
  EXPECT_NE(report->messages[0].find("checkpoint 3"), std::string::npos);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.File("backups")), {}), 1)
      << "something is left over";

  Unpack(file, folder.File("restored"));
  absl::StatusOr<RunDirectory> restored =
      RunDirectory::OpenForWriting(folder.File("restored/quick"));
  ASSERT_TRUE(restored.ok()) << restored.status();
  EXPECT_EQ(*restored->ReadConfig(), *open.run.ReadConfig());
  EXPECT_EQ(*restored->ReadMachine(), "threads = 2\n");
  OpenRun again(*std::move(restored));
  EXPECT_EQ(again.reader->Counts()->games, 30);
  EXPECT_EQ(NewestValidCheckpoint(again.run, again.reader.get())->row->number, 2);
  EXPECT_EQ(ExamineRun(again.run, nullptr, MinishogiDoctor())->games, 30);
}

TEST(BackupTest, WhatItRefuses) {
  const ScratchFolder folder;
  OpenRun open(NewRun(folder.File("run")));
  WriteBytes(folder.File("there"), "precious");
  ExpectError(BackupRun(open.run, folder.File("there")).status(), {"is there already"});
  EXPECT_EQ(ReadBytes(folder.File("there")), "precious");
  EXPECT_FALSE(BackupRun(open.run, folder.File("none/file")).ok());
  EXPECT_EQ(folder.Names(), (std::vector<std::string>{"run", "there"}));
}

}  // namespace
}  // namespace crossriver
