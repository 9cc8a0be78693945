#include "nn/device.h"

#include <ATen/Parallel.h>
#include <malloc.h>
#include <torch/cuda.h>

#include <algorithm>
#include <thread>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "core/spelling.h"

namespace crossriver {

absl::StatusOr<DeviceChoice> ChooseDevice(absl::string_view name) {
  const int devices =
      torch::cuda::is_available() ? static_cast<int>(torch::cuda::device_count()) : 0;
  if (name == "cpu") return DeviceChoice{};
  if (name == "auto") return DeviceChoice{devices > 0, 0};
  int index = 0;
  if (name.substr(0, 5) != "cuda:" || !absl::SimpleAtoi(name.substr(5), &index) || index < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("unknown device '", Printable(name), "': expected auto, cpu or cuda:N"));
  }
  if (index >= devices) {
    return absl::NotFoundError(absl::StrCat(
        "device cuda:", index, " is not there: this LibTorch sees ", devices, " CUDA devices"));
  }
  return DeviceChoice{true, index};
}

std::string ToString(const DeviceChoice& device) {
  return device.cuda ? absl::StrCat("cuda:", device.index) : "cpu";
}

int DefaultWorkers(const DeviceChoice& device) {
  if (device.cuda) return 1;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

bool ProcessorHasBFloat16() {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_cpu_supports("avx512bf16") != 0;
#else
  return false;
#endif
}

void TuneMalloc() {
  // The largest threshold that glibc takes: half of a thread's heap.
  constexpr int kLargestThreshold = 32 << 20;
  mallopt(M_MMAP_THRESHOLD, kLargestThreshold);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

void SetIntraOpThreads(int threads) {
  // Concurrent calls with one number are harmless; the number is one for the whole process.
  if (at::get_num_threads() != threads) at::set_num_threads(threads);
}

}  // namespace crossriver
