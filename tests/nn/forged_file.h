// Safetensors files taken apart, changed and put together again by a reader and writer of the
// tests' own, which know the published layout and our checksum from nn/safetensors.h alone.
#ifndef CROSSRIVER_TESTS_NN_FORGED_FILE_H_
#define CROSSRIVER_TESTS_NN_FORGED_FILE_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace crossriver::testing {

struct ForgedFile {
  nlohmann::json header;
  std::string data;

  nlohmann::json& metadata() { return header["__metadata__"]; }
  // The names of the tensors in the order of their bytes.
  std::vector<std::string> TensorNames() const;
  std::string BytesOf(const std::string& tensor) const;
  // With a checksum that is right, if there is one among the metadata.
  std::string Bytes() const;
};

// Aborts where `bytes` is no such file at all.
ForgedFile TakeApart(const std::string& bytes);

// A file of any header text. A text of 16 zeros under "checksum" becomes the right one.
std::string PutTogether(const std::string& header, const std::string& data);

// The file's checksum as it ought to be.
std::string ChecksumOf(const std::string& bytes);

// The length that the first 8 bytes give.
uint64_t HeaderLength(const std::string& bytes);
std::string LengthBytes(uint64_t length);

}  // namespace crossriver::testing

#endif  // CROSSRIVER_TESTS_NN_FORGED_FILE_H_
