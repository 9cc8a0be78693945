// Networks in files: what comes back is what was saved, and only the right variants take it.
#include "nn/checkpoint.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "nn/checkpoint_metadata.h"
#include "nn/features.h"
#include "nn/network.h"
#include "nn/tensor_map.h"
#include "tests/nn/forged_file.h"
#include "tests/nn/nn_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::ForgedFile;
using testing::ReadBytes;
using testing::RulesFromText;
using testing::RulesOf;
using testing::ScrambledNetwork;
using testing::ScratchFolder;
using testing::SmallOptions;
using testing::TakeApart;

struct FileCase {
  std::string name;
  std::string variant;
  NetworkOptions options = SmallOptions();
};

void PrintTo(const FileCase& c, std::ostream* out) { *out << c.name; }

std::vector<FileCase> FileCases() {
  std::vector<FileCase> cases = {{"xiangqi", "xiangqi"}, {"pending", "shoxiang-xq-standard"}};
  for (const auto& [name, geometry] : Geometries()) {
    cases.push_back({"switchback " + name, "switchback"});
    cases.back().options.geometry = geometry;
  }
  cases.push_back({"all parts", "minishogi"});
  cases.back().options.squeeze_units = 4;
  cases.push_back({"few parts", "minishogi"});
  cases.back().options.pooling_every = 0;
  cases.back().options.reply_weight = 0;
  cases.back().options.plies_left_weight = 0;
  return cases;
}

void ExpectSame(const CheckpointInfo& a, const CheckpointInfo& b) {
  EXPECT_EQ(a.options, b.options);
  EXPECT_EQ(a.shape, b.shape);
  EXPECT_EQ(a.family, b.family);
  EXPECT_EQ(a.variants, b.variants);
  EXPECT_EQ(a.rules_hash, b.rules_hash);
  EXPECT_EQ(a.schema_hash, b.schema_hash);
  EXPECT_EQ(a.planes, b.planes);
  EXPECT_EQ(a.constants, b.constants);
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.run_id, b.run_id);
}

// Texts that a careless writer would break.
CheckpointInfo InfoOf(const NetworkOptions& options, const Rules& rules) {
  CheckpointInfo info = DescribeNetwork(options, rules);
  info.step = 123456789012;
  info.run_id = "a \"run\" of\n7 = ü\\";
  info.variants.push_back("another-one");
  return info;
}

class CheckpointTest : public ::testing::TestWithParam<FileCase> {
 protected:
  const Rules& rules() const { return RulesOf(GetParam().variant); }

  ScratchFolder folder_;
};

TEST_P(CheckpointTest, RoundTrip) {
  const std::string path = folder_.File("net.safetensors");
  const std::shared_ptr<Network> network = ScrambledNetwork(GetParam().options, rules());
  const CheckpointInfo info = InfoOf(GetParam().options, rules());
  const absl::Status saved = SaveNetwork(path, *network, info);
  ASSERT_TRUE(saved.ok()) << saved;
  EXPECT_EQ(folder_.Names(), std::vector<std::string>{"net.safetensors"});
  const absl::StatusOr<LoadedNetwork> loaded = LoadNetwork(path, rules());
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  ExpectSame(loaded->info, info);
  EXPECT_FALSE(loaded->network->is_training());
  EXPECT_EQ(loaded->network->options(), network->options());
  EXPECT_EQ(loaded->network->shape(), network->shape());
  const TensorMap before = CopyWeights(*network);
  const TensorMap after = CopyWeights(*loaded->network);
  ASSERT_EQ(before.size(), after.size());
  for (const auto& [name, tensor] : before) {
    EXPECT_TRUE(torch::equal(tensor, after.at(name))) << name;
  }
  EXPECT_EQ(loaded->info.weights_hash, HashTensors(before));
  EXPECT_TRUE(std::regex_match(loaded->info.time,
                               std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|\+00:00))")))
      << loaded->info.time;
  const absl::StatusOr<CheckpointInfo> inspected = InspectNetwork(path);
  ASSERT_TRUE(inspected.ok()) << inspected.status();
  ExpectSame(*inspected, info);
  EXPECT_EQ(inspected->weights_hash, loaded->info.weights_hash);
  EXPECT_EQ(inspected->time, loaded->info.time);
}

TEST_P(CheckpointTest, LoadedNetworksPlayAlike) {
  const std::string path = folder_.File("net.safetensors");
  const std::shared_ptr<Network> network = ScrambledNetwork(GetParam().options, rules());
  ASSERT_TRUE(SaveNetwork(path, *network, DescribeNetwork(network->options(), rules())).ok());
  const absl::StatusOr<LoadedNetwork> loaded = LoadNetwork(path, rules());
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  const std::vector<SamplePosition> samples = testing::MixedPositions(rules(), 12, 5);
  const auto ask = [&](const Network& of) {
    return testing::Ask(
        std::make_shared<InferenceModel>(of, testing::SharedRulesOf(GetParam().variant), 1,
                                         DeviceChoice{}, InferenceSettings{}),
        samples);
  };
  const std::vector<Evaluation> before = ask(*network);
  const std::vector<Evaluation> after = ask(*loaded->network);
  for (size_t i = 0; i < samples.size(); ++i) {
    EXPECT_TRUE(testing::IsSameBits(before[i], after[i]));
  }
}

// The file as any other reader of the published layout sees it.
TEST_P(CheckpointTest, HasThePublishedLayout) {
  const std::string path = folder_.File("net.safetensors");
  const std::shared_ptr<Network> network = ScrambledNetwork(GetParam().options, rules());
  ASSERT_TRUE(SaveNetwork(path, *network, DescribeNetwork(network->options(), rules())).ok());
  const std::string bytes = ReadBytes(path);
  ForgedFile file = TakeApart(bytes);
  EXPECT_EQ(file.metadata().at("checksum"), testing::ChecksumOf(bytes));
  for (const auto& [name, text] : file.metadata().items()) EXPECT_TRUE(text.is_string()) << name;
  const TensorMap weights = CopyWeights(*network);
  uint64_t end = 0;
  std::set<std::string> found;
  for (const std::string& name : file.TensorNames()) {
    const nlohmann::json& entry = file.header.at(name);
    EXPECT_EQ(entry.size(), 3U);
    EXPECT_EQ(entry.at("dtype"), "F32") << name;
    EXPECT_EQ(entry.at("data_offsets").at(0), end) << name;
    end = entry.at("data_offsets").at(1).get<uint64_t>();
    const std::string own = name.substr(name.find('.') + 1);  // behind what it is for
    ASSERT_EQ(weights.count(own), 1U) << name;
    const torch::Tensor& tensor = weights.at(own);
    EXPECT_EQ(entry.at("shape").get<std::vector<int64_t>>(), tensor.sizes().vec()) << name;
    EXPECT_EQ(file.BytesOf(name),
              std::string(static_cast<const char*>(tensor.data_ptr()), tensor.nbytes()))
        << name;
    found.insert(own);
  }
  EXPECT_EQ(end, file.data.size());
  EXPECT_EQ(found.size(), weights.size());
}

TEST_P(CheckpointTest, DescribesTheVariant) {
  const CheckpointInfo info = DescribeNetwork(GetParam().options, rules());
  const FeatureSchema schema(rules());
  EXPECT_EQ(info.options, GetParam().options);
  EXPECT_EQ(info.shape, ShapeOf(rules(), schema));
  EXPECT_EQ(info.family, rules().definition().family);
  EXPECT_EQ(info.variants, std::vector<std::string>{GetParam().variant});
  EXPECT_EQ(info.rules_hash, rules().hash());
  EXPECT_EQ(info.schema_hash, schema.hash());
  EXPECT_EQ(info.planes, schema.planes());
  EXPECT_EQ(info.constants, schema.constants());
}

TEST_P(CheckpointTest, MetadataRoundTrip) {
  CheckpointInfo info = InfoOf(GetParam().options, rules());
  info.weights_hash = 0xFEDCBA9876543210;
  info.time = "2001-02-03T04:05:06Z";
  const absl::StatusOr<CheckpointInfo> read = ReadMetadata(WriteMetadata(info));
  ASSERT_TRUE(read.ok()) << read.status();
  ExpectSame(*read, info);
  EXPECT_EQ(read->weights_hash, info.weights_hash);
  EXPECT_EQ(read->time, info.time);
}

INSTANTIATE_TEST_SUITE_P(All, CheckpointTest, ::testing::ValuesIn(FileCases()),
                         [](const auto& test) { return testing::TestName(test.param.name); });

class RulesMatchTest : public ::testing::Test {
 protected:
  // Saves a network for `from` and loads it for `to`.
  absl::Status Carry(const Rules& from, const Rules& to, RulesMatch match) {
    const std::string path = folder_.File("net.safetensors");
    const std::shared_ptr<Network> network = ScrambledNetwork(SmallOptions(), from);
    EXPECT_TRUE(SaveNetwork(path, *network, DescribeNetwork(SmallOptions(), from)).ok());
    const absl::Status status = LoadNetwork(path, to, match).status();
    if (!status.ok()) {
      EXPECT_NE(std::string(status.message()).find(path), std::string::npos) << status;
    }
    return status;
  }

  ScratchFolder folder_;
};

TEST_F(RulesMatchTest, OneFamilySharesNetworks) {
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"shoxiang-sh-standard", "shoxiang-sh-weak"},
      {"shoxiang-xq-strong", "shoxiang-xq-centrewise"},
      {"switchback-open", "switchback"}};
  for (const auto& [from, to] : pairs) {
    for (const RulesMatch match : {RulesMatch::kFamily, RulesMatch::kAny}) {
      const absl::Status status = Carry(RulesOf(from), RulesOf(to), match);
      EXPECT_TRUE(status.ok()) << status;
    }
  }
}

TEST_F(RulesMatchTest, OtherFeaturesAreAnErrorInAnyCase) {
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"xiangqi", "shogi"},
      {"minishogi", "shogi"},
      {"shogi", "minishogi"},
      {"shoxiang-sh-standard", "shoxiang-xq-standard"},
      {"switchback", "xiangqi"}};
  for (const auto& [from, to] : pairs) {
    for (const RulesMatch match : {RulesMatch::kFamily, RulesMatch::kAny}) {
      EXPECT_FALSE(Carry(RulesOf(from), RulesOf(to), match).ok()) << from << " for " << to;
    }
  }
  const absl::Status status = Carry(RulesOf("xiangqi"), RulesOf("shogi"), RulesMatch::kFamily);
  // The names that differ, on either side.
  for (const char* name : {"own lance", "own chariot", "own hand pawn"}) {
    EXPECT_NE(std::string(status.message()).find(name), std::string::npos) << status;
  }
}

TEST_F(RulesMatchTest, OtherFamiliesOnlyOnRequest) {
  const Rules& xiangqi = RulesOf("xiangqi");
  const std::string stranger = "inherits = 'xiangqi'\nname = 'Stranger'\nfamily = 'strangers'\n";
  const auto same_rules = RulesFromText("stranger", stranger);
  const auto other_rules =
      RulesFromText("stranger", stranger + "[rules]\nno_progress_plies = 60\n");
  EXPECT_TRUE(Carry(xiangqi, *same_rules, RulesMatch::kFamily).ok()) << "the rules are the same";
  for (const auto& [from, to] :
       {std::pair(&xiangqi, other_rules.get()),
        std::pair(static_cast<const Rules*>(other_rules.get()), &xiangqi)}) {
    const absl::Status status = Carry(*from, *to, RulesMatch::kFamily);
    EXPECT_FALSE(status.ok());
    EXPECT_NE(std::string(status.message()).find("rules"), std::string::npos) << status;
    EXPECT_NE(std::string(status.message()).find("strangers"), std::string::npos) << status;
    EXPECT_TRUE(Carry(*from, *to, RulesMatch::kAny).ok());
  }
  const auto sibling = RulesFromText(
      "sibling", "inherits = 'xiangqi'\nname = 'Sibling'\n[rules]\nno_progress_plies = 60\n");
  EXPECT_TRUE(Carry(xiangqi, *sibling, RulesMatch::kFamily).ok());
}

TEST(CheckpointFilesTest, SavingOverAFolderOrIntoNoneIsAnError) {
  const ScratchFolder folder;
  const Rules& rules = RulesOf("minishogi");
  const std::shared_ptr<Network> network = ScrambledNetwork(SmallOptions(), rules);
  const CheckpointInfo info = DescribeNetwork(SmallOptions(), rules);
  for (const std::string& path : {folder.path(), folder.File("no/net.safetensors")}) {
    const absl::Status saved = SaveNetwork(path, *network, info);
    EXPECT_FALSE(saved.ok());
    EXPECT_NE(std::string(saved.message()).find(path), std::string::npos) << saved;
    for (const absl::Status& status :
         {LoadNetwork(path, rules).status(), InspectNetwork(path).status()}) {
      EXPECT_FALSE(status.ok());
      EXPECT_NE(std::string(status.message()).find(path), std::string::npos) << status;
    }
  }
  EXPECT_TRUE(folder.Names().empty());
}

TEST(CheckpointFilesTest, ANewNetworkReplacesTheOld) {
  const ScratchFolder folder;
  const std::string path = folder.File("net.safetensors");
  const Rules& rules = RulesOf("minishogi");
  const CheckpointInfo info = DescribeNetwork(SmallOptions(), rules);
  std::set<uint64_t> hashes;
  for (const uint64_t seed : std::initializer_list<uint64_t>{1, 2}) {
    const std::shared_ptr<Network> network = ScrambledNetwork(SmallOptions(), rules, seed);
    ASSERT_TRUE(SaveNetwork(path, *network, info).ok());
    const absl::StatusOr<CheckpointInfo> read = InspectNetwork(path);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(read->weights_hash, HashTensors(CopyWeights(*network)));
    hashes.insert(read->weights_hash);
  }
  EXPECT_EQ(hashes.size(), 2U);
}

}  // namespace
}  // namespace crossriver
