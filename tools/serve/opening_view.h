// The tree of openings that training keeps in a run's database, as the page explores it.
#ifndef CROSSRIVER_TOOLS_SERVE_OPENING_VIEW_H_
#define CROSSRIVER_TOOLS_SERVE_OPENING_VIEW_H_

#include <string>

#include "absl/status/statusor.h"
#include "core/position.h"
#include "selfplay/openings/opening_tree.h"
#include "tools/serve/run_view.h"

namespace crossriver {

struct ExploredPosition {
  OpeningPosition position;  // without moves where nobody came
  std::string note;          // what the figures are of, for people
};

// Opens the tree anew for each question, as RunView does its reader, so that it may grow meanwhile.
// Reading never makes one: a run without a tree is answered by a note that says how to.
// Thread-safe.
class OpeningView {
 public:
  // `run` must outlive it.
  explicit OpeningView(const RunView* run) : run_(*run) {}
  // `position` must be of the run's rules.
  absl::StatusOr<ExploredPosition> At(const Position& position) const;

 private:
  const RunView& run_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_SERVE_OPENING_VIEW_H_
