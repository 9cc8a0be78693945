// The size and parts of a network, and what they cost.
#ifndef CROSSRIVER_NN_NETWORK_OPTIONS_H_
#define CROSSRIVER_NN_NETWORK_OPTIONS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/rules.h"
#include "nn/features.h"
#include "nn/number_option.h"

namespace crossriver {

// How the trunk sees a board of several levels. On flat boards all are the same.
enum class Geometry : uint8_t {
  kUnfolded,  // 3x3 convolutions on the unfolded board
  kMixed,     // the same, and between blocks a mixing of the levels of each (file, rank) column
  kBox,       // 3x3x3 convolutions on the box
};

struct NetworkOptions {
  int channels = 64;
  int blocks = 6;  // of two convolutions each
  Geometry geometry = Geometry::kMixed;
  // Every so-manieth block adds what pooling over the whole board sees (KataGo's global pooling
  // bias, Wu 2019); 0 = none.
  int pooling_every = 3;
  int pooling_channels = 16;
  // Squeeze and excitation (Hu et al. 2018) at the end of each block, with so many hidden units;
  // 0 = none.
  int squeeze_units = 0;
  int policy_channels = 32;  // length of the vectors whose product scores a move
  int value_channels = 32;
  int value_units = 64;
  // Weights in the loss of heads that only training uses; 0 = the head is not there.
  double plies_left_weight = 0.1;
  double reply_weight = 0.15;

  friend bool operator==(const NetworkOptions&, const NetworkOptions&) = default;
};

// The options that are numbers, with their names in configs, checkpoints and messages and the range
// that is allowed.
using SizeOption = NumberOption<NetworkOptions, int>;
using WeightOption = NumberOption<NetworkOptions, double>;
const std::vector<SizeOption>& SizeOptions();
const std::vector<WeightOption>& WeightOptions();
const std::vector<std::pair<std::string, Geometry>>& Geometries();
const char* ToString(Geometry geometry);

// OK, or the first option out of its range.
absl::Status Validate(const NetworkOptions& options);

// "channels=64 blocks=6 …": every option, in a fixed order. ReadOptions is its inverse.
std::string WriteOptions(const NetworkOptions& options);
absl::StatusOr<NetworkOptions> ReadOptions(absl::string_view text);

// What a network takes from the variant.
struct NetworkShape {
  int planes = 0;
  int constants = 0;
  int ranks = 0;
  int levels = 0;
  int files = 0;
  int hand_kinds = 0;
  bool promotions = false;

  int columns() const { return levels * files; }
  int cells() const { return ranks * columns(); }
  // The vectors each cell has in the policy head: as start, as start with promotion, as end.
  int cell_vectors() const { return promotions ? 3 : 2; }

  friend bool operator==(const NetworkShape&, const NetworkShape&) = default;
};

NetworkShape ShapeOf(const Rules& rules, const FeatureSchema& schema);

// The column order a network of this geometry reads.
inline ColumnOrder ColumnsOf(Geometry geometry) {
  return geometry == Geometry::kBox ? ColumnOrder::kBox : ColumnOrder::kLetters;
}

// Numbers that training changes, in all heads.
int64_t CountParameters(const NetworkOptions& options, const NetworkShape& shape);

// Floating-point operations (two a multiplication with addition) to evaluate one position with
// `legal_moves` moves, without the heads that only training uses.
int64_t FlopsPerPosition(const NetworkOptions& options, const NetworkShape& shape, int legal_moves);

}  // namespace crossriver

#endif  // CROSSRIVER_NN_NETWORK_OPTIONS_H_
