#include "nn/elementwise.h"

#include <algorithm>

namespace crossriver {
namespace {

template <typename T>
T Rounded(float value) {
  if constexpr (sizeof(T) == sizeof(float)) {
    return value;
  } else {
    return BFloat16::Round(value);
  }
}

}  // namespace

template <typename T>
void AddAndRectify(const T* x, size_t size, T* y) {
  for (size_t i = 0; i < size; ++i) {
    y[i] = Rounded<T>(std::max(0.0F, static_cast<float>(y[i]) + static_cast<float>(x[i])));
  }
}

template <typename T>
void ShiftAndRectify(const float* shift, const BoardArray& shape, T* y) {
  for (size_t b = 0; b < shape.batch; ++b, shift += shape.channels) {
    for (size_t cell = 0; cell < shape.cells; ++cell, y += shape.channels) {
      for (size_t c = 0; c < shape.channels; ++c) {
        y[c] = Rounded<T>(std::max(0.0F, static_cast<float>(y[c]) + shift[c]));
      }
    }
  }
}

template <typename T>
void GatherCells(const T* x, const BoardArray& shape, const int32_t* order, T* out) {
  for (size_t b = 0; b < shape.batch; ++b, x += shape.cells * shape.channels) {
    for (size_t i = 0; i < shape.cells; ++i, out += shape.channels) {
      std::copy_n(x + static_cast<size_t>(order[i]) * shape.channels, shape.channels, out);
    }
  }
}

template <typename T>
void ScatterAddAndRectify(const T* x, const BoardArray& shape, const int32_t* order, T* y) {
  for (size_t b = 0; b < shape.batch; ++b, y += shape.cells * shape.channels) {
    for (size_t i = 0; i < shape.cells; ++i, x += shape.channels) {
      AddAndRectify(x, shape.channels, y + static_cast<size_t>(order[i]) * shape.channels);
    }
  }
}

template <typename T>
void RectifyAndPool(const T* y, const BoardArray& shape, size_t pooled, float* out) {
  for (size_t b = 0; b < shape.batch; ++b, out += 2 * pooled) {
    float* const mean = out;
    float* const maximum = out + pooled;
    std::fill(out, out + 2 * pooled, 0.0F);
    for (size_t cell = 0; cell < shape.cells; ++cell, y += shape.channels) {
      for (size_t c = 0; c < pooled; ++c) {
        const float value = std::max(0.0F, static_cast<float>(y[c]));
        mean[c] += value;
        maximum[c] = std::max(maximum[c], value);
      }
    }
    for (size_t c = 0; c < pooled; ++c) mean[c] /= static_cast<float>(shape.cells);
  }
}

template void AddAndRectify(const float*, size_t, float*);
template void AddAndRectify(const BFloat16*, size_t, BFloat16*);
template void ShiftAndRectify(const float*, const BoardArray&, float*);
template void ShiftAndRectify(const float*, const BoardArray&, BFloat16*);
template void GatherCells(const float*, const BoardArray&, const int32_t*, float*);
template void GatherCells(const BFloat16*, const BoardArray&, const int32_t*, BFloat16*);
template void ScatterAddAndRectify(const float*, const BoardArray&, const int32_t*, float*);
template void ScatterAddAndRectify(const BFloat16*, const BoardArray&, const int32_t*, BFloat16*);
template void RectifyAndPool(const float*, const BoardArray&, size_t, float*);
template void RectifyAndPool(const BFloat16*, const BoardArray&, size_t, float*);

}  // namespace crossriver
