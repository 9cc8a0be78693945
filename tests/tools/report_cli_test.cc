// `crossriver report` as scripts meet it, and the README's example of a variant.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "selfplay/run_directory.h"
#include "tests/scratch_folder.h"
#include "tests/selfplay/record_helpers.h"
#include "tests/selfplay/store_helpers.h"
#include "tests/test_data.h"
#include "tests/tools/run_crossriver.h"
#include "tools/variant_files.h"

namespace crossriver {
namespace {

using nlohmann::json;
using testing::Finished;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RunCrossriver;

class ReportCliTest : public ::testing::Test {
 protected:
  // A run with random games, closed; its path. `variant` is what its config names.
  std::string NewRun(const std::string& name, const std::string& variant, const Rules& rules,
                     uint64_t games) const {
    std::string path = folder_.File(name);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    auto run = RunDirectory::Create(path, absl::StrCat("variant = \"", variant, "\"\n"));
    EXPECT_TRUE(run.ok()) << run.status();
    const testing::OpenRun open(*std::move(run));
    for (uint64_t id = 1; id <= games; ++id) {
      EXPECT_TRUE(open.store->Put(testing::RandomRecord(rules, id, 80)).ok());
    }
    EXPECT_TRUE(open.store->Flush().ok());
    return path;
  }

  std::string NewRun(const std::string& name, const std::string& variant, uint64_t games) const {
    return NewRun(name, variant, testing::RulesOf(variant), games);
  }

  const testing::ScratchFolder folder_;
};

TEST_F(ReportCliTest, OfOneRun) {
  const std::string run = NewRun("run", "minishogi", 300);
  const Finished text = RunCrossriver("report " + run);
  EXPECT_EQ(text.status, 0) << text.errors;
  EXPECT_THAT(text.output, HasSubstr("first player's score"));
  EXPECT_THAT(text.output, HasSubstr("drops a game"));
  EXPECT_THAT(text.output, HasSubstr("What pieces do"));
  const std::string page = folder_.File("a page.html");
  const Finished written = RunCrossriver("report " + run + " --out '" + page + "'");
  EXPECT_EQ(written.status, 0) << written.errors;
  EXPECT_EQ(written.output, "");
  EXPECT_THAT(testing::ReadBytes(page), HasSubstr("<h1>Minishogi</h1>"));
  // What is on a page is for others.
  EXPECT_THAT(testing::ReadBytes(page), Not(HasSubstr(folder_.path())));
  const Finished numbers = RunCrossriver("report " + run + " --json --newest 100 --threads 1");
  EXPECT_EQ(numbers.status, 0) << numbers.errors;
  EXPECT_EQ(json::parse(numbers.output)["games"], 100);
  EXPECT_EQ(json::parse(numbers.output)["replayed_games"], 100);
  EXPECT_EQ(numbers.output, RunCrossriver("report " + run + " --json --newest 100").output);
  const json some = testing::RunForJson("report " + run + " --replay 500");
  EXPECT_EQ(some["games"], 300);
  EXPECT_LT(some["replayed_games"], 100);
  EXPECT_EQ(testing::RunForJson("report " + run + " --replay 0")["replayed_games"], 300);
}

TEST_F(ReportCliTest, Compares) {
  const std::string weak = NewRun("a/run", "shoxiang-xq-weak", 40);
  const std::string strong = NewRun("b/run", "shoxiang-xq-strong", 30);
  const std::string other = NewRun("b/other", "shoxiang-xq-strong", 20);
  const auto labels = [](const std::string& runs) {
    const json compared = testing::RunForJson("report compare " + runs);
    std::string joined;
    for (const json& run : compared["runs"]) {
      joined += run["label"].get<std::string>() + "|";
    }
    return joined;
  };
  const auto name = [](const char* variant) {
    return testing::RulesOf(variant).definition().name + "|";
  };
  EXPECT_EQ(labels(weak + " " + strong), name("shoxiang-xq-weak") + name("shoxiang-xq-strong"));
  EXPECT_EQ(labels(strong + "/ " + other), "run|other|");
  EXPECT_EQ(labels(strong + " " + weak + " " + strong), strong + "|" + weak + "|" + strong + "|");
  const std::string page = folder_.File("page.html");
  EXPECT_EQ(RunCrossriver("report compare " + weak + " " + strong + " --out " + page).status, 0);
  EXPECT_THAT(testing::ReadBytes(page), HasSubstr("</html>"));
}

TEST_F(ReportCliTest, Errors) {
  const std::string run = NewRun("run", "minishogi", 5);
  const std::string empty = NewRun("empty", "minishogi", 0);
  const struct {
    std::string arguments;
    int status;
    std::string error;
  } cases[] = {
      {"", 2, "words"},
      {folder_.File("none"), 1, "none"},
      {empty, 1, "no games to report of"},
      {run + " " + run, 1, "expected one run, or 'compare' and several"},
      {"compare " + run, 1, "expected 2 to 6 runs, got 1"},
      {run + " --newest 0", 2, "--newest"},
      {run + " --out " + folder_.File("no/such.html"), 1, "--out"},
  };
  for (const auto& c : cases) {
    const Finished finished = RunCrossriver("report " + c.arguments);
    EXPECT_EQ(finished.status, c.status) << c.arguments;
    EXPECT_THAT(finished.errors, HasSubstr(c.error)) << c.arguments;
    EXPECT_EQ(finished.output, "") << c.arguments;
  }
}

// The README's variant and its commands, but for training: its runs have random games.
TEST_F(ReportCliTest, TheReadmesOwnVariant) {
  const std::string readme = testing::ReadText("README.md");
  const size_t begin = readme.find("## Write your own variant");
  ASSERT_NE(begin, std::string::npos);
  const std::string section = readme.substr(begin, readme.find("\n## ", begin + 1) - begin);
  std::string variant;
  std::vector<std::string> commands;
  for (absl::string_view line : absl::StrSplit(section, '\n')) {
    if (!absl::ConsumePrefix(&line, "    ")) continue;
    if (absl::StartsWith(line, "build/crossriver ")) {
      // A comment would hide what the shell is told behind it.
      const absl::string_view command = line.substr(0, line.find(" #"));
      commands.push_back(absl::StrReplaceAll(command, {{"build/crossriver", CROSSRIVER_BINARY}}));
    } else {
      absl::StrAppend(&variant, line, "\n");
    }
  }
  const std::string file = folder_.File("leaping.toml");
  testing::WriteBytes(file, variant);
  const auto rules = LoadVariantArgument(file);
  ASSERT_TRUE(rules.ok()) << rules.status();
  NewRun("runs/minishogi", "minishogi", testing::RulesOf("minishogi"), 100);
  NewRun("runs/leaping", file, **rules, 300);
  int trained = 0;
  for (const std::string& command : commands) {
    if (absl::StrContains(command, " train ")) {
      EXPECT_THAT(command, HasSubstr("--set variant=leaping.toml --run runs/leaping"));
      ++trained;
      continue;
    }
    const Finished run = testing::RunShell(absl::StrCat("cd ", folder_.path(), " && ", command));
    EXPECT_EQ(run.status, 0) << command << "\n" << run.errors;
  }
  EXPECT_EQ(trained, 1);
  EXPECT_GE(commands.size(), 6U);
  EXPECT_THAT(testing::ReadBytes(folder_.File("leaping.html")), HasSubstr("displacer captures"));
  EXPECT_THAT(testing::ReadBytes(folder_.File("leaping.html")), HasSubstr("Jumper"));
  EXPECT_THAT(testing::ReadBytes(folder_.File("compare.html")), HasSubstr("Leaping Minishogi"));
}

}  // namespace
}  // namespace crossriver
