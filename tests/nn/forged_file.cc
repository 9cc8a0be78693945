#include "tests/nn/forged_file.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "core/check.h"

namespace crossriver::testing {
namespace {

constexpr size_t kLengthBytes = 8;
constexpr size_t kDigits = 16;
const char kKey[] = R"("checksum":")";

}  // namespace

uint64_t HeaderLength(const std::string& bytes) {
  CR_CHECK(bytes.size() >= kLengthBytes);
  uint64_t length = 0;
  for (size_t i = kLengthBytes; i-- > 0;) {
    length = length << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return length;
}

std::string LengthBytes(uint64_t length) {
  std::string bytes;
  for (size_t i = 0; i < kLengthBytes; ++i) {
    bytes += static_cast<char>(static_cast<unsigned char>(length >> 8 * i & 0xFF));
  }
  return bytes;
}

ForgedFile TakeApart(const std::string& bytes) {
  const uint64_t length = HeaderLength(bytes);
  CR_CHECK(length <= bytes.size() - kLengthBytes);
  return {nlohmann::json::parse(bytes.substr(kLengthBytes, length)),
          bytes.substr(kLengthBytes + length)};
}

std::vector<std::string> ForgedFile::TensorNames() const {
  std::vector<std::pair<std::pair<uint64_t, uint64_t>, std::string>> order;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") continue;
    const auto& offsets = entry.at("data_offsets");
    order.push_back({{offsets.at(0).get<uint64_t>(), offsets.at(1).get<uint64_t>()}, name});
  }
  std::sort(order.begin(), order.end());
  std::vector<std::string> names;
  for (const auto& [offsets, name] : order) names.push_back(name);
  return names;
}

std::string ForgedFile::BytesOf(const std::string& tensor) const {
  const auto& offsets = header.at(tensor).at("data_offsets");
  const auto begin = offsets.at(0).get<uint64_t>();
  return data.substr(begin, offsets.at(1).get<uint64_t>() - begin);
}

std::string ForgedFile::Bytes() const {
  nlohmann::json blanked = header;
  const auto metadata = blanked.find("__metadata__");
  if (metadata != blanked.end() && metadata->is_object() && metadata->contains("checksum")) {
    (*metadata)["checksum"] = std::string(kDigits, '0');
  }
  return PutTogether(blanked.dump(), data);
}

std::string ChecksumOf(const std::string& bytes) {
  std::string blanked = bytes;
  const size_t at = blanked.find(kKey);
  if (at != std::string::npos) {
    blanked.replace(at + sizeof(kKey) - 1, kDigits, std::string(kDigits, '0'));
  }
  uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (const char byte : blanked) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 1099511628211U;
  }
  std::string digits(kDigits + 1, '\0');
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash));
  digits.pop_back();
  return digits;
}

std::string PutTogether(const std::string& header, const std::string& data) {
  std::string bytes = LengthBytes(header.size()) + header + data;
  const size_t at = bytes.find(kKey + std::string(kDigits, '0') + '"');
  if (at != std::string::npos) {
    bytes.replace(at + sizeof(kKey) - 1, kDigits, ChecksumOf(bytes));
  }
  return bytes;
}

}  // namespace crossriver::testing
