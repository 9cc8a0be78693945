// Numbers and texts as bytes, and back without belief in what is read.
#ifndef CROSSRIVER_SELFPLAY_BYTES_H_
#define CROSSRIVER_SELFPLAY_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"

namespace crossriver {

// Appends to a string. Fixed sizes are little-endian.
class ByteWriter {
 public:
  void Byte(uint8_t value) { bytes_.push_back(static_cast<char>(value)); }
  void Fixed16(uint16_t value) { Fixed(value, 2); }
  void Fixed32(uint32_t value) { Fixed(value, 4); }
  void Fixed64(uint64_t value) { Fixed(value, 8); }
  // Seven bits a byte, lowest first.
  void Varint(uint64_t value) {
    for (; value >= 128; value >>= 7) Byte(static_cast<uint8_t>(value | 128));
    Byte(static_cast<uint8_t>(value));
  }
  // Small for small values of either sign.
  void Signed(int64_t value) {
    Varint(static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63));
  }
  void Text(absl::string_view text) {
    Varint(text.size());
    bytes_.append(text.data(), text.size());
  }

  const std::string& bytes() const { return bytes_; }
  std::string Take() { return std::move(bytes_); }

 private:
  void Fixed(uint64_t value, int size) {
    for (int i = 0; i < size; ++i) Byte(static_cast<uint8_t>(value >> 8 * i));
  }

  std::string bytes_;
};

// Reads what ByteWriter wrote. After the first thing that is not there or not well formed, ok() is
// false and everything reads as 0 or empty.
class ByteReader {
 public:
  explicit ByteReader(absl::string_view bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  size_t left() const { return bytes_.size(); }

  uint8_t Byte() { return static_cast<uint8_t>(Fixed(1)); }
  uint16_t Fixed16() { return static_cast<uint16_t>(Fixed(2)); }
  uint32_t Fixed32() { return static_cast<uint32_t>(Fixed(4)); }
  uint64_t Fixed64() { return Fixed(8); }
  uint64_t Varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const uint8_t byte = Byte();
      if (shift == 63 && byte > 1) break;
      value |= uint64_t{byte & 127U} << shift;
      if (byte < 128) return ok_ ? value : 0;
    }
    Fail();
    return 0;
  }
  // A number from 0 to `max`.
  uint64_t VarintUpTo(uint64_t max) {
    const uint64_t value = Varint();
    if (value > max) Fail();
    return ok_ ? value : 0;
  }
  int64_t Signed() {
    const uint64_t value = Varint();
    return static_cast<int64_t>(value >> 1 ^ (~(value & 1) + 1));
  }
  absl::string_view Text() {
    const uint64_t size = Varint();
    if (size > bytes_.size()) Fail();
    if (!ok_) return {};
    const absl::string_view text = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return text;
  }

 private:
  void Fail() {
    ok_ = false;
    bytes_ = {};
  }
  uint64_t Fixed(size_t size) {
    if (bytes_.size() < size) {
      Fail();
      return 0;
    }
    uint64_t value = 0;
    for (size_t i = 0; i < size; ++i) {
      value |= uint64_t{static_cast<uint8_t>(bytes_[i])} << 8 * i;
    }
    bytes_.remove_prefix(size);
    return value;
  }

  absl::string_view bytes_;
  bool ok_ = true;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_BYTES_H_
