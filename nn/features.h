// What a network sees of a position: named planes, and numbers that hold for the whole board.
#ifndef CROSSRIVER_NN_FEATURES_H_
#define CROSSRIVER_NN_FEATURES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/history.h"
#include "core/position.h"
#include "core/rules.h"
#include "core/symmetry.h"
#include "core/variant_group.h"

namespace crossriver {

// The order of a board's columns in the arrays a network reads.
enum class ColumnOrder : uint8_t {
  kLetters,  // a, b, c, …: a folded board lies unfolded, [R, W] with W = all columns
  kBox,      // level by level, each from left to right: [R, L, F]
};

// The names and order of a variant's features, seen by the mover: the board is turned so that the
// mover moves toward higher ranks, and pieces are "own" or "enemy". Variants of one family have the
// same features; what tells them apart is among the constants.
//
// Planes (0 or 1 a cell):
//   "board"                    every cell: tells the board from the padding around it
//   "zone NAME", "enemy zone NAME"   the variant's zones and their mirror images, each set once
//   "promoted", "pending"      marks of pieces of either side; absent where there are none
//   "own KIND", "enemy KIND"   one of each kind; a pending piece counts as its own kind, marked
//
// Constants (one number for the whole board; the network's first layer spreads them over it, which
// equals a constant plane and costs a C-th of it):
//   "own hand KIND", "enemy hand KIND"   count / 8
//   "occurred 2 times", "occurred 3 times"   at least, now included: 0 or 1
//   "no progress"              count / limit, in steps of kNoProgressStep plies; 0 without a limit
//   "no-progress limit"        plies / 256; 0 = none
//   "in check"
//   "repetition value"         what the last repetition brings the mover: -1, 0 or 1
//   "rule repetitions"         the occurrence that ends a game / 4
//   "rule …", "toggle NAME"    0 or 1, what variants of a family may differ in
//
// Past moves are not among them: they would keep positions reached by different paths from sharing
// an evaluation. Immutable, thread-safe.
class FeatureSchema {
 public:
  // The step of the no-progress feature. The evaluation cache's bucket is the same by default, so
  // that positions which share an entry share their features too.
  static constexpr int kNoProgressStep = 16;

  explicit FeatureSchema(const Rules& rules);

  const std::vector<std::string>& planes() const { return planes_; }
  const std::vector<std::string>& constants() const { return constants_; }
  int num_planes() const { return static_cast<int>(planes_.size()); }
  int num_constants() const { return static_cast<int>(constants_.size()); }
  // Of the names, the board and the action space: equal where a network's inputs and outputs mean
  // the same.
  uint64_t hash() const { return hash_; }

 private:
  friend class FeatureEncoder;

  struct ZonePlane {
    int plane = 0;
    SquareSet cells;
  };

  int AddPlane(std::string name);
  void AddZones(const Rules& rules);
  void AddPieces(const Rules& rules);
  void AddConstant(const std::string& name, float value);
  void AddRuleConstants(const Rules& rules);

  std::vector<std::string> planes_;
  std::vector<std::string> constants_;
  uint64_t hash_ = 0;

  // For the encoder.
  std::vector<ZonePlane> zones_;
  int promoted_plane_ = -1;
  int pending_plane_ = -1;
  std::vector<int> piece_planes_;  // [kind][own = 0, enemy = 1]
  std::vector<uint8_t> promoted_;  // by kind
  std::vector<float> values_;      // of the constants; those of a position are 0
};

// Whether variants can share a network: an error names the first that has another schema.
absl::Status CheckSharedFeatures(const VariantGroup& variants);

// Numbers as the network's input has them, 16-bit ones by their bits.
enum class ElementType : uint8_t { kFloat32, kBFloat16, kFloat16 };

size_t BytesOf(ElementType type);
const char* ToString(ElementType type);

struct InputLayout {
  ElementType type = ElementType::kFloat32;
  bool channels_last = true;  // [R, W, P] a position, otherwise [P, R, W]
  ColumnOrder columns = ColumnOrder::kLetters;
};

// What the features depend on beside the position.
struct FeatureContext {
  int occurrences = 1;  // of the position in its game, now included
  bool in_check = false;
};

inline FeatureContext ContextOf(const History& history) {
  return {history.Occurrences(), history.in_check()};
}

// Writes features straight into a batch. Allocates nothing a position. Immutable, thread-safe.
class FeatureEncoder {
 public:
  // For positions of one variant or of several, which must have the same schema. The rules must
  // outlive it.
  FeatureEncoder(const Rules* rules, const InputLayout& layout);
  FeatureEncoder(const std::vector<const Rules*>& variants, const InputLayout& layout);

  const FeatureSchema& schema() const { return schema_; }
  const InputLayout& layout() const { return layout_; }
  // Bytes of the planes of one position.
  size_t plane_bytes() const { return background_.size(); }

  // Encodes a position as it looks under `symmetry` (null: as it is). `planes` takes plane_bytes()
  // bytes, `constants` schema().num_constants() numbers. The symmetry must be one of the
  // position's rules.
  void Encode(const Position& position, const FeatureContext& context, const Symmetry* symmetry,
              void* planes, float* constants) const;

  // Where a cell, as the first player sees it, lies in the network's order of cells, [R, W].
  int PlaceOf(Cell cell) const { return places_[static_cast<size_t>(cell)]; }

 private:
  template <typename Element>
  void EncodePieces(const Position& position, const Symmetry* symmetry, Element* planes) const;
  void EncodeConstants(const Position& position, const FeatureContext& context,
                       float* constants) const;
  const std::vector<float>& ValuesOf(const Rules& rules) const;
  template <typename Element>
  void FillBackground();

  // What the constants are in a variant, those of a position being 0.
  struct VariantValues {
    uint64_t rules_hash = 0;
    std::vector<float> values;
  };

  const Rules* rules_;  // the first variant's: its board and pieces are all variants'
  FeatureSchema schema_;
  std::vector<VariantValues> variants_;
  InputLayout layout_;
  std::vector<int> places_;          // by cell
  int cell_stride_ = 0;              // in elements
  int plane_stride_ = 0;             //
  std::vector<uint8_t> background_;  // the planes of an empty board
};

}  // namespace crossriver

#endif  // CROSSRIVER_NN_FEATURES_H_
