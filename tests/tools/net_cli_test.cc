// The commands for networks as a user or a script meets them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/test_data.h"
#include "tests/tools/run_crossriver.h"

namespace crossriver {
namespace {

using nlohmann::json;
using testing::Finished;
using ::testing::HasSubstr;
using testing::RunCrossriver;
using testing::TempFile;

// A small network of a variant in a file.
std::string NewNet(const std::string& variant, const std::string& name, int seed) {
  const std::string config = TempFile("small.toml");
  std::ofstream(config) << "[network]\nchannels = 8\nblocks = 1\npooling_channels = 4\n";
  std::string file = TempFile(name);
  const Finished run = RunCrossriver("net init " + variant + " " + file + " --force --config " +
                                     config + " --seed " + std::to_string(seed));
  EXPECT_EQ(run.status, 0) << run.errors;
  return file;
}

TEST(NetCliTest, HelpHasExamples) {
  for (const char* command : {"net", "net init", "net info", "net diff", "net export",
                              "bench infer", "bench train", "bench trunk", "autotune"}) {
    const Finished help = RunCrossriver(std::string(command) + " --help");
    EXPECT_EQ(help.status, 0) << command;
    EXPECT_THAT(help.output, HasSubstr("Example:\n  crossriver ")) << command;
  }
}

TEST(NetCliTest, InitAndInfo) {
  const std::string file = NewNet("switchback", "a.safetensors", 1);
  const Finished text = RunCrossriver("net info " + file);
  EXPECT_EQ(text.status, 0);
  EXPECT_THAT(text.output, HasSubstr("network     8x1"));
  const json info = json::parse(RunCrossriver("net info --json " + file).output, nullptr, false);
  EXPECT_EQ(info["family"], "switchback");
  EXPECT_EQ(info["step"], 0);
  EXPECT_GT(info["parameters"], 1000);
  EXPECT_GT(info["flops_per_position"], 1e5);
  EXPECT_THAT(std::string(info["options"]), HasSubstr("channels=8"));
}

TEST(NetCliTest, InitKeepsWhatIsThere) {
  const std::string file = NewNet("minishogi", "kept.safetensors", 1);
  const Finished again = RunCrossriver("net init minishogi " + file);
  EXPECT_EQ(again.status, 1);
  EXPECT_THAT(again.errors, HasSubstr("--force"));
}

TEST(NetCliTest, InfoOfABadFileIsOneLine) {
  const std::string file = NewNet("minishogi", "bad.safetensors", 1);
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 5);
  for (const std::string& bad : {file, TempFile("absent"), std::string("/")}) {
    const Finished run = RunCrossriver("net info " + bad);
    EXPECT_EQ(run.status, 1) << bad;
    EXPECT_EQ(run.output, "") << bad;
    EXPECT_THAT(run.errors, HasSubstr(bad));
    EXPECT_EQ(std::count(run.errors.begin(), run.errors.end(), '\n'), 1) << run.errors;
  }
}

TEST(NetCliTest, DiffTellsSameFromOther) {
  const std::string a = NewNet("minishogi", "d1.safetensors", 1);
  const std::string b = NewNet("minishogi", "d2.safetensors", 2);
  const auto diff = [&a](const std::string& other) {
    return json::parse(RunCrossriver("net diff --json --positions 50 " + a + " " + other).output,
                       nullptr, false);
  };
  const json same = diff(a);
  EXPECT_EQ(same["policy_divergence"], 0);
  EXPECT_EQ(same["same_best"], 1);
  for (const json& tensor : same["tensors"]) EXPECT_EQ(tensor["max"], 0) << tensor["name"];
  const json other = diff(b);
  EXPECT_EQ(other["positions"], 50);
  EXPECT_GT(other["policy_divergence"], 0);
  EXPECT_GT(other["policy_max"], 0);
}

TEST(NetCliTest, DiffOfOtherGamesIsAnError) {
  const std::string a = NewNet("minishogi", "e1.safetensors", 1);
  const std::string b = NewNet("switchback", "e2.safetensors", 1);
  const Finished run = RunCrossriver("net diff " + a + " " + b);
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.errors, HasSubstr("e2.safetensors"));
  EXPECT_THAT(run.errors, HasSubstr("other features than those of 'minishogi'"));
}

TEST(NetCliTest, ConfigMistakesAreNamed) {
  const std::string config = TempFile("wrong.toml");
  std::ofstream(config) << "[network]\nchanels = 8\nblocks = -1\ngeometry = \"bx\"\n";
  const Finished run =
      RunCrossriver("net init minishogi " + TempFile("x.safetensors") + " --config " + config);
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.errors, HasSubstr(config + ":2: field 'network.chanels'"));
  EXPECT_THAT(run.errors, HasSubstr("did you mean 'channels'"));
  EXPECT_THAT(run.errors, HasSubstr(config + ":3: field 'network.blocks'"));
  EXPECT_THAT(run.errors, HasSubstr("did you mean 'box'"));
}

TEST(NetCliTest, CommittedNetsAreValid) {
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(testing::SourcePath("configs/nets"))) {
    if (entry.path().extension() != ".toml") continue;
    ++files;
    const Finished run = RunCrossriver("net init switchback --force " + TempFile("c.safetensors") +
                                       " --config " + entry.path().string());
    EXPECT_EQ(run.status, 0) << run.errors;
  }
  EXPECT_GE(files, 3);
}

TEST(NetCliTest, BenchesReport) {
  const json infer = json::parse(
      RunCrossriver("bench infer --variant minishogi --size 8x1 --seconds 0.02 --repeats 1 --json")
          .output,
      nullptr, false);
  EXPECT_GT(infer["rows"].size(), 5U);
  EXPECT_GT(infer["best"]["positions_per_second"], 0);
  EXPECT_GT(infer["best"]["ratio_to_bare_loop"], 0);
  const json train = json::parse(
      RunCrossriver("bench train --variant minishogi --size 8x1 --steps 1 --repeats 1 --batch 16 "
                    "--threads 1 --json")
          .output,
      nullptr, false);
  EXPECT_GT(train["rows"][0]["rows_per_second"], 0);
  const json trunk =
      json::parse(RunCrossriver("bench trunk --size 8x1 --rows 300 --seconds 0.1 --json").output,
                  nullptr, false);
  EXPECT_EQ(trunk["rows"].size(), 12U);  // three geometries, four reports
}

TEST(NetCliTest, AnalyseWithANetwork) {
  const std::string net = NewNet("minishogi", "analyst.safetensors", 3);
  for (const char* flags : {"", " --threads 2", " --policy gumbel"}) {
    const Finished run =
        RunCrossriver("analyse minishogi --fen start --visits 200 --json --net " + net + flags);
    EXPECT_EQ(run.status, 0) << run.errors;
    const json answer = json::parse(run.output, nullptr, false);
    EXPECT_EQ(answer["visits"], 200) << flags;
    // The uniform evaluator would give all moves the same prior.
    EXPECT_NE(answer["lines"][0]["prior"], answer["lines"][4]["prior"]) << flags;
  }
  const std::string input = TempFile("positions.txt");
  std::ofstream(input) << "rbsgk/4p/5/P4/KGSBR[] w 0 1\nnonsense\n";
  const Finished lines =
      RunCrossriver("analyse minishogi --visits 20 --net " + net + " < " + input);
  std::istringstream stream(lines.output);
  std::string first, second;
  std::getline(stream, first);
  std::getline(stream, second);
  EXPECT_TRUE(json::parse(first, nullptr, false).contains("best")) << lines.output << lines.errors;
  EXPECT_TRUE(json::parse(second, nullptr, false).contains("error")) << lines.output;
  const Finished other = RunCrossriver("analyse xiangqi --fen start --net " + net);
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.errors, HasSubstr("analyst.safetensors"));
  const std::string absent = TempFile("absent.safetensors");
  const Finished missing = RunCrossriver("analyse minishogi --fen start --net " + absent);
  EXPECT_EQ(missing.status, 1);
  EXPECT_THAT(missing.errors, HasSubstr(absent));
}

TEST(NetCliTest, AutotuneWritesMachineToml) {
  const std::string run = TempFile("run");
  std::filesystem::create_directories(run);
  std::ofstream(run + "/config.toml")
      << "variant = \"minishogi\"\n[network]\nchannels = 8\nblocks = 1\npooling_channels = 4\n";
  const Finished tuned = RunCrossriver("autotune " + run + " --seconds 0.02");
  EXPECT_EQ(tuned.status, 0) << tuned.errors;
  std::ostringstream text;
  text << std::ifstream(run + "/machine.toml").rdbuf();
  const std::string written = text.str();
  EXPECT_THAT(written, HasSubstr("[inference]"));
  EXPECT_THAT(written, HasSubstr("batch = "));
  const Finished absent = RunCrossriver("autotune " + TempFile("nowhere"));
  EXPECT_EQ(absent.status, 1);
  EXPECT_THAT(absent.errors, HasSubstr("config.toml"));
}

}  // namespace
}  // namespace crossriver
