// Event files, read back byte by byte.
#include "selfplay/tensorboard.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "selfplay/bytes.h"
#include "tests/file_size_limit.h"
#include "tests/scratch_folder.h"

namespace crossriver {
namespace {

// Frames of a file; checks lengths and that equal bytes give equal checksums.
std::vector<std::string> Frames(const std::string& bytes) {
  std::vector<std::string> frames;
  absl::string_view rest = bytes;
  while (!rest.empty()) {
    ByteReader reader(rest);
    const uint64_t size = reader.Fixed64();
    if (rest.size() < size + 16) break;
    const absl::string_view data = rest.substr(12, size);
    EXPECT_EQ(TensorBoardFrame(data), std::string(rest.substr(0, size + 16)));
    frames.emplace_back(data);
    rest.remove_prefix(size + 16);
  }
  EXPECT_TRUE(rest.empty());
  return frames;
}

// The check value of CRC-32C over "123456789" is e3069283 (RFC 3720 and catalogues); masked:
// rotated right by 15, plus a282ead8.
TEST(TensorBoardTest, ChecksumIsTheOneOfTheFormat) {
  const std::string frame = TensorBoardFrame("123456789");
  ASSERT_EQ(frame.size(), 8U + 4 + 9 + 4);
  ByteReader reader(absl::string_view(frame).substr(21));
  const uint32_t crc = 0xE3069283;
  EXPECT_EQ(reader.Fixed32(), (crc >> 15 | crc << 17) + 0xA282EAD8U);
}

TEST(TensorBoardTest, ScalarsAreEvents) {
  const testing::ScratchFolder folder;
  {
    auto writer = EventWriter::Create(folder.File("tensorboard"));
    ASSERT_TRUE(writer.ok()) << writer.status();
    EXPECT_TRUE((*writer)->Scalar("loss/policy", 300, 2.5).ok());
  }
  std::string bytes;
  for (const auto& entry : std::filesystem::directory_iterator(folder.File("tensorboard"))) {
    EXPECT_NE(entry.path().filename().string().find("events.out.tfevents."), std::string::npos);
    bytes = testing::ReadBytes(entry.path().string());
  }
  const std::vector<std::string> frames = Frames(bytes);
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_NE(frames[0].find("brain.Event:2"), std::string::npos);
  // Behind the time (tag and 8 bytes): step 300 as field 2, and the summary as field 5.
  const std::string event = frames[1].substr(9);
  EXPECT_EQ(event.substr(0, 3), std::string("\x10\xAC\x02", 3));
  EXPECT_EQ(event[3], '\x2A');
  EXPECT_NE(event.find("\x0A\x0Bloss/policy\x15"), std::string::npos);
  EXPECT_EQ(event.substr(event.size() - 4), std::string("\x00\x00\x20\x40", 4));  // 2.5
}

// The event of the full disk is missing, and the next one is read.
TEST(TensorBoardTest, AFullDiskLeavesNoHalfEvents) {
  const testing::ScratchFolder folder;
  auto writer = EventWriter::Create(folder.path());
  ASSERT_TRUE(writer.ok()) << writer.status();
  const std::string path = folder.File(folder.Names().at(0));
  const size_t before = testing::ReadBytes(path).size();
  {
    const testing::FileSizeLimit limit(before + 20);
    const absl::Status full = (*writer)->Scalar("lost", 1, 1);
    EXPECT_NE(full.message().find("File too large"), absl::string_view::npos) << full;
  }
  EXPECT_EQ(testing::ReadBytes(path).size(), before);
  EXPECT_TRUE((*writer)->Scalar("kept", 2, 2).ok());
  const std::vector<std::string> frames = Frames(testing::ReadBytes(path));
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_NE(frames[1].find("kept"), std::string::npos);
}

TEST(TensorBoardTest, AFolderThatCannotBeMadeIsAnError) {
  EXPECT_FALSE(EventWriter::Create("/proc/none/here").ok());
}

}  // namespace
}  // namespace crossriver
