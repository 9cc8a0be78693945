// Specifications of players: what is read from them, and what is said of bad ones.
#include "selfplay/players/player_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "mcts/random.h"
#include "selfplay/players/command_words.h"

namespace crossriver {
namespace {

using ::testing::HasSubstr;
using Options = std::vector<std::pair<std::string, std::string>>;

struct GoodSpec {
  std::string text, kind, target;
  Options options = {};
};

TEST(PlayerSpecTest, Reads) {
  const std::vector<GoodSpec> cases = {
      {"random", "random", ""},
      {"net:a.safetensors", "net", "a.safetensors"},
      {"net:runs/x@latest?visits=0", "net", "runs/x@latest", {{"visits", "0"}}},
      {"net:runs/x@12?policy=gumbel&visits=16&sampled_moves=8",
       "net",
       "runs/x@12",
       {{"policy", "gumbel"}, {"visits", "16"}, {"sampled_moves", "8"}}},
      {"net:C:/odd:name", "net", "C:/odd:name"},
      {"net:odd%3Fname%25%26?temperature=0.5&temperature_plies=8",
       "net",
       "odd?name%&",
       {{"temperature", "0.5"}, {"temperature_plies", "8"}}},
      {"mcts:400", "mcts", "400"},
      {"mcts:400?rollouts=4&reuse=false", "mcts", "400", {{"rollouts", "4"}, {"reuse", "false"}}},
      {"uniform:1?draw_score=0.25", "uniform", "1", {{"draw_score", "0.25"}}},
      {"uci:fairy-stockfish?nodes=1000&Hash=16",
       "uci",
       "fairy-stockfish",
       {{"nodes", "1000"}, {"Hash", "16"}}},
      {"uci:'my engine' -x?depth=3&Skill Level=%2D1&Clear Hash&A%3DB=c=d",
       "uci",
       "'my engine' -x",
       {{"depth", "3"}, {"Skill Level", "-1"}, {"Clear Hash", ""}, {"A=B", "c=d"}}},
      {"usi:engine?movetime=50&timeout=0.5",
       "usi",
       "engine",
       {{"movetime", "50"}, {"timeout", "0.5"}}},
  };
  for (const GoodSpec& good : cases) {
    const absl::StatusOr<PlayerSpec> spec = ParsePlayerSpec(good.text);
    ASSERT_TRUE(spec.ok()) << spec.status();
    EXPECT_EQ(spec->text, good.text);
    EXPECT_EQ(spec->kind, good.kind);
    EXPECT_EQ(spec->target, good.target);
    EXPECT_EQ(spec->options, good.options) << good.text;
  }
}

TEST(PlayerSpecTest, GivesValuesAndDefaults) {
  const PlayerSpec net = *ParsePlayerSpec("net:x?nodes=7&draw_score=0.25&reuse=false");
  EXPECT_EQ(net.Count("visits"), 400);
  EXPECT_FALSE(net.Has("visits"));
  EXPECT_EQ(net.Count("nodes"), 7);
  EXPECT_TRUE(net.Has("nodes"));
  EXPECT_EQ(net.Real("draw_score"), 0.25);
  EXPECT_FALSE(net.Switch("reuse"));
  EXPECT_EQ(net.Word("policy"), "puct");
  const PlayerSpec mcts = *ParsePlayerSpec("mcts:50");
  EXPECT_EQ(mcts.Count("visits"), 50);
  EXPECT_TRUE(mcts.Has("visits"));
  EXPECT_TRUE(mcts.Switch("reuse"));
  EXPECT_EQ(mcts.Count("rollouts"), 4);
  EXPECT_EQ(mcts.Count("nodes"), 0);
  const PlayerSpec uci = *ParsePlayerSpec("uci:x?Hash=16&nodes=5&Clear Hash");
  EXPECT_EQ(uci.Real("timeout"), 60);
  EXPECT_EQ(uci.PassedOptions(), (Options{{"Hash", "16"}, {"Clear Hash", ""}}));
}

TEST(PlayerSpecTest, SaysWhatIsWrong) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"", {"unknown kind ''", "net", "uci"}},
      {"ranom", {"player 'ranom'", "unknown kind 'ranom'", "did you mean 'random'?"}},
      {"mtcs:4", {"did you mean 'mcts'?"}},
      {"random:", {"expected nothing after 'random'"}},
      {"random?x=1", {"'random' has no options"}},
      {"net", {"expected net:FILE"}},
      {"net:", {"expected net:FILE"}},
      {"mcts", {"expected mcts:VISITS"}},
      {"mcts:x", {"visits: expected a whole number from 1 to 100000000, got 'x'"}},
      {"mcts:0", {"from 1 to"}},
      {"mcts:99999999999999999999", {"from 1 to"}},
      {"mcts:4?visits=5", {"unknown option 'visits'"}},
      {"net:x?visit=5", {"unknown option 'visit'", "did you mean 'visits'?"}},
      {"net:x?visits=1.5", {"visits: expected a whole number from 0", "'1.5'"}},
      {"net:x?visits=-1", {"got '-1'"}},
      {"net:x?visits", {"expected 'visits=value'"}},
      {"net:x?visits=", {"got ''"}},
      {"net:x?", {"unknown option ''"}},
      {"net:x?visits=1&visits=2", {"'visits' is given twice"}},
      {"net:x?policy=pukt", {"expected puct or gumbel", "did you mean 'puct'?"}},
      {"net:x?reuse=yes", {"expected true or false, got 'yes'"}},
      {"net:x?draw_score=1.5", {"draw_score: expected a number from 0 to 1, got '1.5'"}},
      {"net:x?draw_score=nan", {"got 'nan'"}},
      {"net:x?rollouts=2", {"unknown option 'rollouts'"}},
      {"net:x?sampled_moves=4", {"'sampled_moves' has an effect with policy=gumbel alone"}},
      {"net:x?policy=gumbel&reuse=true", {"'reuse' has an effect with policy=puct alone"}},
      {"net:x?temperature_plies=4", {"with a temperature above 0 alone"}},
      {"net:x?visits=0&nodes=5", {"'nodes' has an effect with visits above 0 alone"}},
      {"net:x%2", {"two hexadecimal digits after %", "%25"}},
      {"net:x%GG", {"two hexadecimal digits after %"}},
      {"net:x%00y", {"no control characters"}},
      {"uci:x?nodes=1&A=b%0Aquit", {"no control characters"}},
      {"uci:?nodes=1", {"expected uci:COMMAND"}},
      {"uci: ?nodes=1", {"names no program"}},
      {"uci:'x?nodes=1", {"quote ' is not closed"}},
      {"uci:x", {"expected a limit: nodes, movetime or depth"}},
      {"uci:x?Hash=16", {"expected a limit"}},
      {"uci:x?nodes=0", {"nodes: expected a whole number from 1"}},
      {"uci:x?nodes=1&", {"expected name=value"}},
      {"uci:x?nodes", {"expected 'nodes=value'"}},
      {"usi:x?movetime=2000&timeout=2", {"movetime shorter than the timeout of 2 s"}},
  };
  for (const auto& [text, words] : cases) {
    const absl::StatusOr<PlayerSpec> spec = ParsePlayerSpec(text);
    ASSERT_FALSE(spec.ok()) << text;
    for (const std::string& word : words) {
      EXPECT_THAT(std::string(spec.status().message()), HasSubstr(word)) << text;
    }
  }
}

TEST(PlayerSpecTest, MessagesStayShort) {
  const absl::StatusOr<PlayerSpec> spec = ParsePlayerSpec(std::string(1 << 20, 'x'));
  ASSERT_FALSE(spec.ok());
  EXPECT_LT(spec.status().message().size(), 1000U);
}

// Every row of the tables can be used, and defaults are values that the option may have.
TEST(PlayerSpecTest, TablesAreSound) {
  for (const SpecOption& option : SpecOptions()) {
    EXPECT_LE(option.least, option.most) << option.name;
    EXPECT_FALSE(option.help.empty()) << option.name;
    const bool has_words = option.type == OptionType::kSwitch || option.type == OptionType::kWord;
    EXPECT_EQ(has_words, !option.words.empty()) << option.name;
  }
  const std::string help = PlayerSpecHelp();
  for (const SpecKind& kind : SpecKinds()) {
    EXPECT_EQ(FindSpecKind(kind.name), &kind);
    EXPECT_THAT(help, HasSubstr(kind.form));
    EXPECT_EQ(kind.target == TargetType::kCount, !kind.target_option.empty());
    for (const std::string& name : kind.options) {
      EXPECT_THAT(help, HasSubstr("\n  " + name + "="));
      const bool is_known = std::any_of(SpecOptions().begin(), SpecOptions().end(),
                                        [&name](const SpecOption& o) { return o.name == name; });
      EXPECT_TRUE(is_known) << kind.name << " " << name;
    }
  }
}

// Pieces of specifications in any order. What is taken is taken again from its own text.
TEST(PlayerSpecTest, NothingCrashes) {
  const std::vector<std::string> pieces = {
      "net", "random", "mcts",  "uniform", "uci",    "usi",    ":",       "?",      "&",
      "=",   "%",      "%41",   "%0a",     "visits", "nodes",  "policy",  "gumbel", "puct",
      "1",   "400",    "-",     "0.5",     "1e999",  "true",   "'",       "\"",     "\\",
      " ",   "@",      "reuse", "\xff",    "\n",     "latest", "timeout", "depth",  "temperature"};
  RandomStream random(7);
  int good = 0;
  for (int i = 0; i < 20000; ++i) {
    // Half of them begin well.
    std::string text = i % 2 == 0 ? "" : SpecKinds()[random.Below(SpecKinds().size())].name + ":";
    for (size_t length = random.Below(12); length > 0; --length) {
      text += pieces[random.Below(pieces.size())];
    }
    const absl::StatusOr<PlayerSpec> spec = ParsePlayerSpec(text);
    if (!spec.ok()) {
      EXPECT_FALSE(spec.status().message().empty());
      continue;
    }
    ++good;
    for (const std::string& option : FindSpecKind(spec->kind)->options) spec->Word(option);
  }
  EXPECT_GT(good, 100);
}

TEST(SplitCommandTest, SplitsAsShellsDo) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"a", {"a"}},
      {"  a \t b  ", {"a", "b"}},
      {"'a b' \"c d\"e", {"a b", "c de"}},
      {R"(a\ b "c\"d\\e\f" 'g\h')", {"a b", R"(c"d\e\f)", R"(g\h)"}},
      {"a '' \"\"", {"a", "", ""}},
      {"a$HOME *", {"a$HOME", "*"}},
      {"\xc3\xa9t\xc3\xa9", {"\xc3\xa9t\xc3\xa9"}},
  };
  for (const auto& [text, words] : cases) {
    const absl::StatusOr<std::vector<std::string>> split = SplitCommand(text);
    ASSERT_TRUE(split.ok()) << split.status();
    EXPECT_EQ(*split, words) << text;
  }
  for (const std::string text : {"", "  ", "''", "'a", "\"a", "a\\", "\"a\\\""}) {
    EXPECT_FALSE(SplitCommand(text).ok()) << text;
  }
}

}  // namespace
}  // namespace crossriver
