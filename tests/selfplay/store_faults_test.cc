// What can happen to a run's database: full disks, other programs, kills.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/random_positions.h"
#include "tests/scratch_folder.h"
#include "tests/selfplay/record_helpers.h"
#include "tests/selfplay/store_helpers.h"

namespace crossriver {
namespace {

using testing::ExpectError;
using testing::IdsAfter;
using testing::kBusyTimeout;
using testing::NewRun;
using testing::OpenDatabase;
using testing::OpenReader;
using testing::OpenStore;
using testing::ScratchFolder;
using testing::StoredGame;

TEST(DatabaseTest, AFullDiskSaysWhatToDo) {
  const ScratchFolder folder;
  const absl::StatusOr<std::unique_ptr<Database>> database =
      Database::Open(folder.File("x.db"), Database::Mode::kCreate, kBusyTimeout);
  ASSERT_TRUE(database.ok()) << database.status();
  ASSERT_TRUE((*database)->Execute("CREATE TABLE t (x); PRAGMA max_page_count = 10").ok());
  const auto fill = [&] { return (*database)->Execute("INSERT INTO t VALUES (zeroblob(200000))"); };
  EXPECT_TRUE(absl::IsResourceExhausted((*database)->Transaction(fill)));
  ExpectError((*database)->Transaction(fill), {"x.db", "full", "Free some space"});
  EXPECT_EQ(*(*database)->QueryInt("SELECT count(*) FROM t"), 0);
}

TEST(DatabaseTest, ALockedDatabaseSaysSo) {
  const ScratchFolder folder;
  const RunDirectory run = NewRun(folder.File("run"));
  RunStoreOptions options;
  options.busy_timeout = std::chrono::milliseconds(1);
  const std::unique_ptr<RunStore> store = OpenStore(run, options);
  const std::unique_ptr<Database> other = OpenDatabase(run);
  ASSERT_TRUE(other->Execute("BEGIN IMMEDIATE").ok());
  ASSERT_TRUE(store->Put(StoredGame(1)).ok());
  ExpectError(store->Flush(), {"locked", "Another program"});
  ExpectError(store->Put(StoredGame(2)), {"locked"});
  ASSERT_TRUE(other->Execute("COMMIT").ok());
  EXPECT_TRUE(store->Flush().ok()) << "nothing was lost";
  EXPECT_EQ(OpenReader(run)->Counts()->games, 1);
}

// Its disk takes no more: nothing is lost but time.
TEST(DatabaseTest, WritingGoesOnWhenItCanAgain) {
  const ScratchFolder folder;
  const RunDirectory run = NewRun(folder.File("run"));
  const std::unique_ptr<RunStore> store = OpenStore(run);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  rlimit before = {};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small = {100000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  uint64_t taken = 0;
  while (store->Put(StoredGame(taken, 30)).ok()) ++taken;
  const absl::Status full = store->Flush();
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  ExpectError(full, {"run.db"});
  ASSERT_TRUE(store->Flush().ok());
  EXPECT_EQ(IdsAfter(OpenReader(run).get(), 0).size(), taken);
  EXPECT_TRUE(OpenReader(run)->CheckIntegrity()->empty());
}

// A run in a folder that nobody may write to can still be looked at.
TEST(DatabaseTest, ReadingWhereNothingCanBeWritten) {
  const ScratchFolder folder;
  const RunDirectory run = NewRun(folder.File("run"));
  {
    const std::unique_ptr<RunStore> store = OpenStore(run);
    ASSERT_TRUE(store->Put(StoredGame(1)).ok());
  }
  // As root too: the files beside the database can't be made where folders are.
  std::filesystem::create_directory(run.database_path() + "-shm");
  const absl::StatusOr<std::unique_ptr<RunReader>> reader = RunReader::Open(run);
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_EQ((*reader)->Counts()->games, 1);
}

// Writes games, and a byte to the pipe for each that is committed, until it is killed.
[[noreturn]] void WriteUntilKilled(const std::string& path, int pipe_end) {
  const absl::StatusOr<RunDirectory> run = RunDirectory::OpenForWriting(path);
  if (!run.ok()) _exit(2);
  const absl::StatusOr<std::unique_ptr<RunStore>> store = RunStore::Open(*run);
  if (!store.ok()) _exit(3);
  for (uint64_t id = 1;; ++id) {
    if (!(*store)->Put(StoredGame(id, 4)).ok()) _exit(4);
    if (id % 3 == 0 && !(*store)->PutMetrics({{1, 1, "m", 1.0}}).ok()) _exit(5);
    if (id % 4 != 0) continue;
    if (!(*store)->Flush().ok()) _exit(6);
    if (id % 20 == 0 && !(*store)->TruncateLog().ok()) _exit(7);
    if (write(pipe_end, "cccc", 4) != 4) _exit(8);
  }
}

TEST(KillTest, NoCommittedGameIsLost) {
  const ScratchFolder folder;
  const std::string path = folder.File("run");
  (void)NewRun(path);
  testing::Random random(5);
  int64_t most = 0;
  for (int kill_number = 0; kill_number < 12; ++kill_number) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) WriteUntilKilled(path, ends[1]);
    close(ends[1]);
    const int wanted = random.Between(1, 60);
    int64_t committed = 0;
    char byte;
    while (committed < wanted && read(ends[0], &byte, 1) == 1) ++committed;
    usleep(static_cast<useconds_t>(random.Between(0, 3000)));
    kill(child, SIGKILL);
    int state = 0;
    waitpid(child, &state, 0);
    ASSERT_TRUE(WIFSIGNALED(state)) << "the child gave up: " << WEXITSTATUS(state);
    while (read(ends[0], &byte, 1) == 1) ++committed;
    close(ends[0]);
    most = std::max(most, committed);

    const absl::StatusOr<RunDirectory> run = RunDirectory::OpenForWriting(path);
    ASSERT_TRUE(run.ok()) << run.status();
    const std::unique_ptr<RunStore> store = OpenStore(*run);
    const std::unique_ptr<RunReader> reader = OpenReader(*run);
    EXPECT_TRUE(reader->CheckIntegrity()->empty());
    // Ids are put in order, so what is there is 1, 2, … without gaps.
    const std::vector<uint64_t> ids = IdsAfter(reader.get(), 0);
    EXPECT_GE(static_cast<int64_t>(ids.size()), most);
    for (size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(ids[i], i + 1);
  }
  EXPECT_GT(most, 0);
}

}  // namespace
}  // namespace crossriver
