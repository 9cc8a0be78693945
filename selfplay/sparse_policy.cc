#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/check.h"
#include "selfplay/record.h"

namespace crossriver {
namespace {

constexpr int64_t kWhole = 65535;
constexpr double kLeastShare = 0.5 / 4096;

bool LargerShare(const SparsePolicy::Entry& a, const SparsePolicy::Entry& b) {
  return a.share > b.share;
}

}  // namespace

SparsePolicy MakeSparsePolicy(std::span<const Move> moves, std::span<const float> target) {
  CR_CHECK(moves.size() == target.size());
  double total = 0;
  for (const float share : target) total += share;
  std::vector<size_t> kept;
  for (size_t i = 0; i < target.size(); ++i) {
    if (target[i] >= kLeastShare * total && target[i] > 0) kept.push_back(i);
  }
  std::stable_sort(kept.begin(), kept.end(),
                   [&](size_t a, size_t b) { return target[a] > target[b]; });
  // What is rounded is the sum so far: the listed shares together are off by half a unit at most,
  // and never more than the whole.
  SparsePolicy policy;
  policy.entries.reserve(kept.size());
  double sum = 0;
  int64_t given = 0;
  for (const size_t i : kept) {
    sum += target[i];
    const int64_t until =
        std::min<int64_t>(kWhole, std::llround(sum / total * static_cast<double>(kWhole)));
    policy.entries.push_back({moves[i], static_cast<uint16_t>(until - given)});
    given = until;
  }
  std::stable_sort(policy.entries.begin(), policy.entries.end(), LargerShare);
  return policy;
}

std::vector<float> ExpandPolicy(const SparsePolicy& policy, std::span<const Move> legal) {
  std::vector<SparsePolicy::Entry> by_move = policy.entries;
  std::sort(by_move.begin(), by_move.end(),
            [](const auto& a, const auto& b) { return a.move < b.move; });
  std::vector<float> shares(legal.size(), 0);
  std::vector<bool> listed(legal.size(), false);
  double sum = 0;
  size_t num_listed = 0;
  for (size_t i = 0; i < legal.size(); ++i) {
    const auto entry =
        std::lower_bound(by_move.begin(), by_move.end(), legal[i],
                         [](const SparsePolicy::Entry& e, Move move) { return e.move < move; });
    if (entry == by_move.end() || entry->move != legal[i]) continue;
    shares[i] = static_cast<float>(entry->share / static_cast<double>(kWhole));
    sum += shares[i];
    listed[i] = true;
    ++num_listed;
  }
  if (num_listed < legal.size() && sum < 1) {
    const double rest = (1 - sum) / static_cast<double>(legal.size() - num_listed);
    for (size_t i = 0; i < legal.size(); ++i) {
      if (!listed[i]) shares[i] = static_cast<float>(rest);
    }
  } else if (sum > 0) {
    for (float& share : shares) share = static_cast<float>(share / sum);
  }
  return shares;
}

}  // namespace crossriver
