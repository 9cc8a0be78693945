// A run's folder: made, opened, locked; what is said where that is not possible.
#include "selfplay/run_directory.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "tests/scratch_folder.h"
#include "tests/selfplay/record_helpers.h"

namespace crossriver {
namespace {

using testing::ExpectError;
using testing::NewRun;
using testing::ReadBytes;
using testing::ScratchFolder;
using testing::WriteBytes;

TEST(RunDirectoryTest, MadeAndOpened) {
  const ScratchFolder folder;
  const std::string path = folder.File("runs/one");
  {
    const absl::StatusOr<RunDirectory> run = RunDirectory::Create(path, "a = 1\n");
    ASSERT_TRUE(run.ok()) << run.status();
    EXPECT_TRUE(run->is_writable());
    EXPECT_EQ(*run->ReadConfig(), "a = 1\n");
    EXPECT_EQ(*run->ReadMachine(), "");
    EXPECT_TRUE(run->WriteMachine("threads = 2\n").ok());
    EXPECT_TRUE(std::filesystem::is_directory(run->checkpoints_path()));
  }
  const absl::StatusOr<RunDirectory> run = RunDirectory::OpenForWriting(path);
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(*run->ReadMachine(), "threads = 2\n");
  const absl::StatusOr<RunDirectory> reader = RunDirectory::OpenReadOnly(path);
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_FALSE(reader->is_writable());
}

TEST(RunDirectoryTest, TheSecondWriterIsToldWhoHoldsIt) {
  const ScratchFolder folder;
  const std::string path = folder.File("run");
  RunDirectory first = NewRun(path);
  const std::string holder = absl::StrCat("process ", getpid(), " on ");
  ExpectError(RunDirectory::OpenForWriting(path).status(),
              {"in use by", holder.c_str(), path.c_str()});
  // A moved one still holds it, until it goes.
  {
    const RunDirectory moved = std::move(first);
    EXPECT_FALSE(RunDirectory::OpenForWriting(path).ok());
    EXPECT_TRUE(RunDirectory::OpenReadOnly(path).ok());
  }
  EXPECT_TRUE(RunDirectory::OpenForWriting(path).ok());
}

TEST(RunDirectoryTest, AKilledHolderHoldsNobodyUp) {
  const ScratchFolder folder;
  const std::string path = folder.File("run");
  (void)NewRun(path);
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const absl::StatusOr<RunDirectory> run = RunDirectory::OpenForWriting(path);
    const char ok = run.ok() ? 'y' : 'n';
    if (write(ready[1], &ok, 1) != 1) _exit(1);
    while (true) pause();
  }
  char answer = 0;
  ASSERT_EQ(read(ready[0], &answer, 1), 1);
  ASSERT_EQ(answer, 'y');
  const std::string holder = absl::StrCat("process ", child, " on ");
  ExpectError(RunDirectory::OpenForWriting(path).status(), {holder.c_str()});
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_NE(ReadBytes(path + "/LOCK").find(holder), std::string::npos) << "a stale lock";
  EXPECT_TRUE(RunDirectory::OpenForWriting(path).ok());
  close(ready[0]);
  close(ready[1]);
}

TEST(RunDirectoryTest, WhatIsNoRun) {
  const ScratchFolder folder;
  std::filesystem::create_directory(folder.File("empty"));
  WriteBytes(folder.File("file"), "");
  for (const auto& open : {&RunDirectory::OpenForWriting, &RunDirectory::OpenReadOnly}) {
    ExpectError(open(folder.File("none")).status(), {"no such folder", "none", "crossriver train"});
    ExpectError(open(folder.File("file/below")).status(), {"no such folder"});
    ExpectError(open(folder.File("file")).status(), {"is a file"});
    ExpectError(open(folder.File("empty")).status(), {"not a run", "config.toml"});
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.File("empty"))) << "opening left something";
}

TEST(RunDirectoryTest, WhereNoRunCanBeMade) {
  const ScratchFolder folder;
  WriteBytes(folder.File("file"), "");
  ExpectError(RunDirectory::Create(folder.File("file"), "").status(), {"file"});
  ExpectError(RunDirectory::Create(folder.File("file/run"), "").status(), {"can't be created"});
  ExpectError(RunDirectory::Create("/proc/run", "").status(), {"/proc/run", "can't be created"});
  std::filesystem::create_directory(folder.File("full"));
  WriteBytes(folder.File("full/letters.txt"), "dear");
  ExpectError(RunDirectory::Create(folder.File("full"), "").status(), {"not empty", "letters.txt"});
  EXPECT_EQ(ReadBytes(folder.File("full/letters.txt")), "dear");
  (void)NewRun(folder.File("run"));
  ExpectError(RunDirectory::Create(folder.File("run"), "").status(), {"is a run already"});
}

TEST(RunDirectoryTest, WhatAKilledCreateLeft) {
  const ScratchFolder folder;
  const std::string path = folder.File("run");
  std::filesystem::create_directories(path + "/checkpoints");
  WriteBytes(path + "/LOCK", "process 1 on here\n");
  WriteBytes(path + "/config.toml.77.tmp", "a =");
  EXPECT_FALSE(RunDirectory::OpenForWriting(path).ok());
  EXPECT_TRUE(RunDirectory::Create(path, "a = 1").ok());
  EXPECT_TRUE(RunDirectory::OpenForWriting(path).ok());
}

TEST(RunDirectoryTest, InTwoSteps) {
  const ScratchFolder folder;
  const std::string path = folder.File("run");
  {
    const absl::StatusOr<RunDirectory> killed = RunDirectory::Prepare(path);
    ASSERT_TRUE(killed.ok()) << killed.status();
    EXPECT_TRUE(killed->is_writable());
    WriteBytes(killed->database_path(), "half a copy");
    WriteBytes(killed->checkpoints_path() + "/000001.network.safetensors", "half a network");
  }
  EXPECT_FALSE(RunDirectory::OpenReadOnly(path).ok());
  EXPECT_FALSE(RunDirectory::OpenForWriting(path).ok());
  const absl::StatusOr<RunDirectory> run = RunDirectory::Prepare(path);
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_FALSE(std::filesystem::exists(run->database_path()));
  EXPECT_TRUE(std::filesystem::is_empty(run->checkpoints_path()));
  WriteBytes(run->database_path(), "a copy");
  ASSERT_TRUE(run->Complete("a = 1").ok());
  EXPECT_TRUE(RunDirectory::OpenReadOnly(path).ok());
  EXPECT_EQ(ReadBytes(run->database_path()), "a copy");
  EXPECT_FALSE(std::filesystem::exists(path + "/UNFINISHED"));
  ExpectError(RunDirectory::Prepare(path).status(), {"is a run already"});
}

// Someone's games, whose config.toml was lost.
TEST(RunDirectoryTest, ADatabaseIsNotTakenOverNorRemoved) {
  const ScratchFolder folder;
  const std::string path = folder.File("run");
  (void)NewRun(path);
  WriteBytes(path + "/run.db", "precious");
  std::filesystem::remove(path + "/config.toml");
  ExpectError(RunDirectory::Create(path, "a = 1").status(), {"run.db", "without its config.toml"});
  ExpectError(RunDirectory::Prepare(path).status(), {"without its config.toml"});
  EXPECT_EQ(ReadBytes(path + "/run.db"), "precious");
}

TEST(RunDirectoryTest, AFolderThatCannotBeWritten) {
  const ScratchFolder folder;
  const std::string path = folder.File("run");
  (void)NewRun(path);
  // Works for root too: no file can be put where a folder is.
  std::filesystem::remove(path + "/LOCK");
  std::filesystem::create_directory(path + "/LOCK");
  ExpectError(RunDirectory::OpenForWriting(path).status(), {"LOCK", "can't be created"});
  EXPECT_TRUE(RunDirectory::OpenReadOnly(path).ok());
  if (geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  std::filesystem::remove(path + "/LOCK");
  chmod(path.c_str(), 0555);
  ExpectError(RunDirectory::OpenForWriting(path).status(), {"may not write there"});
  EXPECT_TRUE(RunDirectory::OpenReadOnly(path).ok());
  chmod(path.c_str(), 0755);
}

TEST(RunDirectoryTest, FreeSpace) {
  const ScratchFolder folder;
  EXPECT_TRUE(CheckFreeDisk(folder.path(), 0).ok());
  EXPECT_GT(*FreeDiskBytes(folder.path()), 0);
  const absl::Status status = CheckFreeDisk(folder.path(), std::numeric_limits<int64_t>::max());
  EXPECT_TRUE(absl::IsResourceExhausted(status));
  ExpectError(status, {folder.path().c_str(), "free some space"});
  EXPECT_FALSE(CheckFreeDisk(folder.File("none"), 1).ok());
}

}  // namespace
}  // namespace crossriver
