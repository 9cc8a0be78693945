// The doctor's findings; backups and what is made of them.
#include "selfplay/doctor.h"

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "selfplay/backup.h"
#include "selfplay/checkpoint_store.h"
#include "tests/scratch_folder.h"
#include "tests/selfplay/record_helpers.h"
#include "tests/selfplay/store_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

namespace fs = std::filesystem;

using testing::ExpectError;
using testing::NewRun;
using testing::OpenDatabase;
using testing::OpenRun;
using testing::RandomRecord;
using testing::ReadBytes;
using testing::RulesOf;
using testing::ScratchFolder;
using testing::SharedRulesOf;
using testing::WriteBytes;

DoctorOptions MinishogiDoctor() {
  DoctorOptions options;
  options.rules = [](absl::string_view variant) -> absl::StatusOr<std::shared_ptr<const Rules>> {
    if (variant == "minishogi") return SharedRulesOf("minishogi");
    return absl::NotFoundError("no such variant");
  };
  return options;
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
  ASSERT_TRUE(OpenDatabase(open.run)->Execute("UPDATE games SET record = x'00' WHERE id = 4").ok());
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

// The variant has changed since: the games are as good as they were.
TEST(DoctorTest, GamesUnderOtherRulesAreOneProblem) {
  const ScratchFolder folder;
  OpenRun open(NewRun(folder.File("run")));
  open.AddGames(3);
  for (uint64_t id = 11; id <= 15; ++id) {
    GameRecord record = RandomRecord(RulesOf("minishogi"), id, 12);
    record.rules_hash ^= 1;
    ASSERT_TRUE(open.store->Put(record).ok());
  }
  ASSERT_TRUE(open.store->Flush().ok());
  const DoctorReport report = *ExamineRun(open.run, open.store.get(), MinishogiDoctor());
  EXPECT_TRUE(report.bad_games.empty()) << report.Text();
  EXPECT_EQ(report.games, 3);
  ASSERT_EQ(report.problems.size(), 1U);
  EXPECT_NE(report.problems[0].find("5 games were played under other rules of 'minishogi'"),
            std::string::npos);
  EXPECT_EQ(open.reader->CountGames()->games, 8) << "nothing is set aside";
}

// The root of the index of sequence numbers, which a store reads first; a reader opens all the
// same.
TEST(DoctorTest, ADatabaseThatCannotBeWrittenAnyMore) {
  const ScratchFolder folder;
  const std::string path = folder.File("run");
  int64_t page = 0;
  {
    OpenRun open(NewRun(path));
    open.AddGames(20);
    open.AddCheckpoint(1);
    page = *OpenDatabase(open.run)->QueryInt(
        "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_games_1'");
  }
  std::string bytes = ReadBytes(path + "/run.db");
  bytes.replace(static_cast<size_t>(page - 1) * 4096, 4096, std::string(4096, '\x7F'));
  WriteBytes(path + "/run.db", bytes);
  const RunDirectory run = *RunDirectory::OpenForWriting(path);
  ExpectError(RunStore::Open(run).status(), {"damaged"});
  const absl::StatusOr<DoctorReport> report = ExamineRun(run, nullptr, MinishogiDoctor());
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->checkpoints, 1) << "what can be looked at is looked at";
  EXPECT_NE(report->Text().find("Go back to a backup, or"), std::string::npos) << report->Text();

  WriteBytes(path + "/run.db", std::string(5000, 'x'));
  const absl::StatusOr<DoctorReport> garbage = ExamineRun(run, nullptr, MinishogiDoctor());
  ASSERT_TRUE(garbage.ok()) << garbage.status();
  EXPECT_FALSE(garbage->is_sound());
  EXPECT_NE(garbage->Text().find("Go back to a backup, or"), std::string::npos);
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
