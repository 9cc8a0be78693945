// Deterministic 64-bit keys and fingerprints, the same on every machine and in every build.
#ifndef CROSSRIVER_CORE_FINGERPRINT_H_
#define CROSSRIVER_CORE_FINGERPRINT_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "core/variant.h"

namespace crossriver {

// Pseudo-random 64-bit numbers (SplitMix64; Steele, Lea and Flood 2014).
class KeySequence {
 public:
  explicit constexpr KeySequence(uint64_t seed) : state_(seed) {}
  constexpr uint64_t Next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

 private:
  uint64_t state_;
};

// FNV-1a of a byte string.
uint64_t HashBytes(absl::string_view bytes);

// Of everything in a definition that decides how it plays, and of the ids and letters of its pieces
// and the names of its cells: not of its own id and name, the start position, or the toggles, whose
// effect is in the pieces.
uint64_t Fingerprint(const VariantDefinition& definition);

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_FINGERPRINT_H_
