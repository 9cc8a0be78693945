// The one-pass steps against loops that say the same in more words.
#include "nn/elementwise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "tests/random_positions.h"

namespace crossriver {
namespace {

using testing::Random;

float FromBits(uint32_t bits) { return std::bit_cast<float>(bits); }

// The bfloat16 number nearest to a finite `value`, found by comparing distances.
float NearestBFloat16(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t below = bits & 0xFFFF0000;  // in magnitude
  const uint32_t above = below + 0x10000;
  // Beyond the largest number, the next step of the exponent stands for infinity.
  const double high = (above & 0x7F800000) == 0x7F800000
                          ? std::copysign(std::ldexp(1.0, 128), value)
                          : double{FromBits(above)};
  const double to_low = std::abs(double{value} - double{FromBits(below)});
  const double to_high = std::abs(high - double{value});
  if (to_low == to_high) return FromBits((below >> 16 & 1) == 0 ? below : above);
  return FromBits(to_low < to_high ? below : above);
}

float Number(Random* random) { return static_cast<float>(random->Between(-4000, 4000)) / 777.0F; }

template <typename T>
T Of(float value) {
  if constexpr (std::is_same_v<T, float>) {
    return value;
  } else {
    return {static_cast<uint16_t>(std::bit_cast<uint32_t>(NearestBFloat16(value)) >> 16)};
  }
}

template <typename T>
std::vector<T> Numbers(size_t size, Random* random) {
  std::vector<T> numbers;
  for (size_t i = 0; i < size; ++i) numbers.push_back(Of<T>(Number(random)));
  return numbers;
}

TEST(BFloat16Test, RoundsToTheNearest) {
  struct Case {
    uint32_t value;
    uint16_t rounded;
    const char* what;
  };
  const std::vector<Case> cases = {
      {0x00000000, 0x0000, "zero"},
      {0x80000000, 0x8000, "minus zero"},
      {0x3F800000, 0x3F80, "one"},
      {0x3F807FFF, 0x3F80, "just below the middle"},
      {0x3F808000, 0x3F80, "the middle, down to even"},
      {0x3F808001, 0x3F81, "just above the middle"},
      {0x3F818000, 0x3F82, "the middle, up to even"},
      {0xBF808000, 0xBF80, "the same, negative"},
      {0xBF818000, 0xBF82, "the same, negative, up"},
      {0x3FFF8000, 0x4000, "the middle, into the next exponent"},
      {0x00008000, 0x0000, "a denormal middle"},
      {0x00018000, 0x0002, "a denormal middle, up"},
      {0x7F7FFFFF, 0x7F80, "the largest float"},
      {0x7F800000, 0x7F80, "infinity"},
      {0xFF800000, 0xFF80, "minus infinity"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(BFloat16::Round(FromBits(c.value)).bits, c.rounded) << c.what;
  }
}

TEST(BFloat16Test, RoundsAnyNumberAsDistancesSay) {
  Random random(11);
  for (int i = 0; i < 20000; ++i) {
    auto bits = static_cast<uint32_t>(random.Below(size_t{1} << 32));
    if (i % 4 == 0) bits = (bits & 0xFFFF0000) | 0x8000;  // ties
    const float value = FromBits(bits);
    if (!std::isfinite(value)) continue;
    EXPECT_EQ(std::bit_cast<uint32_t>(float{BFloat16::Round(value)}),
              std::bit_cast<uint32_t>(NearestBFloat16(value)))
        << std::hex << bits;
  }
}

TEST(BFloat16Test, ValueIsTheUpperHalfOfAFloat) {
  for (uint32_t bits = 0; bits < 0x7F80; bits += 7) {
    const BFloat16 number{static_cast<uint16_t>(bits)};
    EXPECT_EQ(std::bit_cast<uint32_t>(float{number}), bits << 16);
    EXPECT_EQ(BFloat16::Round(number).bits, bits);
  }
}

template <typename T>
class ElementwiseTest : public ::testing::Test {};

using Types = ::testing::Types<float, BFloat16>;
TYPED_TEST_SUITE(ElementwiseTest, Types);

// What comes behind the numbers must stay.
template <typename T>
void ExpectUntouched(const std::vector<T>& values, size_t size, float guard) {
  for (size_t i = size; i < values.size(); ++i) EXPECT_EQ(float{values[i]}, guard) << i;
}

constexpr float kGuard = -3;  // exact in every type
constexpr size_t kGuards = 40;

TYPED_TEST(ElementwiseTest, AddAndRectify) {
  Random random(1);
  for (const size_t size :
       std::initializer_list<size_t>{0, 1, 2, 7, 15, 16, 17, 31, 33, 64, 100, 257}) {
    const std::vector<TypeParam> x = Numbers<TypeParam>(size, &random);
    const std::vector<TypeParam> before = Numbers<TypeParam>(size, &random);
    std::vector<TypeParam> y = before;
    y.resize(size + kGuards, Of<TypeParam>(kGuard));
    AddAndRectify(x.data(), size, y.data());
    for (size_t i = 0; i < size; ++i) {
      const float sum = float{before[i]} + float{x[i]};
      EXPECT_EQ(float{y[i]}, sum > 0 ? float{Of<TypeParam>(sum)} : 0.0F) << size << " at " << i;
    }
    ExpectUntouched(y, size, kGuard);
  }
}

std::vector<BoardArray> Shapes() {
  return {{1, 1, 1}, {2, 3, 5}, {3, 90, 16}, {1, 108, 17}, {4, 25, 33}, {2, 10, 48}, {0, 90, 16}};
}

TYPED_TEST(ElementwiseTest, ShiftAndRectify) {
  Random random(2);
  for (const BoardArray& shape : Shapes()) {
    const std::vector<float> shift = Numbers<float>(shape.batch * shape.channels, &random);
    const std::vector<TypeParam> before = Numbers<TypeParam>(shape.size(), &random);
    std::vector<TypeParam> y = before;
    y.resize(shape.size() + kGuards, Of<TypeParam>(kGuard));
    ShiftAndRectify(shift.data(), shape, y.data());
    for (size_t i = 0; i < shape.size(); ++i) {
      const size_t channel = i % shape.channels;
      const size_t board = i / shape.channels / shape.cells;
      const float sum = float{before[i]} + shift[board * shape.channels + channel];
      EXPECT_EQ(float{y[i]}, sum > 0 ? float{Of<TypeParam>(sum)} : 0.0F) << i;
    }
    ExpectUntouched(y, shape.size(), kGuard);
  }
}

TYPED_TEST(ElementwiseTest, RectifyAndPool) {
  Random random(3);
  for (const BoardArray& shape : Shapes()) {
    for (const size_t pooled : {size_t{1}, shape.channels / 2, shape.channels}) {
      if (pooled == 0) continue;
      const std::vector<TypeParam> y = Numbers<TypeParam>(shape.size(), &random);
      std::vector<float> out(shape.batch * 2 * pooled + kGuards, kGuard);
      RectifyAndPool(y.data(), shape, pooled, out.data());
      for (size_t b = 0; b < shape.batch; ++b) {
        for (size_t c = 0; c < pooled; ++c) {
          double sum = 0;
          float maximum = 0;
          for (size_t cell = 0; cell < shape.cells; ++cell) {
            const float value = y[(b * shape.cells + cell) * shape.channels + c];
            sum += value > 0 ? double{value} : 0.0;
            if (value > maximum) maximum = value;
          }
          const float* const at = &out[b * 2 * pooled];
          EXPECT_NEAR(double{at[c]}, sum / static_cast<double>(shape.cells), 1e-5);
          EXPECT_EQ(at[pooled + c], maximum);
        }
      }
      ExpectUntouched(out, shape.batch * 2 * pooled, kGuard);
    }
  }
}

// A permutation of a board's cells.
std::vector<int32_t> CellOrder(size_t cells, Random* random) {
  std::vector<int32_t> order(cells);
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = 1; i < cells; ++i) std::swap(order[i], order[random->Below(i + 1)]);
  return order;
}

TYPED_TEST(ElementwiseTest, GatherCells) {
  Random random(4);
  for (const BoardArray& shape : Shapes()) {
    const std::vector<int32_t> order = CellOrder(shape.cells, &random);
    const std::vector<TypeParam> x = Numbers<TypeParam>(shape.size(), &random);
    std::vector<TypeParam> out(shape.size() + kGuards, Of<TypeParam>(kGuard));
    GatherCells(x.data(), shape, order.data(), out.data());
    for (size_t i = 0; i < shape.size(); ++i) {
      const size_t cell = i / shape.channels % shape.cells;
      const size_t from = i - (cell - static_cast<size_t>(order[cell])) * shape.channels;
      EXPECT_EQ(float{out[i]}, float{x[from]}) << i;
    }
    ExpectUntouched(out, shape.size(), kGuard);
  }
}

TYPED_TEST(ElementwiseTest, ScatterAddAndRectify) {
  Random random(5);
  for (const BoardArray& shape : Shapes()) {
    const std::vector<int32_t> order = CellOrder(shape.cells, &random);
    const std::vector<TypeParam> x = Numbers<TypeParam>(shape.size(), &random);
    const std::vector<TypeParam> before = Numbers<TypeParam>(shape.size(), &random);
    std::vector<TypeParam> y = before;
    y.resize(shape.size() + kGuards, Of<TypeParam>(kGuard));
    ScatterAddAndRectify(x.data(), shape, order.data(), y.data());
    for (size_t i = 0; i < shape.size(); ++i) {
      const size_t cell = i / shape.channels % shape.cells;
      const size_t to = i - (cell - static_cast<size_t>(order[cell])) * shape.channels;
      const float sum = float{before[to]} + float{x[i]};
      EXPECT_EQ(float{y[to]}, sum > 0 ? float{Of<TypeParam>(sum)} : 0.0F) << i;
    }
    ExpectUntouched(y, shape.size(), kGuard);
  }
}

TYPED_TEST(ElementwiseTest, AllNegativeIsAllZero) {
  const BoardArray shape = {1, 9, 16};
  std::vector<TypeParam> y(shape.size(), Of<TypeParam>(-2));
  std::vector<float> out(32, kGuard);
  RectifyAndPool(y.data(), shape, 16, out.data());
  for (const float value : out) EXPECT_EQ(value, 0.0F);
}

}  // namespace
}  // namespace crossriver
