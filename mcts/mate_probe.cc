#include "mcts/mate_probe.h"

#include <algorithm>

#include "absl/time/clock.h"
#include "core/check.h"

namespace crossriver {
namespace {

constexpr int64_t kTableBytesPerNode = 64;  // two entries
constexpr int64_t kMostTableBytes = int64_t{16} << 20;

MateOptions OptionsFor(int64_t max_nodes) {
  CR_CHECK(max_nodes > 0);
  MateOptions options;
  options.max_nodes = max_nodes;
  options.table_bytes = static_cast<size_t>(
      std::min(max_nodes, kMostTableBytes / kTableBytesPerNode) * kTableBytesPerNode);
  return options;
}

}  // namespace

MateProbe::MateProbe(int64_t max_nodes) : solver_(OptionsFor(max_nodes)) {}

bool MateProbe::Run(Search* search, absl::FunctionRef<bool()> interrupted) {
  if (search->IsDone()) return false;
  const absl::Time deadline = absl::Now() + search->limits().time / 4;
  const MateResult result = solver_.Solve(search->root_position(), search->root_history(), [&] {
    return search->IsDone() || interrupted() || absl::Now() >= deadline;
  });
  if (result.answer != MateResult::Answer::kMate || result.line.empty()) return false;
  search->EndWithMate(result);
  return true;
}

}  // namespace crossriver
