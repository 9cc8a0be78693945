// The networks that come with the program: which one is taken, and that the commands take it.
#include "tools/shipped_networks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/variant_loader.h"
#include "tests/scratch_folder.h"
#include "tests/test_data.h"
#include "tests/tools/run_crossriver.h"
#include "tools/variant_files.h"

namespace crossriver {
namespace {

using nlohmann::json;
using testing::Finished;
using ::testing::HasSubstr;
using ::testing::Optional;
using testing::RunShell;
using testing::ScratchFolder;

class ShippedNetworkTest : public ::testing::Test {
 protected:
  ShippedNetworkTest() { setenv("CROSSRIVER_NETS", folder_.path().c_str(), 1); }
  ~ShippedNetworkTest() override { unsetenv("CROSSRIVER_NETS"); }

  std::string Touch(const std::string& name) const {
    std::ofstream(folder_.File(name)) << "";
    return folder_.File(name);
  }
  // A user's file of the same id as a built-in variant.
  std::shared_ptr<const Rules> Own(const std::string& text) const {
    const std::string file = folder_.File("minishogi.toml");
    std::ofstream(file) << text;
    const auto rules = LoadVariantFile(file);
    EXPECT_TRUE(rules.ok()) << rules.status();
    return *rules;
  }

  const ScratchFolder folder_;
};

TEST_F(ShippedNetworkTest, IdBeforeFamily) {
  const auto rules = LoadBuiltin("shoxiang-sh-weak");
  ASSERT_TRUE(rules.ok());
  EXPECT_EQ(ShippedNetwork(**rules), std::nullopt);
  const std::string other = Touch("shoxiang-sh-standard.safetensors");
  EXPECT_EQ(ShippedNetwork(**rules), std::nullopt);
  const std::string family = Touch("shoxiang-sh.safetensors");
  EXPECT_THAT(ShippedNetwork(**rules), Optional(family));
  const std::string own = Touch("shoxiang-sh-weak.safetensors");
  EXPECT_THAT(ShippedNetwork(**rules), Optional(own));
}

TEST_F(ShippedNetworkTest, NotForOtherRulesOfTheSameName) {
  const std::string file = Touch("minishogi.safetensors");
  const std::string text =
      testing::ReadBytes(testing::SourcePath("configs/variants/minishogi.toml"));
  EXPECT_THAT(ShippedNetwork(*Own(text)), Optional(file));
  const std::string other =
      absl::StrReplaceAll(text, {{"[rules]\n", "[rules]\nno_progress_plies = 77\n"}});
  ASSERT_NE(other, text);
  EXPECT_EQ(ShippedNetwork(*Own(other)), std::nullopt);
}

TEST_F(ShippedNetworkTest, IsWhatCommandsPlayWithByDefault) {
  const std::string file = folder_.File("minishogi.safetensors");
  const std::string config = folder_.File("small.toml");
  std::ofstream(config) << "[network]\nchannels = 8\nblocks = 1\npooling_channels = 4\n";
  const std::string crossriver = absl::StrCat("\"", CROSSRIVER_BINARY, "\" ");
  const Finished made =
      RunShell(absl::StrCat(crossriver, "net init minishogi ", file, " --config ", config));
  ASSERT_EQ(made.status, 0) << made.errors;

  for (const auto& [evaluator, expected] :
       {std::pair<std::string, std::string>{"", file}, {" --evaluator uniform", "uniform"}}) {
    const Finished solved =
        RunShell(absl::StrCat(crossriver, "solve minishogi --visits 1 --json", evaluator));
    ASSERT_EQ(solved.status, 0) << solved.errors;
    EXPECT_EQ(json::parse(solved.output, nullptr, false)["evaluator"], expected);
  }
  const Finished played =
      RunShell(absl::StrCat("echo quit | ", crossriver, "play minishogi --side second"));
  EXPECT_THAT(played.output, HasSubstr(absl::StrCat("net:", file)));
  // They disagree about a position that is even to the search alone.
  const std::string analyse =
      absl::StrCat(crossriver, "analyse minishogi --fen start --visits 1 --json");
  const Finished by_network = RunShell(analyse);
  const Finished by_none = RunShell(analyse + " --evaluator uniform");
  ASSERT_EQ(by_network.status, 0) << by_network.errors;
  EXPECT_THAT(by_none.output, HasSubstr("wdl"));
  EXPECT_NE(by_network.output, by_none.output);
  const Finished engine = RunShell(absl::StrCat("echo uci | ", crossriver, "uci minishogi"));
  EXPECT_THAT(engine.output, HasSubstr("option name Evaluator type combo default auto"));
}

}  // namespace
}  // namespace crossriver
