// From specifications to players: networks of files and runs, the table of kinds.
#include "selfplay/players/open_player.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mcts/uniform_evaluator.h"
#include "selfplay/checkpoint_store.h"
#include "selfplay/players/network_reference.h"
#include "tests/scratch_folder.h"
#include "tests/selfplay/players/seat_helpers.h"
#include "tests/selfplay/record_helpers.h"
#include "tests/selfplay/store_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

namespace fs = std::filesystem;

using ::testing::ElementsAre;
using testing::ExpectError;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::NewRun;
using testing::OpenRun;
using testing::ScratchFolder;
using testing::WriteBytes;

TEST(ResolveNetworkTest, FilesAndCheckpoints) {
  const ScratchFolder folder;
  const std::string run = folder.File("run");
  OpenRun open(NewRun(run));
  ExpectError(ResolveNetwork(run).status(), {"no checkpoint yet"});
  for (const int number : {1, 2, 3, 7}) open.AddCheckpoint(number);
  ASSERT_TRUE(open.store->MarkDeleted(1).ok());
  const std::string file = folder.File("a@b.safetensors");
  WriteBytes(file, "x");
  const std::vector<std::pair<std::string, std::pair<std::string, std::string>>> cases = {
      {file, {file, file}},
      {run, {open.File(NetworkFileName(7)), run + "@7"}},
      {run + "@latest", {open.File(NetworkFileName(7)), run + "@7"}},
      {run + "@2", {open.File(NetworkFileName(2)), run + "@2"}},
      {run + "@007", {open.File(NetworkFileName(7)), run + "@7"}},
      {open.File(NetworkFileName(3)),
       {open.File(NetworkFileName(3)), open.File(NetworkFileName(3))}},
  };
  for (const auto& [text, expected] : cases) {
    const absl::StatusOr<NetworkReference> found = ResolveNetwork(text);
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(found->file, expected.first);
    EXPECT_EQ(found->name, expected.second);
    EXPECT_THAT(found->messages, IsEmpty());
  }
  ExpectError(ResolveNetwork(run + "@4").status(), {run.c_str(), "checkpoint 4", "2 to 3, 7"});
  ExpectError(ResolveNetwork(run + "@1").status(), {"checkpoint 1", "2 to 3, 7"});
  ExpectError(ResolveNetwork(run + "@-1").status(), {"checkpoint -1"});
  ExpectError(ResolveNetwork(run + "@lates").status(), {"'latest' or the number", "did you mean"});
  ExpectError(ResolveNetwork(run + "@").status(), {"'latest' or the number"});
  ExpectError(ResolveNetwork(folder.File("none")).status(),
              {"none: there is no such file", "RUN@"});
  ExpectError(ResolveNetwork(folder.File("none@3")).status(), {"none: there is no such run"});
  ExpectError(ResolveNetwork(folder.path()).status(), {"is not a run"});
}

TEST(ResolveNetworkTest, DamagedCheckpointsAreLeftOut) {
  const ScratchFolder folder;
  const std::string run = folder.File("run");
  OpenRun open(NewRun(run));
  for (const int number : {1, 2, 3}) open.AddCheckpoint(number);
  WriteBytes(open.File(NetworkFileName(3)), "broken");
  const absl::StatusOr<NetworkReference> found = ResolveNetwork(run + "@latest");
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->name, run + "@2");
  EXPECT_THAT(found->messages, ElementsAre(HasSubstr("checkpoint 3 is left out")));
  ExpectError(ResolveNetwork(run + "@3").status(), {"000003.network", "damaged"});
  // To play, the optimiser is not needed.
  WriteBytes(open.File(OptimizerFileName(1)), "broken");
  EXPECT_TRUE(ResolveNetwork(run + "@1").ok());
  WriteBytes(open.File(NetworkFileName(2)), "broken");
  ExpectError(ResolveNetwork(run).status(), {"no checkpoint of the run is whole"});
}

TEST(OpenPlayerTest, Networks) {
  const ScratchFolder folder;
  const std::string run = folder.File("run");
  OpenRun open(NewRun(run));
  for (const int number : {1, 2}) open.AddCheckpoint(number);
  WriteBytes(open.File(NetworkFileName(2)), "broken");
  std::vector<std::string> opened, messages;
  PlayerContext context;
  context.rules = testing::SharedRulesOf("minishogi");
  context.threads = 3;
  context.open_network = [&](const std::string& file,
                             int threads) -> absl::StatusOr<ChosenEvaluator> {
    EXPECT_EQ(threads, 3);
    opened.push_back(file);
    return ChosenEvaluator{std::make_unique<UniformEvaluator>(), true, 5};
  };
  context.notify = [&](const std::string& message) { messages.push_back(message); };
  const PlayerSpec spec = *ParsePlayerSpec("net:" + run + "?visits=8&tree_mb=1");
  const auto player = OpenPlayer(spec, context);
  ASSERT_TRUE(player.ok()) << player.status();
  EXPECT_EQ((*player)->name(), "net:" + run + "@1?visits=8&tree_mb=1");
  EXPECT_EQ((*player)->batch(), 5);
  EXPECT_THAT(opened, ElementsAre(open.File(NetworkFileName(1))));
  EXPECT_THAT(messages, ElementsAre(HasSubstr("checkpoint 2 is left out")));
  // Its name opens it again.
  const auto again = OpenPlayer(*ParsePlayerSpec((*player)->name()), context);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ((*again)->name(), (*player)->name());
  const auto game = testing::PlayPlayers(*context.rules, player->get(), again->get(), 1, 6);
  EXPECT_EQ(game.moves.size(), 6U);
  context.open_network = [](const std::string&, int) {
    return absl::DataLossError("can't be read");
  };
  ExpectError(OpenPlayer(spec, context).status(), {"player 'net:", "can't be read"});
  context.open_network = nullptr;
  ExpectError(OpenPlayer(spec, context).status(), {"built without networks"});
}

TEST(OpenPlayerTest, NamesWithMarksOpenAgain) {
  const ScratchFolder folder;
  const std::string file = folder.File("50%41?.safetensors");
  WriteBytes(file, "x");
  std::string opened;
  PlayerContext context;
  context.rules = testing::SharedRulesOf("minishogi");
  context.open_network = [&](const std::string& name, int) -> absl::StatusOr<ChosenEvaluator> {
    opened = name;
    return ChosenEvaluator{std::make_unique<UniformEvaluator>(), true, 1};
  };
  const auto player =
      OpenPlayer(*ParsePlayerSpec("net:" + folder.File("50%2541%3F.safetensors")), context);
  ASSERT_TRUE(player.ok()) << player.status();
  EXPECT_EQ(opened, file);
  EXPECT_EQ(ParsePlayerSpec((*player)->name())->target, file);
}

// Every kind of the table can be opened, or says why not.
TEST(OpenPlayerTest, EveryKindHasAWay) {
  std::signal(SIGPIPE, SIG_IGN);
  for (const SpecKind& kind : SpecKinds()) {
    std::string text = kind.name;
    if (kind.target == TargetType::kCount) text += ":10";
    if (kind.target == TargetType::kNetwork) text += ":none";
    if (kind.target == TargetType::kCommand) text = testing::FakeSpec("play", "depth=1", kind.name);
    const auto player = testing::OpenFromText(text, "minishogi");
    EXPECT_EQ(player.ok(), kind.target != TargetType::kNetwork) << player.status();
    if (!player.ok()) continue;
    EXPECT_EQ((*player)->name(), text);
  }
}

}  // namespace
}  // namespace crossriver
