// A small file, and everything that can be wrong with one.
#include "nn/safetensors.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "tests/nn/forged_file.h"
#include "tests/nn/nn_helpers.h"

namespace crossriver {
namespace {

using testing::ForgedFile;
using testing::LengthBytes;
using testing::PutTogether;
using testing::ReadBytes;
using testing::ScratchFolder;
using testing::TakeApart;
using testing::WriteBytes;

SafetensorsFile SmallFile() {
  SafetensorsFile file;
  file.metadata = {{"kind", "a test"}, {"quoted", "\"line\"\n\\, ümlaut"}, {"empty", ""}};
  file.tensors["a"] = torch::arange(6, torch::kFloat).reshape({2, 3});
  file.tensors["b.step"] = torch::full({}, int64_t{1} << 40, torch::kLong);
  file.tensors["c"] = torch::arange(4, torch::kFloat).to(torch::kBFloat16);
  return file;
}

class SafetensorsTest : public ::testing::Test {
 protected:
  SafetensorsTest() : path_(folder_.File("some file.safetensors")) {}

  // The message of the error that reading these bytes gives; fails the test where there is none,
  // or where it does not name the file and something more.
  std::string ErrorOf(const std::string& bytes) {
    WriteBytes(path_, bytes);
    const absl::StatusOr<SafetensorsFile> read = ReadSafetensors(path_);
    EXPECT_FALSE(read.ok());
    const std::string message(read.status().message());
    EXPECT_NE(message.find(path_), std::string::npos) << message;
    EXPECT_GT(message.size(), path_.size() + 5) << message;
    return message;
  }
  std::string SmallBytes() {
    EXPECT_TRUE(WriteSafetensors(path_, SmallFile()).ok());
    return ReadBytes(path_);
  }

  ScratchFolder folder_;
  std::string path_;
};

TEST_F(SafetensorsTest, RoundTripOfAllTypes) {
  SafetensorsFile file = SmallFile();
  file.tensors["half"] = torch::ones({3, 1, 2}, torch::kHalf);
  file.tensors["double"] = torch::full({2}, 1e-300, torch::kDouble);
  file.tensors["int"] = torch::full({5}, -7, torch::kInt);
  file.tensors["nothing"] = torch::empty({0, 4});
  file.tensors["strided"] = torch::arange(12, torch::kFloat).reshape({3, 4}).t();
  ASSERT_TRUE(WriteSafetensors(path_, file).ok());
  const absl::StatusOr<SafetensorsFile> read = ReadSafetensors(path_);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->metadata, file.metadata);
  ASSERT_EQ(read->tensors.size(), file.tensors.size());
  for (const auto& [name, tensor] : file.tensors) {
    const torch::Tensor& have = read->tensors.at(name);
    EXPECT_EQ(have.scalar_type(), tensor.scalar_type()) << name;
    EXPECT_TRUE(torch::equal(have, tensor)) << name;
  }
  EXPECT_EQ(folder_.Names(), std::vector<std::string>{"some file.safetensors"});
}

TEST_F(SafetensorsTest, HasThePublishedLayout) {
  const ForgedFile file = TakeApart(SmallBytes());
  const nlohmann::json expected_a = {{"dtype", "F32"},
                                     {"shape", {2, 3}},
                                     {"data_offsets", file.header.at("a").at("data_offsets")}};
  EXPECT_EQ(file.header.at("a"), expected_a);
  EXPECT_EQ(file.header.at("b.step").at("dtype"), "I64");
  EXPECT_EQ(file.header.at("b.step").at("shape"), nlohmann::json::array());
  EXPECT_EQ(file.header.at("c").at("dtype"), "BF16");
  uint64_t end = 0;
  for (const std::string& name : file.TensorNames()) {
    EXPECT_EQ(file.header.at(name).at("data_offsets").at(0), end) << name;
    end = file.header.at(name).at("data_offsets").at(1).get<uint64_t>();
  }
  EXPECT_EQ(end, file.data.size());
  const std::vector<float> numbers = {0, 1, 2, 3, 4, 5};
  EXPECT_EQ(file.BytesOf("a"),
            std::string(reinterpret_cast<const char*>(numbers.data()), 4 * numbers.size()));
  EXPECT_EQ(file.BytesOf("b.step"), LengthBytes(uint64_t{1} << 40));
  EXPECT_EQ(file.header.at("__metadata__").at("quoted"), "\"line\"\n\\, ümlaut");
  EXPECT_EQ(file.header.at("__metadata__").at("checksum"), testing::ChecksumOf(SmallBytes()));
}

// Ours reads what another writer would write: spaces, another order.
TEST_F(SafetensorsTest, ReadsWhatOthersPutTogether) {
  ForgedFile file = TakeApart(SmallBytes());
  WriteBytes(path_, file.Bytes());
  EXPECT_TRUE(ReadSafetensors(path_).ok());
  WriteBytes(path_, PutTogether(
                        R"({"x": {"shape": [1], "data_offsets": [0, 4], "dtype": "F32"},
                            "__metadata__": {"checksum":"0000000000000000"}}   )",
                        "abcd"));
  const absl::StatusOr<SafetensorsFile> read = ReadSafetensors(path_);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(std::memcmp(read->tensors.at("x").data_ptr(), "abcd", 4), 0);
}

TEST_F(SafetensorsTest, EveryFlippedBitIsNoticed) {
  const std::string bytes = SmallBytes();
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
    ErrorOf(flipped);
    if (HasFailure()) FAIL() << "bit " << bit << " of " << 8 * bytes.size();
  }
}

TEST_F(SafetensorsTest, EveryTruncationIsNoticed) {
  const std::string bytes = SmallBytes();
  for (size_t size = 0; size < bytes.size(); ++size) {
    ErrorOf(bytes.substr(0, size));
    if (HasFailure()) FAIL() << size << " of " << bytes.size();
  }
  ErrorOf(bytes + '\0');
  ErrorOf(bytes + bytes);
}

struct Lie {
  std::string what;
  std::function<void(ForgedFile*)> tell;
  std::string named;  // in the message
};

std::vector<Lie> LiesAboutTensors() {
  using nlohmann::json;
  const auto set = [](const char* field, json value) {
    return [field, value](ForgedFile* file) { file->header["a"][field] = value; };
  };
  const auto erase = [](const char* field) {
    return [field](ForgedFile* file) { file->header["a"].erase(field); };
  };
  const int64_t big = int64_t{1} << 62;
  return {
      {"unknown type", set("dtype", "F33"), "'a'"},
      {"no text as type", set("dtype", 32), "'a'"},
      {"type of another size", set("dtype", "F64"), "'a'"},
      {"no type", erase("dtype"), "'a'"},
      {"no shape", erase("shape"), "'a'"},
      {"no offsets", erase("data_offsets"), "'a'"},
      {"smaller shape", set("shape", {2, 2}), "'a'"},
      {"larger shape", set("shape", {2, 4}), "'a'"},
      {"shape whose product overflows", set("shape", {big, 8}), "'a'"},
      {"shape whose product overflows to what is there", set("shape", {6, big, 4, 0}), "'a'"},
      {"shape whose bytes overflow", set("shape", {big}), "'a'"},
      {"shape of 2^32 twice", set("shape", {int64_t{1} << 32, int64_t{1} << 32}), "'a'"},
      {"negative shape", set("shape", {-2, -3}), "'a'"},
      {"broken shape", set("shape", {1.5, 4}), "'a'"},
      {"shape of texts", set("shape", {"2", "3"}), "'a'"},
      {"shape that is a number", set("shape", 6), "'a'"},
      {"begin behind end", set("data_offsets", {24, 0}), "'a'"},
      {"beyond the end", set("data_offsets", {1000, 1024}), "'a'"},
      {"far beyond the end", set("data_offsets", {0, ~uint64_t{0}}), "'a'"},
      {"one offset", set("data_offsets", {24}), "'a'"},
      {"three offsets", set("data_offsets", {0, 12, 24}), "'a'"},
      {"negative offsets", set("data_offsets", {-24, 0}), "'a'"},
      {"offsets of texts", set("data_offsets", {"0", "24"}), "'a'"},
      {"overlap",
       [](ForgedFile* file) {
         file->header["b.step"]["data_offsets"] = {16, 24};
       },
       "'"},
      {"the same bytes twice", [](ForgedFile* file) { file->header["d"] = file->header["a"]; },
       "'"},
      {"gap",
       [](ForgedFile* file) {
         for (const char* name : {"b.step", "c"}) {
           for (json& offset : file->header[name]["data_offsets"]) {
             offset = offset.get<int>() + 8;
           }
         }
         file->data += std::string(8, 'x');
       },
       "'b.step'"},
      {"bytes left over", [](ForgedFile* file) { file->data += "more"; }, "bytes"},
      {"description that is none", [](ForgedFile* file) { file->header["a"] = "F32"; }, "'a'"},
  };
}

TEST_F(SafetensorsTest, LiesAboutTensorsAreNamed) {
  const ForgedFile honest = TakeApart(SmallBytes());
  for (const Lie& lie : LiesAboutTensors()) {
    ForgedFile file = honest;
    lie.tell(&file);
    const std::string message = ErrorOf(file.Bytes());
    EXPECT_NE(message.find(lie.named), std::string::npos) << lie.what << ": " << message;
    if (HasFailure()) FAIL() << lie.what;
  }
}

TEST_F(SafetensorsTest, BadHeadersAreErrors) {
  const std::string good = SmallBytes();
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"empty", ""},
      {"7 bytes", "1234567"},
      {"a length and nothing more", LengthBytes(2)},
      {"an empty header", PutTogether("", "")},
      {"no JSON", PutTogether("hello, world", "")},
      {"cut JSON", PutTogether(R"({"a": {"dtype")", "")},
      {"no object", PutTogether("[1, 2]", "")},
      {"only null", PutTogether("null", "")},
      {"no checksum", PutTogether("{}", "")},
      {"metadata that are a list", PutTogether(R"({"__metadata__": ["checksum"]})", "")},
      {"metadata that are numbers", PutTogether(R"({"__metadata__": {"checksum": 1}})", "")},
      {"a checksum too short", PutTogether(R"({"__metadata__":{"checksum":"0"}})", "")},
      {"bytes that are no UTF-8", PutTogether("{\"\xFF\xFE\": {}}", "")},
      {"a header one byte too long", LengthBytes(good.size() - 7) + good.substr(8)},
      {"a header as long as can be", LengthBytes(~uint64_t{0}) + good.substr(8)},
      {"a header of a negative length", LengthBytes(uint64_t{1} << 63) + good.substr(8)},
      {"a header of 4 GiB", LengthBytes(uint64_t{1} << 32) + good.substr(8)},
      {"text", "The quick brown fox jumps over the lazy dog, again and again."},
  };
  for (const auto& [what, bytes] : cases) {
    ErrorOf(bytes);
    if (HasFailure()) FAIL() << what;
  }
}

// Each in a process of its own: a parser or printer that calls itself for each level would take
// this one down.
TEST_F(SafetensorsTest, DeepNestingIsAnError) {
  const std::string deep = std::string(200000, '[') + std::string(200000, ']');
  const std::string begin = R"({"__metadata__":{"checksum":"0000000000000000"},"a":)";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"the header", deep},
      {"a tensor", begin + deep + "}"},
      {"a type", begin + R"({"shape":[],"data_offsets":[0,4],"dtype":)" + deep + "}}"},
      {"a shape", begin + R"({"dtype":"F32","data_offsets":[0,4],"shape":)" + deep + "}}"},
      {"an offset", begin + R"({"dtype":"F32","shape":[],"data_offsets":[0,)" + deep + "]}}"},
      {"a text", R"({"__metadata__":{"checksum":)" + deep + "}}"},
  };
  for (const auto& [what, header] : cases) {
    WriteBytes(path_, PutTogether(header, "data"));
    EXPECT_EXIT(std::_Exit(ReadSafetensors(path_).ok() ? 1 : 0), ::testing::ExitedWithCode(0), "")
        << what;
  }
}

TEST_F(SafetensorsTest, FilesThatAreNoneAreErrors) {
  for (const std::string& path : {folder_.path(), folder_.File("missing"), folder_.File("a/b")}) {
    const absl::Status status = ReadSafetensors(path).status();
    EXPECT_FALSE(status.ok());
    EXPECT_NE(std::string(status.message()).find(path), std::string::npos) << status;
  }
}

}  // namespace
}  // namespace crossriver
