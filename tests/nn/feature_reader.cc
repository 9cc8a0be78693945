#include "tests/nn/feature_reader.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace crossriver::testing {
namespace {

constexpr uint8_t kGuardByte = 0x5A;
constexpr size_t kGuards = 64;

// IEEE 754 half precision.
float FromHalf(uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int mantissa = bits & 1023;
  const float sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) return std::numeric_limits<float>::quiet_NaN();
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(mantissa), -24);
  return sign * std::ldexp(static_cast<float>(1024 + mantissa), exponent - 25);
}

}  // namespace

FeatureReader::FeatureReader(const Rules* rules, const InputLayout& layout)
    : rules_(rules), encoder_(rules, layout) {}

float FeatureReader::NumberAt(size_t index) const {
  const ElementType type = encoder_.layout().type;
  if (type == ElementType::kFloat32) {
    float number = 0;
    std::memcpy(&number, &bytes_[4 * index], 4);
    return number;
  }
  uint16_t bits = 0;
  std::memcpy(&bits, &bytes_[2 * index], 2);
  if (type == ElementType::kFloat16) return FromHalf(bits);
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

Features FeatureReader::Read(const Position& position, const FeatureContext& context,
                             const Symmetry* symmetry) {
  const FeatureSchema& schema = encoder_.schema();
  const auto num_planes = static_cast<size_t>(schema.num_planes());
  const auto cells = static_cast<size_t>(rules_->num_cells());
  bytes_.assign(encoder_.plane_bytes() + kGuards, kGuardByte);
  constexpr float kGuardNumber = 12345;
  std::vector<float> constants(schema.constants().size() + kGuards, kGuardNumber);
  encoder_.Encode(position, context, symmetry, bytes_.data(), constants.data());
  for (size_t i = 0; i < kGuards; ++i) {
    EXPECT_EQ(bytes_[encoder_.plane_bytes() + i], kGuardByte);
    EXPECT_EQ(constants[schema.constants().size() + i], kGuardNumber);
  }
  Features features;
  for (size_t plane = 0; plane < num_planes; ++plane) {
    std::vector<float>& numbers = features.planes[schema.planes()[plane]];
    for (Cell cell = 0; cell < rules_->num_cells(); ++cell) {
      const auto place = static_cast<size_t>(encoder_.PlaceOf(cell));
      numbers.push_back(NumberAt(encoder_.layout().channels_last ? place * num_planes + plane
                                                                 : plane * cells + place));
    }
  }
  for (size_t i = 0; i < schema.constants().size(); ++i) {
    features.constants[schema.constants()[i]] = constants[i];
  }
  return features;
}

}  // namespace crossriver::testing
