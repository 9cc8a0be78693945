// What the page shows of a run: how it stands, its curves, its games. Read-only.
#ifndef CROSSRIVER_TOOLS_SERVE_RUN_VIEW_H_
#define CROSSRIVER_TOOLS_SERVE_RUN_VIEW_H_

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/variant_group.h"
#include "selfplay/run_reader.h"

namespace crossriver {

inline constexpr int kMostListedGames = 1000;
inline constexpr size_t kMostMetricNames = 64;
// A longer curve is thinned out to about so many points.
inline constexpr size_t kMostCurvePoints = 2000;

// Holds no file open between calls: a run that is trained, moved or deleted meanwhile makes an
// error or a newer answer. Thread-safe.
class RunView {
 public:
  // `folder` must be a run. Errors: what RunDirectory and its variant say.
  static absl::StatusOr<std::unique_ptr<RunView>> Open(const std::string& folder);

  const std::string& folder() const { return folder_; }
  const VariantGroup& variants() const { return variants_; }
  // Of the first of them, of which the tree of openings is.
  const std::shared_ptr<const Rules>& rules() const { return variants_.first(); }

  // {"folder", "variant", "training", "games", "rows", "checkpoints": [{"number", "generation",
  // "step", "games", "kept"}], "metrics": [NAME]}. A run without a database yet has no games.
  absl::StatusOr<nlohmann::ordered_json> Overview() const;
  // {NAME: [[generation, value]]}; names that there are not have no points. Numbers that are none
  // are left out. Errors: more than kMostMetricNames names.
  absl::StatusOr<nlohmann::ordered_json> Curves(const std::vector<std::string>& names) const;
  // The newest first: [{"id", "variant", "generation", "checkpoint", "plies", "winner", "end",
  // "start"}].
  absl::StatusOr<nlohmann::ordered_json> ListGames(int count) const;
  // {"id", "variant", "start", "winner", "end", "fens": [one a ply, and the last],
  //  "moves": [{"text", "from" …, "visits", "full", "checkpoint", "search": [win, draw, loss],
  //  "network": likewise, "policy": [[move, share]]}]}. Opinions are the mover's; null without one.
  absl::StatusOr<nlohmann::ordered_json> Game(uint64_t id) const;

  // A reader of its own for the caller. NotFound while the run has no database.
  absl::StatusOr<std::unique_ptr<RunReader>> NewReader() const;

 private:
  RunView(std::string folder, VariantGroup variants)
      : folder_(std::move(folder)), variants_(std::move(variants)) {}

  const std::string folder_;
  const VariantGroup variants_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_SERVE_RUN_VIEW_H_
