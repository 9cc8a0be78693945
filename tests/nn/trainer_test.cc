// Learning, and what must hold around it.
#include "nn/trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "nn/checkpoint.h"
#include "nn/network.h"
#include "nn/network_evaluator.h"
#include "nn/practice_games.h"
#include "nn/tensor_map.h"
#include "nn/trainer_state.h"
#include "tests/nn/nn_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using ::testing::HasSubstr;

// Wide enough to learn something.
NetworkOptions Small() {
  NetworkOptions options = testing::SmallOptions();
  options.channels = 32;
  options.policy_channels = 16;
  options.value_channels = 16;
  options.value_units = 32;
  return options;
}

TrainerOptions Quick() {
  TrainerOptions options;
  options.learning_rate = 3e-3;
  options.warmup_steps = 10;
  options.threads = 1;
  options.ema_decay = 0.9;
  return options;
}

std::vector<const TrainingRow*> Pointers(const std::vector<TrainingRow>& rows, size_t begin,
                                         size_t end) {
  std::vector<const TrainingRow*> pointers;
  for (size_t i = begin; i < end; ++i) pointers.push_back(&rows[i]);
  return pointers;
}

std::vector<const TrainingRow*> Draw(const std::vector<TrainingRow>& rows, size_t available,
                                     int count, std::mt19937_64* random) {
  std::vector<const TrainingRow*> drawn;
  for (int i = 0; i < count; ++i) drawn.push_back(&rows[(*random)() % available]);
  return drawn;
}

std::unique_ptr<Trainer> MakeTrainer(const std::string& variant, const TrainerOptions& options) {
  auto trainer = Trainer::Create(testing::SharedRulesOf(variant), Small(), options, {});
  EXPECT_TRUE(trainer.ok()) << trainer.status();
  return *std::move(trainer);
}

// Steps on random batches of the first `available` rows.
void TrainOn(const std::vector<TrainingRow>& rows, size_t available, int steps, Trainer* trainer) {
  std::mt19937_64 random(7);
  for (int step = 0; step < steps; ++step) {
    const auto report = trainer->Step(Draw(rows, available, 128, &random));
    ASSERT_TRUE(report.ok()) << report.status();
  }
}

// Rows with one best move each, no two of them alike.
std::vector<TrainingRow> ClearRows(const std::string& variant, int count, uint64_t seed) {
  std::vector<TrainingRow> rows =
      PracticeRows(testing::RulesOf(variant), {.rows = 3 * count, .seed = seed});
  std::set<uint64_t> seen;
  std::erase_if(rows, [&seen](const TrainingRow& row) {
    return !row.outcome.has_value() || !seen.insert(row.position.key()).second;
  });
  rows.erase(rows.begin() + std::min<int64_t>(count, std::ssize(rows)), rows.end());
  EXPECT_EQ(std::ssize(rows), count);
  for (TrainingRow& row : rows) {
    const auto best = std::max_element(row.policy.begin(), row.policy.end()) - row.policy.begin();
    std::fill(row.policy.begin(), row.policy.end(), 0.0F);
    row.policy[static_cast<size_t>(best)] = 1;
  }
  return rows;
}

TEST(TrainerTest, OverfitsFixedPositions) {
  const std::vector<TrainingRow> rows = ClearRows("minishogi", 512, 1);
  TrainerOptions options = Quick();
  options.augment = false;
  options.weight_decay = 0;
  const std::unique_ptr<Trainer> trainer = MakeTrainer("minishogi", options);
  const std::vector<const TrainingRow*> all = Pointers(rows, 0, rows.size());
  LossReport losses;
  for (int round = 0; round < 12 && losses.agreement < 0.995; ++round) {
    TrainOn(rows, rows.size(), 60, trainer.get());
    losses = *trainer->Evaluate(all);
  }
  EXPECT_GT(losses.agreement, 0.99);
  EXPECT_LT(losses.value_error, 0.02);
}

// On labels without sense the training set can be learnt by heart, but nothing else; on true ones
// what was learnt holds for other games too.
TEST(TrainerTest, GeneralisesOnlyFromSense) {
  constexpr size_t kTrained = 3000;
  std::vector<TrainingRow> rows = ClearRows("minishogi", 3600, 2);
  const std::vector<const TrainingRow*> held_out = Pointers(rows, kTrained, rows.size());
  const std::unique_ptr<Trainer> sensible = MakeTrainer("minishogi", Quick());
  TrainOn(rows, kTrained, 250, sensible.get());
  const LossReport learnt = *sensible->Evaluate(held_out);

  std::mt19937_64 random(3);
  double chance = 0;
  for (TrainingRow& row : rows) {
    std::shuffle(row.policy.begin(), row.policy.end(), random);
    chance += 1.0 / static_cast<double>(row.moves.size()) / static_cast<double>(rows.size());
  }
  const std::unique_ptr<Trainer> senseless = MakeTrainer("minishogi", Quick());
  TrainOn(rows, kTrained, 250, senseless.get());
  const LossReport guessed = *senseless->Evaluate(held_out);
  EXPECT_GT(learnt.agreement, chance + 0.15);
  EXPECT_LT(guessed.agreement, chance + 0.05);
  EXPECT_GT(guessed.policy, learnt.policy + 0.3);
}

class ResumeTest : public ::testing::TestWithParam<OptimizerKind> {};

TEST_P(ResumeTest, GoesOnBitForBit) {
  const testing::ScratchFolder folder;
  const std::string network_file = folder.File("network.safetensors");
  const std::string optimizer_file = folder.File("optimizer.safetensors");
  const Rules& rules = testing::RulesOf("minishogi");
  const std::vector<TrainingRow> rows = PracticeRows(rules, {.rows = 600});
  TrainerOptions options = Quick();
  options.optimizer = GetParam();
  options.schedule = Schedule::kCosine;
  options.schedule_steps = 20;
  const auto run = [&](Trainer* trainer, size_t from, size_t to) {
    std::vector<double> losses;
    for (size_t step = from; step < to; ++step) {
      losses.push_back(trainer->Step(Pointers(rows, 50 * step, 50 * step + 50))->losses.total);
    }
    return losses;
  };
  const std::unique_ptr<Trainer> whole = MakeTrainer("minishogi", options);
  const std::vector<double> expected = run(whole.get(), 0, 12);

  const std::unique_ptr<Trainer> first = MakeTrainer("minishogi", options);
  std::vector<double> losses = run(first.get(), 0, 6);
  const auto exported = first->Export(Pointers(rows, 0, 300));
  ASSERT_TRUE(exported.ok()) << exported.status();
  ASSERT_TRUE(SaveTraining(network_file, optimizer_file, **exported, first->CopyState(),
                           DescribeNetwork(Small(), rules))
                  .ok());
  const std::unique_ptr<Trainer> second = MakeTrainer("minishogi", options);
  run(second.get(), 3, 5);  // whatever it was before must not matter
  const auto state = LoadTraining(network_file, optimizer_file, rules);
  ASSERT_TRUE(state.ok()) << state.status();
  ASSERT_TRUE(second->SetState(*state).ok());
  EXPECT_EQ(second->step(), 6);
  const std::vector<double> rest = run(second.get(), 6, 12);
  losses.insert(losses.end(), rest.begin(), rest.end());
  EXPECT_EQ(losses, expected);
  EXPECT_EQ(HashTensors(second->CopyState().weights), HashTensors(whole->CopyState().weights));
  EXPECT_EQ(HashTensors(second->CopyState().average), HashTensors(whole->CopyState().average));
}

INSTANTIATE_TEST_SUITE_P(Optimizers, ResumeTest,
                         ::testing::Values(OptimizerKind::kAdamW, OptimizerKind::kSgd),
                         [](const auto& test) {
                           return test.param == OptimizerKind::kAdamW ? "AdamW" : "Sgd";
                         });

TEST(TrainerTest, StopsAtWhatIsNotFinite) {
  std::vector<TrainingRow> rows = PracticeRows(testing::RulesOf("minishogi"), {.rows = 64});
  const std::unique_ptr<Trainer> trainer = MakeTrainer("minishogi", Quick());
  ASSERT_TRUE(trainer->Step(Pointers(rows, 0, 64)).ok());
  const TrainerState before = trainer->CopyState();
  rows[5].search = Wdl{std::numeric_limits<float>::quiet_NaN(), 0, 0};
  rows[5].outcome.reset();
  rows[5].game_id = 4711;
  const absl::Status status = trainer->Step(Pointers(rows, 0, 64)).status();
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), HasSubstr("training step 2: the loss is not finite"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("4711"));
  const TrainerState after = trainer->CopyState();
  EXPECT_EQ(after.step, 1);
  EXPECT_EQ(HashTensors(after.weights), HashTensors(before.weights));
  EXPECT_EQ(HashTensors(after.average), HashTensors(before.average));
  EXPECT_EQ(HashTensors(after.optimizer), HashTensors(before.optimizer));
}

// With no averaging the exported network is the trainer's own, but for its norm statistics, which
// are estimated anew; with averaging, what is played (folded) has the loss of what was exported.
TEST(TrainerTest, ExportKeepsTheLoss) {
  const std::shared_ptr<const Rules> rules = testing::SharedRulesOf("minishogi");
  const std::vector<TrainingRow> rows = PracticeRows(*rules, {.rows = 1500});
  const std::vector<const TrainingRow*> all = Pointers(rows, 0, rows.size());
  for (const double decay : {0.0, 0.95}) {
    TrainerOptions options = Quick();
    options.ema_decay = decay;
    options.learning_rate = 1e-3;
    const std::unique_ptr<Trainer> trainer = MakeTrainer("minishogi", options);
    TrainOn(rows, rows.size(), 120, trainer.get());
    const LossReport own = *trainer->Evaluate(all);
    const auto exported = trainer->Export(all);
    ASSERT_TRUE(exported.ok()) << exported.status();
    const LossReport played = *EvaluateNetwork(exported->get(), rules, options, {}, all);
    EXPECT_NEAR(played.policy, own.policy, 0.03) << decay;
    EXPECT_NEAR(played.value, own.value, 0.03) << decay;

    NetworkEvaluator evaluator(std::make_shared<InferenceModel>(
        **exported, rules, 1, DeviceChoice{}, InferenceSettings{}));
    double policy_loss = 0;
    for (const TrainingRow& row : rows) {
      const History history(row.position);
      const EvaluationRequest request = {&row.position, &history, row.moves};
      Evaluation result;
      ASSERT_TRUE(evaluator.Evaluate({&request, 1}, {&result, 1}).ok());
      for (size_t i = 0; i < row.moves.size(); ++i) {
        policy_loss -= row.policy[i] * result.log_priors[i] / static_cast<double>(rows.size());
      }
    }
    // Repetition and check history differ for a few rows.
    EXPECT_NEAR(policy_loss, played.policy, 0.01) << decay;
  }
}

TEST(TrainerTest, DecaySparesNormsAndBiases) {
  std::vector<TrainingRow> rows = PracticeRows(testing::RulesOf("minishogi"), {.rows = 32});
  for (TrainingRow& row : rows) row.weight = 0;  // no gradient at all
  TrainerOptions options = Quick();
  options.weight_decay = 0.5;
  options.warmup_steps = 0;
  options.learning_rate = 0.1;
  const std::unique_ptr<Trainer> trainer = MakeTrainer("minishogi", options);
  const TensorMap before = trainer->CopyState().weights;
  ASSERT_TRUE(trainer->Step(Pointers(rows, 0, 32)).ok());
  const TensorMap after = trainer->CopyState().weights;
  for (const auto& [name, tensor] : trainer->CopyState().average) {
    const double share = tensor.dim() >= 2 ? 1 - 0.1 * 0.5 : 1;
    EXPECT_TRUE(at::allclose(after.at(name), before.at(name) * share, 1e-5, 1e-7)) << name;
  }
}

TEST(TrainerOptionsTest, Schedules) {
  TrainerOptions options;
  options.learning_rate = 1;
  options.warmup_steps = 4;
  options.schedule_steps = 100;
  options.final_share = 0.2;
  options.step_every = 10;
  options.step_factor = 0.5;
  struct Case {
    Schedule schedule;
    int64_t step;
    double rate;
  };
  const Case cases[] = {
      {Schedule::kConstant, 0, 0.25}, {Schedule::kConstant, 3, 1},   {Schedule::kConstant, 999, 1},
      {Schedule::kCosine, 1, 0.5},    {Schedule::kCosine, 4, 1},     {Schedule::kCosine, 54, 0.6},
      {Schedule::kCosine, 104, 0.2},  {Schedule::kCosine, 999, 0.2}, {Schedule::kStep, 13, 1},
      {Schedule::kStep, 14, 0.5},     {Schedule::kStep, 34, 0.125}};
  for (const Case& c : cases) {
    options.schedule = c.schedule;
    EXPECT_NEAR(LearningRate(options, c.step, /*run_share=*/0.9), c.rate, 1e-9)
        << static_cast<int>(c.schedule) << " at " << c.step;
  }
  // Along the run, whatever the steps.
  options.schedule = Schedule::kCosine;
  options.schedule_steps = 0;
  for (const auto& [share, rate] : {std::pair(0.0, 1.0), {0.5, 0.6}, {1.0, 0.2}, {1.5, 0.2}}) {
    EXPECT_NEAR(LearningRate(options, 5000, share), rate, 1e-9) << share;
  }
  EXPECT_NEAR(LearningRate(options, 1, 1.0), 0.5, 1e-9);
}

TEST(TrainerOptionsTest, BadOnesAreNamed) {
  TrainerOptions options = Quick();
  options.search_share = 1.5;
  const absl::Status status =
      Trainer::Create(testing::SharedRulesOf("minishogi"), Small(), options, {}).status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("search_share: expected 0 to 1, got 1.5"));
}

}  // namespace
}  // namespace crossriver
