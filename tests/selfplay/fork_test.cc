// Copies of runs: whole or no run.
#include "selfplay/fork.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "selfplay/checkpoint_store.h"
#include "tests/random_positions.h"
#include "tests/scratch_folder.h"
#include "tests/selfplay/record_helpers.h"
#include "tests/selfplay/store_helpers.h"

namespace crossriver {
namespace {

namespace fs = std::filesystem;

using testing::ExpectError;
using testing::IdsAfter;
using testing::NewRun;
using testing::OpenRun;
using testing::ReadBytes;
using testing::ScratchFolder;
using testing::WriteBytes;

void ExpectWhole(const OpenRun& run, const std::vector<CheckpointRow>& rows) {
  for (const CheckpointRow& row : rows) {
    if (!row.kept) continue;
    EXPECT_TRUE(VerifyCheckpoint(run.run, row).ok()) << VerifyCheckpoint(run.run, row);
  }
}

TEST(ForkTest, GamesAndCheckpointsOfALiveRun) {
  const ScratchFolder folder;
  OpenRun open(NewRun(folder.File("run")));
  open.AddGames(20);
  for (int64_t number = 0; number <= 3; ++number) open.AddCheckpoint(number);
  ASSERT_TRUE(open.store->MarkDeleted(0).ok());
  const absl::StatusOr<ForkReport> report = ForkRun(open.run, folder.File("fork"), "b = 2\n");
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->games, 20);
  EXPECT_EQ(report->checkpoints, 3);
  EXPECT_TRUE(report->messages.empty());
  OpenRun fork(*RunDirectory::OpenForWriting(folder.File("fork")));
  EXPECT_EQ(*fork.run.ReadConfig(), "b = 2\n");
  EXPECT_EQ(IdsAfter(fork.reader.get(), 0), IdsAfter(open.reader.get(), 0));
  EXPECT_EQ(*fork.reader->ListCheckpoints(), *open.reader->ListCheckpoints());
  ExpectWhole(fork, *fork.reader->ListCheckpoints());
  EXPECT_TRUE(ListOrphans(fork.run, fork.reader.get())->empty());
  ExpectError(ForkRun(open.run, folder.File("fork"), "").status(), {"is a run already"});
}

TEST(ForkTest, DamagedCheckpointsAreLeftOut) {
  const ScratchFolder folder;
  OpenRun open(NewRun(folder.File("run")));
  for (int64_t number = 1; number <= 4; ++number) open.AddCheckpoint(number);
  fs::remove(open.File(OptimizerFileName(1)));
  WriteBytes(open.File(NetworkFileName(4)), "damaged");
  const absl::StatusOr<ForkReport> report = ForkRun(open.run, folder.File("fork"), "");
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->checkpoints, 2);
  ASSERT_EQ(report->messages.size(), 2U);
  OpenRun fork(*RunDirectory::OpenForWriting(folder.File("fork")));
  EXPECT_EQ(NewestValidCheckpoint(fork.run, fork.reader.get())->row->number, 3);
  EXPECT_TRUE(NewestValidCheckpoint(fork.run, fork.reader.get())->messages.empty());
  ExpectWhole(fork, *fork.reader->ListCheckpoints());
  fork.AddCheckpoint(4);  // its number comes again
  EXPECT_EQ(open.reader->ListCheckpoints()->size(), 4U) << "the run itself has changed";
}

TEST(ForkTest, AFailedForkIsNoRunAndCanBeRepeated) {
  const ScratchFolder folder;
  OpenRun open(NewRun(folder.File("run")));
  open.AddGames(3);
  open.AddCheckpoint(1);
  const std::string bytes = ReadBytes(open.File(NetworkFileName(1)));
  WriteBytes(open.File(NetworkFileName(1)), "damaged");
  const std::string path = folder.File("fork");
  ExpectError(ForkRun(open.run, path, "").status(), {"no checkpoint that is whole"});
  EXPECT_FALSE(RunDirectory::OpenReadOnly(path).ok());
  WriteBytes(open.File(NetworkFileName(1)), bytes);
  EXPECT_TRUE(ForkRun(open.run, path, "").ok());
}

TEST(ForkTest, AFullDiskIsNoDamage) {
  const ScratchFolder folder;
  OpenRun open(NewRun(folder.File("run")));
  open.AddCheckpoint(1);
  open.AddCheckpoint(2);
  // Stands in for it: where a file is to be, there is a folder that can't be replaced.
  fs::create_directories(folder.File("fork/checkpoints/") + NetworkFileName(2) + "/inside");
  ExpectError(ForkRun(open.run, folder.File("fork"), "").status(), {NetworkFileName(2).c_str()});
  EXPECT_FALSE(RunDirectory::OpenReadOnly(folder.File("fork")).ok());
}

// Whenever it is killed: no run, or one with everything.
TEST(ForkTest, KilledAtAnyMoment) {
  const ScratchFolder folder;
  {
    // Closed again: SQLite's connections must not be taken along by fork().
    OpenRun open(NewRun(folder.File("run")));
    open.AddGames(30);
    for (int64_t number = 1; number <= 3; ++number) open.AddCheckpoint(number);
  }
  const RunDirectory run = *RunDirectory::OpenReadOnly(folder.File("run"));
  const std::string path = folder.File("fork");
  testing::Random random(3);
  for (int kill_number = 0; kill_number < 12; ++kill_number) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) _exit(ForkRun(run, path, "c = 3\n").ok() ? 0 : 1);
    usleep(static_cast<useconds_t>(random.Between(0, 40000)));
    kill(child, SIGKILL);
    int state = 0;
    waitpid(child, &state, 0);
    ASSERT_TRUE(WIFSIGNALED(state) || WEXITSTATUS(state) == 0) << "the next one can't go on";
    absl::StatusOr<RunDirectory> copy = RunDirectory::OpenForWriting(path);
    if (!copy.ok()) continue;
    {
      const OpenRun copied(*std::move(copy));
      EXPECT_EQ(copied.reader->CountGames()->games, 30);
      EXPECT_EQ(copied.reader->ListCheckpoints()->size(), 3U);
      ExpectWhole(copied, *copied.reader->ListCheckpoints());
    }
    fs::remove_all(path);
  }
  if (!fs::exists(path + "/config.toml")) {
    EXPECT_TRUE(ForkRun(run, path, "c = 3\n").ok());
  }
}

}  // namespace
}  // namespace crossriver
