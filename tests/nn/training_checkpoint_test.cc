// Training states in pairs of files.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "nn/checkpoint.h"
#include "nn/network.h"
#include "nn/trainer_state.h"
#include "tests/nn/forged_file.h"
#include "tests/nn/nn_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::ForgedFile;
using testing::ReadBytes;
using testing::RulesOf;
using testing::ScrambledNetwork;
using testing::ScratchFolder;
using testing::SmallOptions;
using testing::TakeApart;
using testing::WriteBytes;

void ExpectSame(const TensorMap& a, const TensorMap& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [name, tensor] : a) {
    ASSERT_EQ(b.count(name), 1U) << name;
    EXPECT_EQ(tensor.scalar_type(), b.at(name).scalar_type()) << name;
    EXPECT_TRUE(torch::equal(tensor, b.at(name))) << name;
  }
}

class TrainingCheckpointTest : public ::testing::Test {
 protected:
  TrainingCheckpointTest()
      : rules_(RulesOf("switchback")),
        network_path_(folder_.File("net.safetensors")),
        optimizer_path_(folder_.File("optimiser.safetensors")) {
    exported_ = ScrambledNetwork(SmallOptions(), rules_, 1);
  }

  // As a trainer has it: the trained weights are not the exported ones.
  TrainerState StateOf(int64_t step, uint64_t seed) const {
    TrainerState state;
    state.step = step;
    const std::shared_ptr<Network> trained = ScrambledNetwork(SmallOptions(), rules_, seed);
    state.weights = CopyWeights(*trained);
    for (const auto& item : trained->named_parameters()) {
      const torch::Tensor values = item.value().detach();
      state.average[item.key()] = values * 0.5;
      state.optimizer[item.key() + "/exp_avg"] = torch::randn_like(values);
      state.optimizer[item.key() + "/exp_avg_sq"] = torch::rand_like(values);
      state.optimizer[item.key() + "/step"] = torch::full({}, step, torch::kLong);
    }
    return state;
  }
  absl::Status Save(const TrainerState& state) {
    return SaveTraining(network_path_, optimizer_path_, *exported_, state,
                        DescribeNetwork(SmallOptions(), rules_));
  }
  // The message of the error that loading gives; it must begin with the name of the file at fault.
  std::string ErrorOfLoading(const std::string& path, const Rules& rules) {
    const absl::Status status = LoadTraining(network_path_, optimizer_path_, rules).status();
    EXPECT_FALSE(status.ok());
    EXPECT_EQ(status.message().find(path), 0U) << status;
    return std::string(status.message());
  }

  const Rules& rules_;
  ScratchFolder folder_;
  std::string network_path_;
  std::string optimizer_path_;
  std::shared_ptr<Network> exported_;
};

TEST_F(TrainingCheckpointTest, RoundTrip) {
  const TrainerState state = StateOf(12345, 2);
  const absl::Status saved = Save(state);
  ASSERT_TRUE(saved.ok()) << saved;
  EXPECT_EQ(folder_.Names(),
            (std::vector<std::string>{"net.safetensors", "optimiser.safetensors"}));
  const absl::StatusOr<TrainerState> loaded = LoadTraining(network_path_, optimizer_path_, rules_);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->step, state.step);
  ExpectSame(loaded->weights, state.weights);
  ExpectSame(loaded->average, state.average);
  ExpectSame(loaded->optimizer, state.optimizer);
}

// To play, the same file is a network like any other, with the exported weights.
TEST_F(TrainingCheckpointTest, IsANetworkToPlayWith) {
  ASSERT_TRUE(Save(StateOf(7, 2)).ok());
  for (const char* variant : {"switchback", "switchback-open"}) {
    const absl::StatusOr<LoadedNetwork> loaded = LoadNetwork(network_path_, RulesOf(variant));
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    EXPECT_EQ(loaded->info.step, 7);
    ExpectSame(CopyWeights(*loaded->network), CopyWeights(*exported_));
  }
}

TEST_F(TrainingCheckpointTest, RulesMustBeTheSame) {
  ASSERT_TRUE(Save(StateOf(7, 2)).ok());
  for (const char* variant : {"switchback-open", "xiangqi"}) {
    ErrorOfLoading(network_path_, RulesOf(variant));
  }
}

TEST_F(TrainingCheckpointTest, BothFilesAreNeeded) {
  ErrorOfLoading(network_path_, rules_);
  ASSERT_TRUE(Save(StateOf(7, 2)).ok());
  ASSERT_EQ(std::remove(optimizer_path_.c_str()), 0);
  ErrorOfLoading(optimizer_path_, rules_);
  WriteBytes(optimizer_path_, ReadBytes(network_path_));
  ErrorOfLoading(optimizer_path_, rules_);
}

TEST_F(TrainingCheckpointTest, ANetworkAloneIsNoTraining) {
  ASSERT_TRUE(Save(StateOf(7, 2)).ok());
  ASSERT_TRUE(SaveNetwork(network_path_, *exported_, DescribeNetwork(SmallOptions(), rules_)).ok());
  ErrorOfLoading(network_path_, rules_);
}

TEST_F(TrainingCheckpointTest, AnOptimisersFileIsNoNetwork) {
  ASSERT_TRUE(Save(StateOf(7, 2)).ok());
  EXPECT_FALSE(LoadNetwork(optimizer_path_, rules_).ok());
  EXPECT_FALSE(InspectNetwork(optimizer_path_).ok());
  std::swap(network_path_, optimizer_path_);
  ErrorOfLoading(network_path_, rules_);
}

TEST_F(TrainingCheckpointTest, TheOptimisersFileMustBeThisNetworks) {
  ASSERT_TRUE(Save(StateOf(7, 2)).ok());
  const std::string other = ReadBytes(optimizer_path_);
  ASSERT_TRUE(Save(StateOf(8, 3)).ok());
  WriteBytes(optimizer_path_, other);
  ErrorOfLoading(optimizer_path_, rules_);
}

// A learning rate of 0 leaves the weights as they are, but not the optimiser.
TEST_F(TrainingCheckpointTest, TheOptimisersFileMustBeOfThisStep) {
  ASSERT_TRUE(Save(StateOf(7, 2)).ok());
  const std::string earlier = ReadBytes(optimizer_path_);
  ASSERT_TRUE(Save(StateOf(8, 2)).ok());
  WriteBytes(optimizer_path_, earlier);
  ErrorOfLoading(optimizer_path_, rules_);
}

TEST_F(TrainingCheckpointTest, DamagedFilesAreErrors) {
  ASSERT_TRUE(Save(StateOf(7, 2)).ok());
  for (const std::string& path : {network_path_, optimizer_path_}) {
    const std::string bytes = ReadBytes(path);
    for (size_t at = 3; at < bytes.size(); at += bytes.size() / 50) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ 4);
      WriteBytes(path, damaged);
      ErrorOfLoading(path, rules_);
      WriteBytes(path, bytes.substr(0, at));
      ErrorOfLoading(path, rules_);
      if (HasFailure()) FAIL() << at << " of " << bytes.size();
    }
    WriteBytes(path, bytes);
  }
  EXPECT_TRUE(LoadTraining(network_path_, optimizer_path_, rules_).ok());
}

// As LoadNetwork, so LoadTraining: weights that were changed, with a checksum made to fit, are not
// taken.
TEST_F(TrainingCheckpointTest, ForgedPlayedWeightsAreErrors) {
  ASSERT_TRUE(Save(StateOf(7, 2)).ok());
  ForgedFile file = TakeApart(ReadBytes(network_path_));
  for (const std::string& name : file.TensorNames()) {
    if (name.find("trained.") == 0 || name.find("average.") == 0) continue;
    file.data[file.header[name]["data_offsets"][0].get<size_t>()] ^= 1;
    break;
  }
  WriteBytes(network_path_, file.Bytes());
  EXPECT_FALSE(LoadNetwork(network_path_, rules_).ok());
  ErrorOfLoading(network_path_, rules_);
}

TEST_F(TrainingCheckpointTest, ForgedTrainedWeightsAreErrors) {
  ASSERT_TRUE(Save(StateOf(7, 2)).ok());
  ForgedFile file = TakeApart(ReadBytes(network_path_));
  for (const std::string& name : file.TensorNames()) {
    if (name.find("trained.") != 0) continue;
    file.data[file.header[name]["data_offsets"][0].get<size_t>()] ^= 1;
    break;
  }
  WriteBytes(network_path_, file.Bytes());
  EXPECT_FALSE(LoadTraining(network_path_, optimizer_path_, rules_).ok());
}

// A network file is never without its own optimiser's.
TEST_F(TrainingCheckpointTest, TheOptimisersFileIsWrittenFirst) {
  const std::string missing = folder_.File("no/file");
  const CheckpointInfo info = DescribeNetwork(SmallOptions(), rules_);
  absl::Status status = SaveTraining(network_path_, missing, *exported_, StateOf(7, 2), info);
  EXPECT_FALSE(status.ok());
  EXPECT_NE(std::string(status.message()).find(missing), std::string::npos) << status;
  EXPECT_TRUE(folder_.Names().empty());
  status = SaveTraining(missing, optimizer_path_, *exported_, StateOf(7, 2), info);
  EXPECT_FALSE(status.ok());
  EXPECT_NE(std::string(status.message()).find(missing), std::string::npos) << status;
}

}  // namespace
}  // namespace crossriver
