#include "core/directions.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace crossriver {
namespace {

struct DirectionSet {
  const char* name;
  std::array<int, 3> shape;  // absolute components, largest first
  bool (*has)(Vec3);
};

bool Always(Vec3) { return true; }
bool IsForward(Vec3 v) { return v.rank > 0; }
bool IsBackward(Vec3 v) { return v.rank < 0; }
bool IsWithinRank(Vec3 v) { return v.rank == 0; }
bool ChangesRank(Vec3 v) { return v.rank != 0; }
bool IsTwoForward(Vec3 v) { return v.rank == 2; }

constexpr DirectionSet kSets[] = {
    {"orthogonal", {1, 0, 0}, Always},
    {"diagonal", {1, 1, 0}, Always},
    {"forward", {1, 0, 0}, IsForward},
    {"backward", {1, 0, 0}, IsBackward},
    {"sideways", {1, 0, 0}, IsWithinRank},
    {"forward_diagonal", {1, 1, 0}, IsForward},
    {"backward_diagonal", {1, 1, 0}, IsBackward},
    {"knight", {2, 1, 0}, ChangesRank},
    {"knight_within_rank", {2, 1, 0}, IsWithinRank},
    {"forward_knight", {2, 1, 0}, IsTwoForward},
};

std::array<int, 3> Shape(Vec3 v) {
  std::array<int, 3> shape = {std::abs(v.level), std::abs(v.file), std::abs(v.rank)};
  std::sort(shape.rbegin(), shape.rend());
  return shape;
}

}  // namespace

std::vector<Vec3> NamedDirections(absl::string_view name) {
  std::vector<Vec3> vectors;
  for (const DirectionSet& set : kSets) {
    if (name != set.name) continue;
    for (int level = -2; level <= 2; ++level) {
      for (int file = -2; file <= 2; ++file) {
        for (int rank = -2; rank <= 2; ++rank) {
          const Vec3 v = {level, file, rank};
          if (Shape(v) == set.shape && set.has(v)) vectors.push_back(v);
        }
      }
    }
  }
  return vectors;
}

const std::vector<std::string>& DirectionNames() {
  static const auto& names = *[] {
    auto* list = new std::vector<std::string>;
    for (const DirectionSet& set : kSets) list->push_back(set.name);
    return list;
  }();
  return names;
}

}  // namespace crossriver
