// The features of a position by the names of planes and constants, for tests.
#ifndef CROSSRIVER_TESTS_NN_FEATURE_READER_H_
#define CROSSRIVER_TESTS_NN_FEATURE_READER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "nn/features.h"

namespace crossriver::testing {

using ConstantsByName = std::map<std::string, float>;

struct Features {
  std::map<std::string, std::vector<float>> planes;  // by cell
  ConstantsByName constants;

  friend bool operator==(const Features&, const Features&) = default;
};

// Encodes and takes the arrays apart as nn/features.h describes them. Also fails the running test
// where the encoder writes outside of them, or leaves anything of what was there before.
class FeatureReader {
 public:
  // `rules` must outlive it.
  FeatureReader(const Rules* rules, const InputLayout& layout);

  const FeatureEncoder& encoder() const { return encoder_; }
  Features Read(const Position& position, const FeatureContext& context,
                const Symmetry* symmetry = nullptr);

 private:
  float NumberAt(size_t index) const;

  const Rules* rules_;
  FeatureEncoder encoder_;
  std::vector<uint8_t> bytes_;
};

}  // namespace crossriver::testing

#endif  // CROSSRIVER_TESTS_NN_FEATURE_READER_H_
