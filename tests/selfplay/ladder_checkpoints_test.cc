// Checkpoints for a ladder: spacing, damage, what they have cost.
#include "selfplay/ladder_checkpoints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "selfplay/checkpoint_store.h"
#include "tests/scratch_folder.h"
#include "tests/selfplay/store_helpers.h"

namespace crossriver {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::OpenRun;
using testing::ScratchFolder;
using testing::WriteBytes;

TEST(LadderCheckpointsTest, AreSpaced) {
  std::vector<int64_t> games;
  for (int64_t i = 0; i <= 64; ++i) games.push_back(100 * i);
  const auto choose = [&games](size_t count, LadderSpacing spacing) {
    return ChooseSpaced(games, count, spacing);
  };
  EXPECT_THAT(choose(5, LadderSpacing::kEven), ElementsAre(0, 16, 32, 48, 64));
  // 1 + games / 100 grows by equal factors, 65^(1/4) each.
  EXPECT_THAT(choose(5, LadderSpacing::kGeometric), ElementsAre(0, 2, 7, 22, 64));
  EXPECT_THAT(choose(2, LadderSpacing::kGeometric), ElementsAre(0, 64));
  EXPECT_THAT(choose(1, LadderSpacing::kGeometric), ElementsAre(64));
  EXPECT_THAT(choose(0, LadderSpacing::kEven), IsEmpty());
  EXPECT_EQ(choose(1000, LadderSpacing::kGeometric).size(), 65U);
  // Equal steps that would meet at one take the next.
  games = {0, 10, 11, 1000, 1001};
  EXPECT_THAT(choose(4, LadderSpacing::kEven), ElementsAre(0, 2, 3, 4));
  EXPECT_THAT(ChooseSpaced({}, 3, LadderSpacing::kEven), IsEmpty());
}

// A run that has grown: what has games stays, if it is not too far away.
TEST(LadderCheckpointsTest, ThoseWithGamesArePreferred) {
  std::vector<int64_t> games;
  for (int64_t i = 0; i <= 80; ++i) games.push_back(100 * i);
  std::vector<bool> preferred(games.size());
  for (const size_t i : std::vector<size_t>{0, 16, 32, 48, 64}) preferred[i] = true;
  EXPECT_THAT(ChooseSpaced(games, 5, LadderSpacing::kEven, preferred),
              ElementsAre(0, 16, 32, 64, 80));
  EXPECT_THAT(ChooseSpaced(games, 5, LadderSpacing::kEven), ElementsAre(0, 20, 40, 60, 80));
  preferred.assign(games.size(), false);
  for (const size_t i : std::vector<size_t>{9, 29, 31}) preferred[i] = true;
  EXPECT_THAT(ChooseSpaced(games, 5, LadderSpacing::kEven, preferred),
              ElementsAre(0, 29, 31, 60, 80));
}

void AddCheckpoint(OpenRun* run, int64_t number) {
  CheckpointRow row;
  row.number = row.generation = number;
  row.games = 50 * number;
  row.network_file = NetworkFileName(number);
  WriteBytes(run->File(row.network_file), std::string(100, static_cast<char>('a' + number)));
  const absl::Status status = RegisterCheckpoint(run->run, run->store.get(), row);
  EXPECT_TRUE(status.ok()) << status;
}

std::vector<int64_t> Numbers(const LadderCheckpoints& checkpoints) {
  std::vector<int64_t> numbers;
  for (const LadderCheckpoint& one : checkpoints.chosen) numbers.push_back(one.number);
  return numbers;
}

TEST(LadderCheckpointsTest, AreWholeAndKnowTheirCost) {
  const ScratchFolder folder;
  auto created = RunDirectory::Create(folder.File("run"), "variant = \"minishogi\"\n");
  ASSERT_TRUE(created.ok()) << created.status();
  OpenRun run(*std::move(created));
  const auto choose = [&run](size_t count) {
    return ChooseCheckpoints(run.run, run.reader.get(), count, LadderSpacing::kEven);
  };
  EXPECT_THAT(choose(3).status().message(), HasSubstr("no checkpoint that is whole"));
  for (int64_t number = 0; number <= 8; ++number) AddCheckpoint(&run, number);
  // No metrics of generation 7, and two of generation 2: the newer counts.
  ASSERT_TRUE(run.store->PutMetrics({{2, 0, "selfplay/seconds", 9999, 0}}).ok());
  for (int64_t generation = 1; generation <= 6; ++generation) {
    ASSERT_TRUE(run.store
                    ->PutMetrics({{generation, 1, "selfplay/seconds", 3000, 0},
                                  {generation, 1, "training/seconds", 600, 0},
                                  {generation, 1, "selfplay/evaluations_per_second", 10, 0}})
                    .ok());
  }
  ASSERT_TRUE(run.store->Flush().ok());

  auto chosen = choose(5);
  ASSERT_TRUE(chosen.ok()) << chosen.status();
  EXPECT_THAT(Numbers(*chosen), ElementsAre(0, 2, 4, 6, 8));
  EXPECT_THAT(chosen->messages, IsEmpty());
  for (size_t i = 0; i < 4; ++i) {
    const TrainingEffort& effort = chosen->chosen[i].effort;
    const auto generations = static_cast<double>(2 * i);
    EXPECT_EQ(effort.games, 50 * chosen->chosen[i].number);
    ASSERT_TRUE(effort.evaluations.has_value() && effort.hours.has_value()) << i;
    EXPECT_DOUBLE_EQ(*effort.evaluations, 30'000 * generations);
    EXPECT_DOUBLE_EQ(*effort.hours, generations);
  }
  EXPECT_EQ(chosen->chosen[4].effort.games, 400);
  EXPECT_FALSE(chosen->chosen[4].effort.evaluations.has_value());
  EXPECT_FALSE(chosen->chosen[4].effort.hours.has_value());

  EXPECT_FALSE(chosen->chosen[1].effort.cpu_hours.has_value());
  EXPECT_EQ(chosen->chosen[0].effort.cpu_hours, 0);
  const auto with_games =
      ChooseCheckpoints(run.run, run.reader.get(), 5, LadderSpacing::kEven,
                        [](const CheckpointRow& row) { return row.number == 3; });
  EXPECT_THAT(Numbers(*with_games), ElementsAre(0, 3, 4, 6, 8));
  const std::vector<CheckpointRow> rows = *run.reader->ListCheckpoints();
  EXPECT_EQ(chosen->chosen[1].identity, rows[2].network_checksum);

  WriteBytes(run.File(NetworkFileName(4)), "damaged");
  std::filesystem::remove(run.File(NetworkFileName(8)));
  ASSERT_TRUE(run.store->MarkDeleted(0).ok());
  chosen = choose(4);
  ASSERT_TRUE(chosen.ok()) << chosen.status();
  EXPECT_THAT(Numbers(*chosen), ElementsAre(1, 3, 5, 7));
  ASSERT_EQ(chosen->messages.size(), 1U);
  EXPECT_THAT(chosen->messages[0], HasSubstr("checkpoint 8 is left out"));
  EXPECT_THAT(Numbers(*choose(100)), ElementsAre(1, 2, 3, 5, 6, 7));
}

// Where training goes on during self-play the seconds of both have no sum; whole generations have,
// those of an older version of the program before them too.
TEST(LadderCheckpointsTest, WholeGenerationsCountByTheirOwnClock) {
  const ScratchFolder folder;
  auto created = RunDirectory::Create(folder.File("run"), "variant = \"minishogi\"\n");
  ASSERT_TRUE(created.ok()) << created.status();
  OpenRun run(*std::move(created));
  for (int64_t number = 0; number <= 3; ++number) AddCheckpoint(&run, number);
  for (int64_t generation = 1; generation <= 3; ++generation) {
    std::vector<Metric> metrics = {{generation, 1, "selfplay/seconds", 3000, 0},
                                   {generation, 1, "training/seconds", 600, 0},
                                   {generation, 1, "selfplay/evaluations_per_second", 10, 0}};
    if (generation > 1) {
      metrics.push_back({generation, 1, "loop/seconds", 7200, 0});
      metrics.push_back({generation, 1, "loop/cpu_seconds", 36'000, 0});
    }
    ASSERT_TRUE(run.store->PutMetrics(metrics).ok());
  }
  ASSERT_TRUE(run.store->Flush().ok());
  const auto hours = [&run] {
    std::vector<double> values;
    const auto chosen = ChooseCheckpoints(run.run, run.reader.get(), 4, LadderSpacing::kEven);
    for (const LadderCheckpoint& one : chosen->chosen) {
      values.push_back(one.effort.hours.value_or(-1));
      values.push_back(one.effort.cpu_hours.value_or(-1));
    }
    return values;
  };
  EXPECT_THAT(hours(), ElementsAre(0, 0, 1, -1, 3, -1, 5, -1));
  ASSERT_TRUE(run.store->PutMetrics({{1, 1, "loop/cpu_seconds", 1800, 0}}).ok());
  ASSERT_TRUE(run.store->Flush().ok());
  EXPECT_THAT(hours(), ElementsAre(0, 0, 1, 0.5, 3, 10.5, 5, 20.5));
}

}  // namespace
}  // namespace crossriver
