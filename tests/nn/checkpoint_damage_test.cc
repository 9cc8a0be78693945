// Network files that are damaged, forged or of other programs: always an error that names the file.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "nn/checkpoint.h"
#include "nn/network.h"
#include "tests/nn/forged_file.h"
#include "tests/nn/nn_helpers.h"
#include "tests/random_positions.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::ForgedFile;
using testing::Random;
using testing::ReadBytes;
using testing::RulesOf;
using testing::ScrambledNetwork;
using testing::ScratchFolder;
using testing::TakeApart;
using testing::WriteBytes;

NetworkOptions TinyOptions() {
  NetworkOptions options = testing::SmallOptions();
  options.channels = 8;
  options.blocks = 1;
  options.pooling_every = 1;
  options.pooling_channels = 4;
  return options;
}

class DamageTest : public ::testing::Test {
 protected:
  DamageTest() : rules_(RulesOf("minishogi")), path_(folder_.File("net.safetensors")) {
    network_ = ScrambledNetwork(TinyOptions(), rules_);
  }

  std::string Save() {
    EXPECT_TRUE(SaveNetwork(path_, *network_, DescribeNetwork(TinyOptions(), rules_)).ok());
    return ReadBytes(path_);
  }
  // What LoadNetwork and InspectNetwork say of these bytes, which must be an error with the name.
  std::string ErrorOf(const std::string& bytes) {
    WriteBytes(path_, bytes);
    return ErrorOfFile();
  }
  std::string ErrorOfFile() {
    const absl::Status loaded = LoadNetwork(path_, rules_).status();
    const absl::Status inspected = InspectNetwork(path_).status();
    for (const absl::Status& status : {loaded, inspected}) {
      EXPECT_FALSE(status.ok());
      EXPECT_EQ(status.message().find(path_), 0U) << status;
      EXPECT_GT(status.message().size(), path_.size() + 5) << status;
    }
    return std::string(loaded.message());
  }

  const Rules& rules_;
  ScratchFolder folder_;
  std::string path_;
  std::shared_ptr<Network> network_;
};

std::string Flipped(std::string bytes, size_t bit) {
  bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
  return bytes;
}

TEST_F(DamageTest, FlippedBitsAreNoticed) {
  const std::string bytes = Save();
  const size_t data_begin = 8 + testing::HeaderLength(bytes);
  Random random(1);
  std::vector<size_t> bits;
  for (size_t bit = 0; bit < 64; ++bit) bits.push_back(bit);  // of the length
  for (int i = 0; i < 2000; ++i) bits.push_back(64 + random.Below(8 * data_begin - 64));
  for (int i = 0; i < 500; ++i) {
    bits.push_back(8 * data_begin + random.Below(8 * (bytes.size() - data_begin)));
  }
  for (const size_t bit : bits) {
    WriteBytes(path_, Flipped(bytes, bit));
    const absl::Status status = LoadNetwork(path_, rules_).status();
    ASSERT_FALSE(status.ok()) << "bit " << bit;
    ASSERT_EQ(status.message().find(path_), 0U) << status << " bit " << bit;
  }
}

TEST_F(DamageTest, TruncationsAreNoticed) {
  const std::string bytes = Save();
  const size_t data_begin = 8 + testing::HeaderLength(bytes);
  std::vector<size_t> sizes = {
      0, 1, 7, 8, 9, data_begin - 1, data_begin, data_begin + 1, bytes.size() - 1};
  Random random(2);
  for (int i = 0; i < 200; ++i) sizes.push_back(random.Below(bytes.size()));
  for (const size_t size : sizes) {
    ErrorOf(bytes.substr(0, size));
    if (HasFailure()) FAIL() << size << " of " << bytes.size();
  }
  ErrorOf(bytes + "!");
}

struct Forgery {
  std::string what;
  std::function<void(ForgedFile*)> forge;
  std::string named;  // in the message
};

Forgery Text(const std::string& key, const std::string& value, const std::string& named) {
  return {key + " = " + value, [key, value](ForgedFile* file) { file->metadata()[key] = value; },
          named};
}

// The last tensor by its bytes, which can go or come without moving others.
void RemoveLast(ForgedFile* file) {
  const std::string name = file->TensorNames().back();
  file->data.resize(file->header[name]["data_offsets"][0].get<size_t>());
  file->header.erase(name);
}

void RenameLast(ForgedFile* file) {
  const std::string name = file->TensorNames().back();
  file->header[name + "s"] = file->header[name];
  file->header.erase(name);
}

void AddTensor(ForgedFile* file) {
  const std::string last = file->TensorNames().back();
  const size_t end = file->data.size();
  file->header[last.substr(0, last.find('.')) + ".zzz_spare"] = {
      {"dtype", "F32"}, {"shape", {1}}, {"data_offsets", {end, end + 4}}};
  file->data += std::string(4, '\0');
}

// The first tensor of two unequal dimensions, with these turned round.
void Transpose(ForgedFile* file) {
  for (const std::string& name : file->TensorNames()) {
    nlohmann::json& shape = file->header[name]["shape"];
    if (shape.size() != 2 || shape[0] == shape[1]) continue;
    std::swap(shape[0], shape[1]);
    return;
  }
  FAIL() << "no such tensor";
}

std::vector<Forgery> Forgeries() {
  const auto options = [](NetworkOptions changed) {
    return Text("options", WriteOptions(changed), "");
  };
  NetworkOptions wider = TinyOptions(), deeper = TinyOptions(), narrower = TinyOptions(),
                 squeezed = TinyOptions(), huge = TinyOptions(), unpooled = TinyOptions();
  wider.channels = 16;
  deeper.blocks = 2;
  narrower.policy_channels = 4;
  squeezed.squeeze_units = 4;
  unpooled.pooling_every = 0;
  huge.channels = 1024;
  huge.blocks = SizeOptions()[1].max;
  return {
      options(wider),
      options(deeper),
      options(narrower),
      options(squeezed),
      options(unpooled),
      options(huge),
      Text("options", "channels=0", "channels"),
      Text("options", "nonsense", "nonsense"),
      Text("kind", "some other file", "some other file"),
      Text("format", std::to_string(CheckpointInfo::kFormatVersion + 1), "version"),
      Text("format", "x", "format"),
      Text("weights_hash", "0123456789abcdef", "weights"),
      Text("weights_hash", "0123", "weights_hash"),
      Text("rules_hash", "hello", "rules_hash"),
      Text("schema_hash", "", "schema_hash"),
      Text("step", "-1", "step"),
      Text("step", "99999999999999999999", "step"),
      {"no metadata", [](ForgedFile* file) { file->header.erase("__metadata__"); }, "checksum"},
      {"a tensor less", RemoveLast, ""},
      {"a tensor of another name", RenameLast, "tensor '"},
      {"a tensor more", AddTensor, "zzz_spare"},
      {"transposed", Transpose, "shape"},
      {"another weight", [](ForgedFile* file) { file->data[1] ^= 1; }, "weights"},
      {"two tensors' bytes exchanged",
       [](ForgedFile* file) { std::swap(file->data[2], file->data[6]); }, "weights"},
  };
}

TEST_F(DamageTest, ForgeriesAreNamed) {
  const ForgedFile honest = TakeApart(Save());
  for (const Forgery& forgery : Forgeries()) {
    ForgedFile file = honest;
    forgery.forge(&file);
    const std::string message = ErrorOf(file.Bytes());
    EXPECT_NE(message.find(forgery.named, path_.size()), std::string::npos) << message;
    if (HasFailure()) FAIL() << forgery.what;
  }
  WriteBytes(path_, honest.Bytes());
  EXPECT_TRUE(LoadNetwork(path_, rules_).ok()) << "the forger itself is at fault";
}

TEST_F(DamageTest, EveryMetadataEntryIsNeeded) {
  ForgedFile honest = TakeApart(Save());
  int entries = 0;
  for (const auto& item : honest.metadata().items()) {
    ForgedFile file = honest;
    file.metadata().erase(item.key());
    const std::string message = ErrorOf(file.Bytes());
    // Without a kind it is no network file at all.
    const std::string named = item.key() == "kind" ? "is no" : item.key();
    EXPECT_NE(message.find(named, path_.size()), std::string::npos) << message;
    if (HasFailure()) FAIL() << item.key();
    ++entries;
  }
  EXPECT_GE(entries, 12);
}

// Any type for any tensor. Of another size it contradicts the offsets.
TEST_F(DamageTest, EveryTensorHasItsType) {
  const ForgedFile honest = TakeApart(Save());
  for (const std::string& name : honest.TensorNames()) {
    for (const char* type : {"I32", "F64", "BF16", "U8", "F32 ", ""}) {
      ForgedFile file = honest;
      file.header[name]["dtype"] = type;
      const std::string message = ErrorOf(file.Bytes());
      EXPECT_NE(message.find(name.substr(name.find('.') + 1)), std::string::npos) << message;
    }
  }
}

TEST_F(DamageTest, ShapesThatContradictTheTensorsAreErrors) {
  const ForgedFile honest = TakeApart(Save());
  for (const char* part : {"planes", "constants", "ranks", "levels", "files", "hand_kinds"}) {
    const std::string key = std::string("shape.") + part;
    for (const char* value : {"0", "1", "-1", "7", "1000000", "2147483648", "x"}) {
      ForgedFile file = honest;
      ASSERT_TRUE(file.metadata().contains(key));
      if (file.metadata()[key] == value) continue;
      file.metadata()[key] = value;
      WriteBytes(path_, file.Bytes());
      const absl::Status status = LoadNetwork(path_, rules_).status();
      EXPECT_FALSE(status.ok()) << key << " = " << value;
      EXPECT_EQ(status.message().find(path_), 0U) << status;
      // Whatever it says of a board it can't compare with the variant's: no crash.
      (void)InspectNetwork(path_);
    }
  }
}

constexpr float kBadNumbers[] = {std::numeric_limits<float>::quiet_NaN(),
                                 std::numeric_limits<float>::infinity(),
                                 -std::numeric_limits<float>::infinity()};

TEST_F(DamageTest, WeightsThatAreNotFiniteAreErrors) {
  const ForgedFile honest = TakeApart(Save());
  for (const float bad : kBadNumbers) {
    for (const std::string& name : honest.TensorNames()) {
      ForgedFile file = honest;
      const auto end = file.header[name]["data_offsets"][1].get<size_t>();
      std::memcpy(file.data.data() + end - sizeof(bad), &bad, sizeof(bad));
      const std::string message = ErrorOf(file.Bytes());
      EXPECT_NE(message.find(name.substr(name.find('.') + 1)), std::string::npos) << message;
      EXPECT_NE(message.find("not finite"), std::string::npos) << message;
    }
  }
}

TEST_F(DamageTest, WeightsThatAreNotFiniteAreNotSaved) {
  const torch::NoGradGuard no_grad;
  const std::string before = Save();
  for (const float bad : kBadNumbers) {
    for (const auto& item : network_->named_parameters()) {
      float* const last = item.value().data_ptr<float>() + item.value().numel() - 1;
      const float number = *last;
      *last = bad;
      const absl::Status status =
          SaveNetwork(path_, *network_, DescribeNetwork(TinyOptions(), rules_));
      EXPECT_FALSE(status.ok());
      EXPECT_NE(status.message().find(item.key()), std::string::npos) << status;
      EXPECT_EQ(ReadBytes(path_), before);
      *last = number;
    }
  }
}

}  // namespace
}  // namespace crossriver
