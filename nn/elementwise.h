// The cheap steps between convolutions, each in one pass over memory where LibTorch needs two or
// three: for arrays on the CPU whose channels lie side by side, [B, cells, C]. Needs no LibTorch.
#ifndef CROSSRIVER_NN_ELEMENTWISE_H_
#define CROSSRIVER_NN_ELEMENTWISE_H_

#include <bit>
#include <cstddef>
#include <cstdint>

namespace crossriver {

// A bfloat16 number by its bits: the upper half of a float's.
struct BFloat16 {
  uint16_t bits;

  operator float() const { return std::bit_cast<float>(uint32_t{bits} << 16); }
  // Rounds to the nearest, ties to even. Not for NaN.
  static BFloat16 Round(float value) {
    const auto bits = std::bit_cast<uint32_t>(value);
    return {static_cast<uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16)};
  }
};

struct BoardArray {
  size_t batch = 0;
  size_t cells = 0;
  size_t channels = 0;

  size_t size() const { return batch * cells * channels; }
};

// All are instantiated for float and BFloat16.

// y = max(0, y + x), where both have `size` numbers.
template <typename T>
void AddAndRectify(const T* x, size_t size, T* y);

// y[b, cell, c] = max(0, y[b, cell, c] + shift[b, c]).
template <typename T>
void ShiftAndRectify(const float* shift, const BoardArray& shape, T* y);

// out[b, i] = x[b, order[i]] and y[b, order[i]] = max(0, y[b, order[i]] + x[b, i]) for all
// channels; `order` is a permutation of the cells.
template <typename T>
void GatherCells(const T* x, const BoardArray& shape, const int32_t* order, T* out);
template <typename T>
void ScatterAddAndRectify(const T* x, const BoardArray& shape, const int32_t* order, T* y);

// Mean and maximum over the cells of the first `pooled` channels of max(0, y): out[b, 0 ..
// pooled-1] and out[b, pooled .. 2*pooled-1].
template <typename T>
void RectifyAndPool(const T* y, const BoardArray& shape, size_t pooled, float* out);

}  // namespace crossriver

#endif  // CROSSRIVER_NN_ELEMENTWISE_H_
