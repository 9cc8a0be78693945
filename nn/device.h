// Where networks compute, and how this process is set up for it.
#ifndef CROSSRIVER_NN_DEVICE_H_
#define CROSSRIVER_NN_DEVICE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace crossriver {

struct DeviceChoice {
  bool cuda = false;
  int index = 0;  // of the CUDA device

  friend bool operator==(const DeviceChoice&, const DeviceChoice&) = default;
};

// "auto" (the first CUDA device, if any), "cpu" or "cuda:N". Errors: other words, and devices that
// are not there.
absl::StatusOr<DeviceChoice> ChooseDevice(absl::string_view name);
std::string ToString(const DeviceChoice& device);

// Workers to run on a device where nothing else is said: one a core, or one on a GPU.
int DefaultWorkers(const DeviceChoice& device);

// Whether the processor multiplies bfloat16 numbers itself.
bool ProcessorHasBFloat16();

// Makes malloc keep what it has: the arrays of a large batch would otherwise be returned to the
// system and fetched again at each evaluation, which costs up to two thirds of the speed. Call it
// before the first evaluation; it holds for the whole process.
void TuneMalloc();

// How many threads LibTorch may use for one operation. On CPUs one worker a core with one thread
// each is faster than any other division (see `crossriver bench infer`). Holds for the calling
// thread, and for threads that have not computed anything yet.
void SetIntraOpThreads(int threads);

}  // namespace crossriver

#endif  // CROSSRIVER_NN_DEVICE_H_
