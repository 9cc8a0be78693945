// Runs of training as a user meets them: begun, killed, resumed, copied, looked at.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "selfplay/run_directory.h"
#include "selfplay/run_reader.h"
#include "selfplay/run_store.h"
#include "tests/scratch_folder.h"
#include "tests/tools/run_crossriver.h"

namespace crossriver {
namespace {

using nlohmann::json;
using testing::Finished;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RunCrossriver;
using testing::ScratchFolder;

const std::string kSmoke = std::string(CROSSRIVER_SOURCE_DIR) + "/configs/train/smoke.toml";

// As small as can be: a second or two.
const char kTiny[] =
    " --set network.channels=8 --set selfplay.games=8 --set loop.games_per_generation=10"
    " --set selfplay.max_plies=30 --set loop.first_training_rows=10 --set loop.batch_size=16";

std::string TrainTiny(const std::string& run, const std::string& more = "") {
  return "train " + kSmoke + " --run " + run + kTiny + " " + more;
}

std::vector<json> Lines(const std::string& output) {
  std::vector<json> lines;
  std::istringstream stream(output);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(json::parse(line, nullptr, false));
    EXPECT_FALSE(lines.back().is_discarded()) << line;
  }
  return lines;
}

json StatusOf(const std::string& run) {
  return json::parse(RunCrossriver("status " + run + " --json").output, nullptr, false);
}

TEST(TrainCliTest, FromBeginningToEnd) {
  const ScratchFolder folder;
  const std::string run = folder.File("run");
  const Finished trained = RunCrossriver(TrainTiny(run, "--json"));
  ASSERT_EQ(trained.status, 0) << trained.errors;
  std::vector<json> generations;
  json final_match;
  for (const json& line : Lines(trained.output)) {
    if (line.contains("generation")) generations.push_back(line);
    if (line.contains("final")) final_match = line["final"];
  }
  ASSERT_EQ(generations.size(), 3U);
  EXPECT_GE(generations[2]["games"], 30);
  EXPECT_GT(generations[2]["step"], 0);
  EXPECT_GT(generations[2]["loss/policy"], 0);
  EXPECT_EQ(
      int64_t{final_match["wins"]} + int64_t{final_match["draws"]} + int64_t{final_match["losses"]},
      8);

  const json status = StatusOf(run);
  EXPECT_EQ(status["checkpoint"], 3);
  EXPECT_EQ(status["games"], generations[2]["games"]);
  EXPECT_EQ(status["training"], false);
  EXPECT_EQ(status["metrics"]["final/wins"], final_match["wins"]);

  EXPECT_THAT(RunCrossriver("games " + run).output, HasSubstr("generation"));
  EXPECT_THAT(RunCrossriver("games " + run + " show 1").output, HasSubstr("plays "));
  const std::string exported = folder.File("games.jsonl");
  EXPECT_EQ(RunCrossriver("games " + run + " export --json --out " + exported).status, 0);
  EXPECT_EQ(Lines(testing::ReadBytes(exported)).size(), size_t{status["games"]});
  EXPECT_EQ(RunCrossriver("doctor " + run).status, 0);
  EXPECT_EQ(RunCrossriver("net info " + run + "/checkpoints/000003.network.safetensors").status, 0);

  // A second call plays nothing more, and more generations go on.
  const Finished again = RunCrossriver(TrainTiny(run, "--json"));
  EXPECT_EQ(again.status, 0) << again.errors;
  EXPECT_EQ(Lines(again.output).back()["final"], final_match);
  const Finished more =
      RunCrossriver(TrainTiny(run, "--json --set loop.generations=4 --set training.threads=2"));
  EXPECT_EQ(more.status, 0) << more.errors;
  EXPECT_THAT(more.output, HasSubstr("\"generation\":4"));
}

TEST(TrainCliTest, ProcessorTimeEndsARun) {
  const ScratchFolder folder;
  const std::string run = folder.File("run");
  const std::string limit = "--set loop.processor_minutes=0.0001 ";
  const Finished first = RunCrossriver(TrainTiny(run, limit));
  ASSERT_EQ(first.status, 0) << first.errors;
  EXPECT_THAT(first.output, HasSubstr("of 0.0001 processor minutes"));
  EXPECT_EQ(StatusOf(run)["checkpoint"], 1);
  // What earlier processes have spent counts.
  const Finished again = RunCrossriver(TrainTiny(run, limit));
  EXPECT_THAT(again.output, HasSubstr("has had its 0.0001 minutes of processor time"));
  EXPECT_EQ(StatusOf(run)["checkpoint"], 1);
  EXPECT_EQ(RunCrossriver(TrainTiny(run, "--set loop.processor_minutes=0")).status, 0);
  EXPECT_EQ(StatusOf(run)["checkpoint"], 3);
}

TEST(TrainCliTest, ImportedGamesAreKept) {
  const ScratchFolder folder;
  const std::string run = folder.File("run");
  ASSERT_EQ(RunCrossriver(TrainTiny(run, "--set loop.generations=1")).status, 0);
  const std::string text = folder.File("games.pgn");
  ASSERT_EQ(RunCrossriver("games " + run + " export --out " + text).status, 0);
  const json before = StatusOf(run);
  const Finished imported = RunCrossriver(absl::StrCat("games import ", run, " ", text));
  EXPECT_EQ(imported.status, 0) << imported.errors;
  EXPECT_THAT(imported.output, HasSubstr(before["games"].dump() + " games imported, 0 skipped"));
  const json after = StatusOf(run);
  EXPECT_EQ(int64_t{after["games"]}, 2 * int64_t{before["games"]});
}

// The games of a deterministic run that is called with each of `calls` in turn.
std::string DeterministicGames(const std::string& run, const std::vector<std::string>& calls) {
  for (const std::string& more : calls) {
    const Finished trained = RunCrossriver(
        TrainTiny(run, "--set selfplay.deterministic=true --set loop.final_games=0 " + more));
    EXPECT_EQ(trained.status, 0) << trained.errors;
  }
  return RunCrossriver("games " + run + " export --json").output;
}

// The same seed and config give the same games with one worker and with two, in one go and resumed.
TEST(TrainCliTest, DeterministicRunsAreTheSame) {
  const ScratchFolder folder;
  const auto games = [&folder](const std::string& name, const std::vector<std::string>& calls) {
    return DeterministicGames(folder.File(name), calls);
  };
  const std::string one = games("one", {"--set loop.workers=1"});
  EXPECT_EQ(Lines(one).size(), 30U);
  // Not EXPECT_EQ, which would print all games.
  EXPECT_TRUE(one == games("two", {"--set loop.workers=2"}));
  EXPECT_TRUE(one == games("resumed", {"--set loop.workers=2 --set loop.generations=1",
                                       "--set loop.workers=1 --set loop.generations=2", ""}));
  EXPECT_FALSE(one == games("other", {"--set loop.seed=2"}));
}

// So are those of several variants, each with a pool of starts of its own.
TEST(TrainCliTest, DeterministicRunsOfSeveralVariantsAreTheSame) {
  const ScratchFolder folder;
  const std::string sets =
      "--set variant=shoxiang-sh-weak --set 'also=[\"shoxiang-sh-strong\"]' "
      "--set selfplay.start_restart=0.5 --set loop.generations=2 ";
  const std::string one = DeterministicGames(folder.File("one"), {sets});
  EXPECT_EQ(Lines(one).size(), 20U);
  EXPECT_TRUE(
      one == DeterministicGames(folder.File("resumed"), {sets + "--set loop.generations=1", sets}));
}

// A checkpoint that was damaged is made again, from the one before.
TEST(TrainCliTest, FallsBackToTheLastWholeCheckpoint) {
  const ScratchFolder folder;
  const std::string run = folder.File("run");
  ASSERT_EQ(RunCrossriver(TrainTiny(run, "--set loop.generations=2")).status, 0);
  const std::string newest = run + "/checkpoints/000002.network.safetensors";
  const std::string bytes = testing::ReadBytes(newest);
  testing::WriteBytes(newest, bytes.substr(0, bytes.size() / 2));
  const Finished went_on = RunCrossriver(TrainTiny(run, "--set loop.generations=4"));
  EXPECT_EQ(went_on.status, 0) << went_on.errors;
  EXPECT_THAT(went_on.output, HasSubstr("000002.network.safetensors"));
  EXPECT_EQ(StatusOf(run)["checkpoint"], 4);
  EXPECT_EQ(RunCrossriver("doctor " + run).status, 0);
  // With none that is whole, nothing is begun anew over what is there.
  for (const auto& file : std::filesystem::directory_iterator(run + "/checkpoints")) {
    testing::WriteBytes(file.path().string(), "x");
  }
  const Finished refused = RunCrossriver(TrainTiny(run, "--set loop.generations=5"));
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.errors, HasSubstr("none of the checkpoints is whole"));
}

// Networks that are needed outlive the others: the one that plays, and the untrained one.
TEST(TrainCliTest, AGateKeepsTheNetworkThatPlays) {
  const ScratchFolder folder;
  const std::string run = folder.File("run");
  const std::string gated =
      "--set loop.keep_newest=1 --set loop.keep_every=0 --set loop.gate_games=4 "
      "--set loop.gate_visits=2 --set loop.gate_score=1 ";
  for (const std::string last : {"3", "4"}) {
    const Finished trained =
        RunCrossriver(TrainTiny(run, absl::StrCat(gated, "--set loop.generations=", last)));
    EXPECT_EQ(trained.status, 0) << trained.errors;
    EXPECT_THAT(trained.output, HasSubstr("gate: checkpoint " + last + " scores"));
  }
}

// A sequential test decides about networks, and each second one is measured; a run that is gone on
// with repeats neither.
TEST(TrainCliTest, MeasuresItsProgress) {
  const ScratchFolder folder;
  const std::string run = folder.File("run");
  const std::string flags =
      "--set loop.eval_every=2 --set loop.eval_games=4 --set loop.eval_visits=2 "
      "--set loop.gate_games=40 --set loop.gate_visits=2 --set loop.gate_elo0=-900 "
      "--set loop.gate_elo1=-800 --set loop.generations=2 --set loop.keep_newest=1 "
      "--set loop.keep_every=0 ";
  const Finished trained = RunCrossriver(TrainTiny(run, flags));
  ASSERT_EQ(trained.status, 0) << trained.errors;
  EXPECT_THAT(trained.output, HasSubstr("gate: checkpoint 1 scores"));
  EXPECT_THAT(trained.output, HasSubstr("evaluation: checkpoint 2 scores"));
  EXPECT_THAT(trained.output, HasSubstr("against checkpoint 0 in 4 games"));
  const Finished more = RunCrossriver(TrainTiny(run, flags + "--set loop.generations=4"));
  ASSERT_EQ(more.status, 0) << more.errors;
  EXPECT_THAT(more.output, Not(HasSubstr("evaluation: checkpoint 2")));
  EXPECT_THAT(more.output, HasSubstr("evaluation: checkpoint 4 scores"));
  EXPECT_THAT(more.output, HasSubstr("against checkpoint 2 in 4 games"));
}

TEST(TrainCliTest, TheLearningRateFollowsTheRun) {
  const ScratchFolder folder;
  const std::string run = folder.File("run");
  const std::string sets =
      "--set training.schedule=cosine --set training.schedule_steps=0 --set training.warmup_steps=0"
      " --set training.learning_rate=1e-2 --set training.final_share=0.2 --set loop.final_games=0"
      " --set loop.generations=2 --json";
  const Finished trained = RunCrossriver(TrainTiny(run, sets));
  ASSERT_EQ(trained.status, 0) << trained.errors;
  // Of the second and last generation, at half of the run: half-way to the final share.
  EXPECT_NEAR(StatusOf(run)["metrics"]["training/learning_rate"].get<double>(), 6e-3, 1e-6);
  const Finished refused = RunCrossriver(
      TrainTiny(folder.File("other"),
                sets + " --set selfplay.deterministic=true --set loop.processor_minutes=5"));
  EXPECT_THAT(refused.errors, HasSubstr("the learning rate would follow the clock"));
}

// One network for variants of a family: games of each in turn, and all that looks at a run knows
// whose game it looks at.
TEST(TrainCliTest, OneNetworkForSeveralVariants) {
  const ScratchFolder folder;
  const std::string run = folder.File("run");
  const std::string sets =
      "--set variant=shoxiang-sh-weak --set 'also=[\"shoxiang-sh-strong\"]' --set "
      "loop.final_games=4";
  const Finished first = RunCrossriver(TrainTiny(run, sets + " --set loop.generations=1"));
  ASSERT_EQ(first.status, 0) << first.errors;
  const Finished second = RunCrossriver(TrainTiny(run, sets + " --set loop.generations=2"));
  ASSERT_EQ(second.status, 0) << second.errors;
  EXPECT_EQ(StatusOf(run)["variant"], "shoxiang-sh-weak");
  EXPECT_EQ(StatusOf(run)["also"], json::array({"shoxiang-sh-strong"}));
  int strong = 0;
  const std::vector<json> games = Lines(RunCrossriver("games " + run + " export --json").output);
  ASSERT_GE(games.size(), 20U);
  for (const json& game : games) strong += game["variant"] == "shoxiang-sh-strong" ? 1 : 0;
  EXPECT_NEAR(strong, static_cast<double>(games.size()) / 2, 10);
  EXPECT_THAT(RunCrossriver("doctor " + run).output, HasSubstr("sound"));
  EXPECT_THAT(RunCrossriver("games " + run).output, HasSubstr("  shoxiang-sh-strong"));
  EXPECT_THAT(RunCrossriver("report " + run + " --variant shoxiang-sh-strong --all-starts").output,
              HasSubstr("of the run's other variants"));
  EXPECT_THAT(RunCrossriver("report " + run + " --variant shogi").errors,
              HasSubstr("is a run of shoxiang-sh-weak, shoxiang-sh-strong"));
  // Its games can be read back, each by the rules it says it is of.
  const std::string text = folder.File("games.pgn");
  ASSERT_EQ(RunCrossriver("games " + run + " export --out " + text).status, 0);
  EXPECT_THAT(RunCrossriver("games import " + run + " " + text).output,
              HasSubstr(absl::StrCat(games.size(), " games imported, 0 skipped")));
  const std::string net = run + "/checkpoints/000002.network.safetensors";
  const std::string exported = folder.File("played.safetensors");
  ASSERT_EQ(RunCrossriver("net export " + run + "@2 " + exported).status, 0);
  EXPECT_LT(std::filesystem::file_size(exported), std::filesystem::file_size(net));
  EXPECT_EQ(testing::RunForJson("net info " + exported)["weights_hash"],
            testing::RunForJson("net info " + net)["weights_hash"]);
  EXPECT_THAT(RunCrossriver("net export " + run + "@2 " + exported).errors,
              HasSubstr("--force replaces it"));
  EXPECT_THAT(RunCrossriver("net info " + net).output,
              HasSubstr("shoxiang-sh-weak, shoxiang-sh-strong"));
  const Finished other = RunCrossriver(TrainTiny(
      folder.File("other"), "--set variant=shoxiang-sh-weak --set 'also=[\"shoxiang-xq-weak\"]'"));
  EXPECT_NE(other.status, 0);
  EXPECT_THAT(other.errors, HasSubstr("variant 'shoxiang-xq-weak' is of family 'shoxiang-xq'"));
  EXPECT_FALSE(std::filesystem::exists(folder.File("other")));
}

TEST(TrainCliTest, ImportedGamesDoNotCountAsTheGenerations) {
  const ScratchFolder folder;
  const std::string run = folder.File("run");
  const std::string flags = "--set selfplay.deterministic=true --set loop.final_games=0 ";
  ASSERT_EQ(RunCrossriver(TrainTiny(run, flags + "--set loop.generations=1")).status, 0);
  const std::string text = folder.File("games.pgn");
  ASSERT_EQ(RunCrossriver("games " + run + " export --out " + text).status, 0);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(RunCrossriver(absl::StrCat("games import ", run, " ", text)).status, 0);
  }
  const Finished went_on = RunCrossriver(TrainTiny(run, flags + "--set loop.generations=3 --json"));
  ASSERT_EQ(went_on.status, 0) << went_on.errors;
  EXPECT_EQ(StatusOf(run)["games"], 30 + 30);
  for (const json& line : Lines(went_on.output)) {
    if (!line.contains("generation")) continue;
    EXPECT_EQ(line["selfplay/games"], 10);
  }
}

TEST(TrainCliTest, PlaysWhileItTrains) {
  const ScratchFolder folder;
  const std::string run = folder.File("run");
  const Finished trained = RunCrossriver(TrainTiny(run, "--set loop.schedule=concurrent --json"));
  ASSERT_EQ(trained.status, 0) << trained.errors;
  EXPECT_EQ(StatusOf(run)["checkpoint"], 3);
  EXPECT_EQ(RunCrossriver("doctor " + run).status, 0);
}

TEST(TrainCliTest, ForksGoOnWithOtherSettings) {
  const ScratchFolder folder;
  const std::string run = folder.File("run");
  const std::string fork = folder.File("fork");
  ASSERT_EQ(RunCrossriver(TrainTiny(run, "--set loop.generations=1")).status, 0);
  const Finished refused = RunCrossriver(TrainTiny(run, "--set loop.reuse=9"));
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.errors, HasSubstr("[loop] reuse: 4, now 9"));
  EXPECT_THAT(refused.errors, HasSubstr("crossriver fork"));
  const Finished network = RunCrossriver("fork " + run + " " + fork + " --set network.channels=24");
  EXPECT_EQ(network.status, 1);
  EXPECT_THAT(network.errors, HasSubstr("--init-from"));
  const Finished optimizer =
      RunCrossriver("fork " + run + " " + fork + " --set training.optimizer=sgd");
  EXPECT_EQ(optimizer.status, 1);
  EXPECT_THAT(optimizer.errors, HasSubstr("training.optimizer"));
  EXPECT_FALSE(std::filesystem::exists(fork));
  ASSERT_EQ(RunCrossriver("fork " + run + " " + fork + " --set loop.reuse=9").status, 0);
  const Finished went_on =
      RunCrossriver("train --run " + fork + " --set loop.generations=2 --json");
  EXPECT_EQ(went_on.status, 0) << went_on.errors;
  EXPECT_THAT(went_on.output, HasSubstr("\"generation\":2"));
  EXPECT_EQ(RunCrossriver("fork " + run + " " + fork).status, 1);  // it is there already
}

TEST(TrainCliTest, BeginsWithAGivenNetwork) {
  const ScratchFolder folder;
  const std::string first = folder.File("first");
  ASSERT_EQ(RunCrossriver(TrainTiny(first, "--set loop.generations=1")).status, 0);
  const std::string net = first + "/checkpoints/000001.network.safetensors";
  const std::string second = folder.File("second");
  ASSERT_EQ(RunCrossriver(TrainTiny(second, "--set loop.generations=1 --init-from " + net)).status,
            0);
  const Finished same = RunCrossriver("net diff " + net + " " + second +
                                      "/checkpoints/000000.network.safetensors --json");
  EXPECT_EQ(same.status, 0) << same.errors;
  EXPECT_EQ(json::parse(same.output, nullptr, false)["policy_max"], 0) << same.output;
  const Finished begun =
      RunCrossriver(TrainTiny(second, "--set loop.generations=1 --init-from " + net));
  EXPECT_THAT(begun.output, HasSubstr("is not used: the run has begun already"));
  const Finished other =
      RunCrossriver("train " + kSmoke + " --run " + folder.File("third") + " --init-from " + net);
  EXPECT_EQ(other.status, 1);
  EXPECT_THAT(other.errors, HasSubstr("channels=8"));
}

TEST(TrainCliTest, ClearMessages) {
  const ScratchFolder folder;
  struct Case {
    std::string arguments;
    const char* words;
  };
  testing::WriteBytes(folder.File("file"), "x");
  std::filesystem::create_directories(folder.File("other"));
  testing::WriteBytes(folder.File("other/notes.txt"), "mine");
  const std::vector<Case> cases = {
      {"train", "expected a config"},
      {"train --run " + folder.File("none"), "no run"},
      {"train " + folder.File("none.toml"), "none.toml"},
      {"train " + kSmoke + " --run " + folder.File("other"), "other"},
      {"train " + kSmoke + " --run /proc/none/run", "/proc/none"},
      {"train " + kSmoke + " --run " + folder.File(std::string(300, 'n')), "can't be created"},
      {"train " + kSmoke + " --run " + folder.File("x") + " --set variant=switchbak", "switchback"},
      {"status " + folder.File("none"), "none"},
      {"status " + folder.File("other"), "other"},
      {"games " + folder.File("none"), "none"},
      {"games a b c", "expected RUN"},
      {"doctor " + folder.File("other"), "other"},
      {"backup " + folder.File("none") + " x.tar", "none"},
      {"fork " + folder.File("none") + " " + folder.File("y"), "none"},
  };
  for (const Case& c : cases) {
    const Finished run = RunCrossriver(c.arguments);
    EXPECT_EQ(run.status, 1) << c.arguments;
    EXPECT_THAT(run.errors, HasSubstr(c.words)) << c.arguments;
  }
  EXPECT_EQ(testing::ReadBytes(folder.File("other/notes.txt")), "mine");
  EXPECT_FALSE(std::filesystem::exists(folder.File("x")));
}

TEST(TrainCliTest, ARunWithoutGamesAndOneInUse) {
  const ScratchFolder folder;
  const std::string path = folder.File("run");
  const auto run = RunDirectory::Create(path, "variant = \"minishogi\"\n");
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_THAT(RunCrossriver("status " + path).output, HasSubstr("a process is at work"));
  EXPECT_THAT(RunCrossriver("games " + path).errors, HasSubstr("no games yet"));
  const Finished second = RunCrossriver("train --run " + path);
  EXPECT_EQ(second.status, 1);
  EXPECT_THAT(second.errors, HasSubstr("is in use by"));
}

// Starts a training command, and sends it a signal so long after its run's database has come into
// being. True: it was still at work. `errors` is a file for what it says.
bool TrainAndSignal(const std::string& arguments, const std::string& run,
                    std::chrono::milliseconds time, int signal, const std::string& errors) {
  const std::string command =
      "exec \"" + std::string(CROSSRIVER_BINARY) + "\" " + arguments + " > /dev/null 2> " + errors;
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  const auto is_at_work = [child] { return waitpid(child, nullptr, WNOHANG) == 0; };
  bool at_work = is_at_work();
  while (at_work && !std::filesystem::exists(run + "/run.db")) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    at_work = is_at_work();
  }
  std::this_thread::sleep_for(time);
  at_work = at_work && is_at_work();
  if (at_work) {
    kill(child, signal);
    waitpid(child, nullptr, 0);
  }
  return at_work;
}

TEST(TrainCliTest, KilledAtAnyMomentItGoesOn) {
  const ScratchFolder folder;
  const std::string run = folder.File("run");
  const std::string train = TrainTiny(run, "--set loop.generations=1000 --set loop.final_games=0");
  int64_t games = 0;
  int64_t step = 0;
  for (int kills = 0; kills < 4; ++kills) {
    const std::chrono::milliseconds time(370 * kills);
    EXPECT_TRUE(TrainAndSignal(train, run, time, SIGKILL, "/dev/null"));
    const Finished sound = RunCrossriver("doctor " + run);
    EXPECT_EQ(sound.status, 0) << sound.output << sound.errors;
    const json status = StatusOf(run);
    EXPECT_GE(int64_t{status["games"]}, games);
    EXPECT_GE(int64_t{status["step"]}, step);
    games = status["games"];
    step = status["step"];
  }
  const json before = StatusOf(run);
  const int64_t next = std::max<int64_t>(0, before["checkpoint"]) + 1;
  const Finished last = RunCrossriver(
      TrainTiny(run, "--set loop.final_games=0 --set loop.generations=" + std::to_string(next)));
  EXPECT_EQ(last.status, 0) << last.errors;
  const json after = StatusOf(run);
  EXPECT_EQ(after["checkpoint"], next);
  EXPECT_GE(int64_t{after["games"]}, games);
}

TEST(TrainCliTest, InterruptsEndCleanly) {
  const ScratchFolder folder;
  const std::string run = folder.File("run");
  const std::string train = TrainTiny(run, "--set loop.generations=1000");
  EXPECT_TRUE(TrainAndSignal(train, run, std::chrono::seconds(1), SIGINT, folder.File("errors")));
  EXPECT_THAT(testing::ReadBytes(folder.File("errors")), HasSubstr("the same command goes on"));
  EXPECT_EQ(RunCrossriver("doctor " + run).status, 0);
}

}  // namespace
}  // namespace crossriver
