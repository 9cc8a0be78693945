// Reading and writing of safetensors files. Includes LibTorch: keep it out of headers that others
// include.
//
// The published layout (https://huggingface.co/docs/safetensors): 8 bytes with the length of the
// header, little-endian; the header, a JSON object that gives each tensor's type, shape and
// [begin, end) in the data, and under "__metadata__" texts by name; the data, little-endian,
// without gaps. Ours have "checksum" among the texts: FNV-1a of the whole file with the 16 digits
// of the checksum taken as zeros. It makes any flipped bit of header or data noticed.
#ifndef CROSSRIVER_NN_SAFETENSORS_H_
#define CROSSRIVER_NN_SAFETENSORS_H_

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "nn/tensor_map.h"

namespace crossriver {

struct SafetensorsFile {
  std::map<std::string, std::string> metadata;  // without the checksum
  TensorMap tensors;                            // on the CPU
};

// Writes beside `path` and renames, with file and folder brought to the disk: at `path` there is at
// any time the old file or the new one, complete. Errors: the system's, with the path.
absl::Status WriteSafetensors(const std::string& path, const SafetensorsFile& file);

// Errors name the file and what is wrong with it. Nothing in a file is believed: lengths, offsets
// and shapes are checked against its size before they are used.
absl::StatusOr<SafetensorsFile> ReadSafetensors(const std::string& path);

}  // namespace crossriver

#endif  // CROSSRIVER_NN_SAFETENSORS_H_
