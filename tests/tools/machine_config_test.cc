// machine.toml: what autotune writes is read back, and mistakes are named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/tools/run_crossriver.h"
#include "tools/network_config.h"

namespace crossriver {
namespace {

using ::testing::HasSubstr;

TEST(MachineConfigTest, RoundTrip) {
  const std::string file = testing::TempFile("machine.toml");
  MachineConfig config;
  config.inference = {
      .type = ElementType::kBFloat16, .channels_last = false, .prepacked = true, .batch = 48};
  config.workers = 3;
  config.positions_per_second = 1234;
  config.network = "channels=64";
  ASSERT_TRUE(WriteMachineConfig(file, config).ok());
  const absl::StatusOr<MachineConfig> read = ReadMachineConfig(file);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->inference, config.inference);
  EXPECT_EQ(read->workers, 3);
  EXPECT_EQ(read->positions_per_second, 1234);
  EXPECT_EQ(read->network, "channels=64");
}

TEST(MachineConfigTest, MistakesAreNamed) {
  const std::string file = testing::TempFile("bad_machine.toml");
  const std::pair<const char*, const char*> cases[] = {
      {"", "field 'inference': missing"},
      {"[inference]\nbatch = 0\n", "inference.batch': 0 is out of range"},
      {"[inference]\ntype = \"int4\"\n", "unknown value 'int4'"},
      {"[inference]\nworker = 2\n", "did you mean 'workers'"}};
  for (const auto& [text, message] : cases) {
    std::ofstream(file) << text;
    const absl::Status status = ReadMachineConfig(file).status();
    EXPECT_FALSE(status.ok()) << text;
    EXPECT_THAT(std::string(status.message()), HasSubstr(message));
  }
}

}  // namespace
}  // namespace crossriver
