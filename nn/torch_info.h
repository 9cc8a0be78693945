// Which LibTorch this program runs on.
#ifndef CROSSRIVER_NN_TORCH_INFO_H_
#define CROSSRIVER_NN_TORCH_INFO_H_

#include <string>

namespace crossriver {

// "1.13.1, threads 2, MKL-DNN yes, CUDA no": the version compiled against and what it found.
std::string TorchInfo();

}  // namespace crossriver

#endif  // CROSSRIVER_NN_TORCH_INFO_H_
