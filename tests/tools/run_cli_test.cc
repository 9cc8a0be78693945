// What the commands that look after runs do, without training.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "selfplay/run_directory.h"
#include "selfplay/run_reader.h"
#include "selfplay/run_store.h"
#include "tests/scratch_folder.h"
#include "tests/tools/run_crossriver.h"

namespace crossriver {
namespace {

using testing::Finished;
using ::testing::HasSubstr;
using testing::RunCrossriver;
using testing::ScratchFolder;
using testing::WriteBytes;

// A run of xiangqi without games, closed.
std::string EmptyRun(const ScratchFolder& folder) {
  std::string path = folder.File("run");
  const auto run = RunDirectory::Create(path, "variant = \"xiangqi\"\n");
  EXPECT_TRUE(run.ok()) << run.status();
  return path;
}

TEST(RunCliTest, TheDoctorExaminesWhatCannotBeWritten) {
  const ScratchFolder folder;
  const std::string path = EmptyRun(folder);
  EXPECT_EQ(RunCrossriver("doctor " + path).status, 0);
  WriteBytes(path + "/run.db", std::string(5000, 'x'));
  for (const char* flags : {"", " --look-only"}) {
    const Finished doctor = RunCrossriver("doctor " + path + flags);
    EXPECT_EQ(doctor.status, 1);
    EXPECT_THAT(doctor.output, HasSubstr("Go back to a backup, or"));
    EXPECT_THAT(doctor.output, HasSubstr("the run has faults"));
    EXPECT_THAT(doctor.errors, HasSubstr("not sound"));
  }
}

TEST(RunCliTest, ImportedGamesHaveNumbersOfTheirOwn) {
  const ScratchFolder folder;
  const std::string path = EmptyRun(folder);
  WriteBytes(folder.File("games"), "h3e3 h10g8 1/2-1/2\nh3e3 h10h1\nh3e3 1-0\n");
  for (int call = 0; call < 2; ++call) {
    const Finished imported = RunCrossriver("games import " + path + " " + folder.File("games"));
    EXPECT_EQ(imported.status, 0) << imported.errors;
    EXPECT_THAT(imported.output, HasSubstr("2 games imported, 1 skipped"));
  }
  const auto run = RunDirectory::OpenReadOnly(path);
  ASSERT_TRUE(run.ok()) << run.status();
  const auto reader = RunReader::Open(*run);
  ASSERT_TRUE(reader.ok()) << reader.status();
  EXPECT_EQ(*(*reader)->MaxGameId(), 0U);
  EXPECT_EQ((*reader)->CountGames()->games, 4);
  EXPECT_EQ(*(*reader)->NextImportedId(), kFirstImportedId + 4);
  const std::string last = std::to_string(kFirstImportedId + 3);
  EXPECT_THAT(RunCrossriver("games " + path).output, HasSubstr(last));
  EXPECT_THAT(RunCrossriver("games " + path + " show " + last).output, HasSubstr("1-0, resigned"));
  EXPECT_THAT(RunCrossriver("games " + path + " show " + std::to_string(kFirstImportedId)).output,
              HasSubstr("1/2-1/2, agreed"));
}

}  // namespace
}  // namespace crossriver
