// The texts in the header of a network file.
#ifndef CROSSRIVER_NN_CHECKPOINT_METADATA_H_
#define CROSSRIVER_NN_CHECKPOINT_METADATA_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "nn/checkpoint.h"

namespace crossriver {

// What the two kinds of files say under "kind".
inline constexpr char kNetworkKind[] = "crossriver network";
inline constexpr char kOptimizerKind[] = "crossriver optimiser state";

using Metadata = std::map<std::string, std::string>;

Metadata WriteMetadata(const CheckpointInfo& info);
// Errors name the entry, not the file.
absl::StatusOr<CheckpointInfo> ReadMetadata(const Metadata& metadata);

// 16 hexadecimal digits, and back. Errors: anything else.
std::string WriteHash(uint64_t hash);
absl::StatusOr<uint64_t> ReadHash(const Metadata& metadata, const std::string& name);
absl::StatusOr<int64_t> ReadNumber(const Metadata& metadata, const std::string& name, int64_t min,
                                   int64_t max);
absl::StatusOr<std::string> ReadText(const Metadata& metadata, const std::string& name);
// That the file is of the given kind and of a format this program knows.
absl::Status CheckKind(const Metadata& metadata, const std::string& kind);

}  // namespace crossriver

#endif  // CROSSRIVER_NN_CHECKPOINT_METADATA_H_
