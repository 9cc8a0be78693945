// Training configurations: inheritance, overrides, mistakes, and what a run keeps of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/variant_loader.h"
#include "tests/scratch_folder.h"
#include "tools/run_config_file.h"

namespace crossriver {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ScratchFolder;
using testing::WriteBytes;

const std::string kConfigs = std::string(CROSSRIVER_SOURCE_DIR) + "/configs/train";

std::vector<std::string> ConfigFiles() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(kConfigs)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path().string());
  }
  return files;
}

TEST(RunConfigTest, EveryFileIsReadAndKeptAsItIs) {
  ASSERT_GT(ConfigFiles().size(), 16U);
  for (const std::string& file : ConfigFiles()) {
    const auto config = ReadRunConfig(file, {});
    ASSERT_TRUE(config.ok()) << config.status();
    const std::string text = WriteRunConfig(*config);
    const auto again = ParseRunConfig(text, "config.toml", {});
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(WriteRunConfig(*again), text) << file;
    EXPECT_THAT(FixedDifferences(*config, *again), IsEmpty()) << file;
  }
}

TEST(RunConfigTest, EveryVariantHasOne) {
  for (const std::string& id : BuiltinVariantIds()) {
    const auto config = ReadRunConfig(absl::StrCat(kConfigs, "/", id, ".toml"), {});
    ASSERT_TRUE(config.ok()) << config.status();
    EXPECT_EQ(config->variant, id);
  }
}

TEST(RunConfigTest, ChildrenAndSetsOverride) {
  const ScratchFolder folder;
  WriteBytes(
      folder.File("base.toml"),
      "variant = \"minishogi\"\n[loop]\nreuse = 3\nbatch_size = 64\n[selfplay]\ngames = 5\n");
  WriteBytes(folder.File("child.toml"), "inherits = \"base.toml\"\n[loop]\nbatch_size = 32\n");
  const auto config =
      ReadRunConfig(folder.File("child.toml"),
                    {"loop.reuse=2", "selfplay.root_policy=puct", "device=cpu", "loop.reuse=2.5"});
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->variant, "minishogi");
  EXPECT_EQ(config->device, "cpu");
  EXPECT_EQ(config->loop.reuse, 2.5);  // the last one counts
  EXPECT_EQ(config->loop.batch_size, 32);
  EXPECT_EQ(config->selfplay.games, 5);
  EXPECT_EQ(config->selfplay.root_policy, RootPolicy::kPuct);
}

TEST(RunConfigTest, OtherVariantsAreNamedToo) {
  const auto config = ReadRunConfig(kConfigs + "/shoxiang-sh.toml", {});
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_THAT(config->Variants(), ElementsAre("shoxiang-sh-standard", "shoxiang-sh-weak",
                                              "shoxiang-sh-strong", "shoxiang-sh-centrewise"));
  const auto alone = ReadRunConfig(kConfigs + "/shoxiang-sh.toml", {"also=[]"});
  ASSERT_TRUE(alone.ok()) << alone.status();
  EXPECT_THAT(alone->Variants(), ElementsAre("shoxiang-sh-standard"));
  EXPECT_THAT(FixedDifferences(*config, *alone), ElementsAre(HasSubstr("also: ")));
  EXPECT_THAT(std::string(ReadRunConfig(kConfigs + "/shoxiang-sh.toml",
                                        {"selfplay.openings=a.jsonl", "selfplay.start_opening=0.1"})
                              .status()
                              .message()),
              HasSubstr("start_opening of [selfplay]: expected 0"));
}

TEST(RunConfigTest, MistakesSayWhereAndWhat) {
  struct Case {
    const char* text;
    std::vector<std::string> sets;
    std::vector<const char*> words;
  };
  const std::vector<Case> cases = {
      {"[loop]\nreuse = 3\n", {}, {"variant"}},
      {"variant = \"minishogi\"\n[loop]\nrause = 3\n", {}, {"mine.toml:3", "loop.rause", "reuse"}},
      {"variant = \"minishogi\"\n[loop]\nreuse = -1\n", {}, {"mine.toml:3", "loop.reuse"}},
      {"variant = \"minishogi\"\n[lop]\n", {}, {"mine.toml:2", "lop", "loop"}},
      {"variant = \"minishogi\"\n", {"loop.reuse"}, {"--set loop.reuse", "table.key=value"}},
      {"variant = \"minishogi\"\n", {"loop.reuse=x"}, {"loop.reuse"}},
      {"variant = \"minishogi\"\n", {"selfplay.root_policy=gumble"}, {"gumble", "gumbel"}},
      {"variant = \"minishogi\"\n",
       {"selfplay.cheap_visits=99", "selfplay.full_visits=9"},
       {"[selfplay]", "cheap_visits"}},
      {"variant = \"minishogi\"\n",
       {"selfplay.deterministic=true", "loop.schedule=concurrent"},
       {"deterministic", "interleaved"}},
      {"variant = \"minishogi\"\n[loop]\nreuse = \n", {}, {"mine.toml:3"}},
      {"inherits = \"none.toml\"\n", {}, {"none.toml"}},
      {"inherits = \"../mine.toml\"\n", {}, {"mine.toml:1", "inherits"}},
      {"inherits = \"mine.toml\"\n", {}, {"cycle"}},
  };
  for (const Case& c : cases) {
    const ScratchFolder folder;
    WriteBytes(folder.File("mine.toml"), c.text);
    const auto config = ReadRunConfig(folder.File("mine.toml"), c.sets);
    ASSERT_FALSE(config.ok()) << c.text;
    for (const char* word : c.words) {
      EXPECT_THAT(std::string(config.status().message()), HasSubstr(word)) << c.text;
    }
  }
}

TEST(RunConfigTest, WhatARunMayChange) {
  const auto config = ReadRunConfig(kConfigs + "/smoke.toml", {});
  ASSERT_TRUE(config.ok());
  const auto longer = ReadRunConfig(kConfigs + "/smoke.toml",
                                    {"loop.generations=99", "loop.workers=1", "device=auto"});
  ASSERT_TRUE(longer.ok());
  EXPECT_THAT(FixedDifferences(*config, *longer), IsEmpty());
  const auto other =
      ReadRunConfig(kConfigs + "/smoke.toml", {"loop.reuse=9", "network.channels=24"});
  ASSERT_TRUE(other.ok());
  EXPECT_THAT(FixedDifferences(*config, *other),
              ElementsAre(AllOf(HasSubstr("[network] channels"), HasSubstr("24")),
                          AllOf(HasSubstr("[loop] reuse"), HasSubstr("9"))));
}

}  // namespace
}  // namespace crossriver
