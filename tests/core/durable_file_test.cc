// Files that are complete or not there.
#include "core/durable_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/file_size_limit.h"
#include "tests/scratch_folder.h"

namespace crossriver {
namespace {

using testing::FileSizeLimit;
using testing::ReadBytes;
using testing::ScratchFolder;
using testing::WriteBytes;

void ExpectNames(const absl::Status& status, const std::string& path) {
  EXPECT_FALSE(status.ok());
  EXPECT_NE(std::string(status.message()).find(path), std::string::npos) << status;
}

TEST(DurableFileTest, RoundTrip) {
  const ScratchFolder folder;
  const std::string path = folder.File("x");
  for (const std::string& content :
       {std::string(), std::string("one\0two\n", 8), std::string(3000000, 'y')}) {
    ASSERT_TRUE(WriteFileDurably(path, content).ok());
    EXPECT_EQ(ReadBytes(path), content);
    const absl::StatusOr<std::string> read = ReadWholeFile(path, content.size());
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(*read, content);
    if (!content.empty()) ExpectNames(ReadWholeFile(path, content.size() - 1).status(), path);
  }
  EXPECT_EQ(folder.Names(), std::vector<std::string>{"x"});
}

// A name without a folder is in the present one.
TEST(DurableFileTest, RelativePaths) {
  const ScratchFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  EXPECT_TRUE(WriteFileDurably("here", "content").ok());
  std::filesystem::current_path(before);
  EXPECT_EQ(ReadBytes(folder.File("here")), "content");
}

TEST(DurableFileTest, AFailingWriteLeavesTheOldFile) {
  const ScratchFolder folder;
  const std::string path = folder.File("x");
  WriteBytes(path, "the old one");
  {
    const FileSizeLimit limit(1000);
    ExpectNames(WriteFileDurably(path, std::string(100000, 'n')), path);
  }
  EXPECT_EQ(ReadBytes(path), "the old one");
  EXPECT_EQ(folder.Names(), std::vector<std::string>{"x"}) << "something is left over";
  EXPECT_TRUE(WriteFileDurably(path, "a new one").ok());
  EXPECT_EQ(ReadBytes(path), "a new one");
}

TEST(DurableFileTest, Copies) {
  const ScratchFolder folder;
  for (const size_t size : {size_t{0}, size_t{7}, size_t{1 << 18}, size_t{700001}}) {
    WriteBytes(folder.File("x"), std::string(size, 'x'));
    ASSERT_TRUE(CopyFileDurably(folder.File("x"), folder.File("y")).ok());
    EXPECT_EQ(ReadBytes(folder.File("y")), std::string(size, 'x'));
  }
  {
    const FileSizeLimit limit(1000);
    ExpectNames(CopyFileDurably(folder.File("x"), folder.File("y")), folder.File("y"));
  }
  EXPECT_EQ(ReadBytes(folder.File("y")).size(), 700001U) << "what was there stays";
  ExpectNames(CopyFileDurably(folder.File("none"), folder.File("z")), folder.File("none"));
  ExpectNames(CopyFileDurably(folder.path(), folder.File("z")), folder.path());
  EXPECT_EQ(folder.Names(), (std::vector<std::string>{"x", "y"})) << "something is left over";
}

TEST(DurableFileTest, AFolderInTheWayIsAnError) {
  const ScratchFolder folder;
  const std::string path = folder.File("x");
  std::filesystem::create_directory(path);
  WriteBytes(path + "/inside", "kept");
  ExpectNames(WriteFileDurably(path, "content"), path);
  ExpectNames(ReadWholeFile(path, 100).status(), path);
  EXPECT_EQ(folder.Names(), std::vector<std::string>{"x"});
  EXPECT_EQ(ReadBytes(path + "/inside"), "kept");
}

TEST(DurableFileTest, MissingFoldersAndFilesAreErrors) {
  const ScratchFolder folder;
  ExpectNames(WriteFileDurably(folder.File("no/x"), "content"), folder.File("no/x"));
  ExpectNames(ReadWholeFile(folder.File("no"), 100).status(), folder.File("no"));
  EXPECT_TRUE(folder.Names().empty());
}

TEST(DurableFileTest, AnUnwritableFolderIsAnError) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  const ScratchFolder folder;
  const std::string path = folder.File("x");
  WriteBytes(path, "the old one");
  chmod(folder.path().c_str(), 0555);
  ExpectNames(WriteFileDurably(path, "content"), path);
  chmod(folder.path().c_str(), 0755);
  EXPECT_EQ(ReadBytes(path), "the old one");
  EXPECT_EQ(folder.Names(), std::vector<std::string>{"x"});
}

// What is no regular file is not waited for.
TEST(DurableFileTest, DevicesAndPipesAreNotRead) {
  const ScratchFolder folder;
  ExpectNames(ReadWholeFile("/dev/zero", 100).status(), "/dev/zero");
}

}  // namespace
}  // namespace crossriver
