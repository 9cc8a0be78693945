#include "tools/serve/opening_view.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "selfplay/run_directory.h"

namespace crossriver {

absl::StatusOr<ExploredPosition> OpeningView::At(const Position& position) const {
  const absl::StatusOr<RunDirectory> run = RunDirectory::OpenReadOnly(run_.folder());
  if (!run.ok()) return run.status();
  const absl::StatusOr<std::unique_ptr<OpeningTree>> tree =
      OpeningTree::OpenFile(run->database_path(), run_.rules().get());
  if (absl::IsNotFound(tree.status()) || absl::IsFailedPrecondition(tree.status())) {
    ExploredPosition unknown;
    unknown.note = std::string(tree.status().message());
    return unknown;
  }
  if (!tree.ok()) return tree.status();
  const absl::StatusOr<OpeningState> state = (*tree)->State();
  if (!state.ok()) return state.status();
  absl::StatusOr<OpeningPosition> found = (*tree)->At(position);
  if (!found.ok()) return found.status();
  ExploredPosition explored;
  explored.position = *std::move(found);
  explored.note = absl::StrCat(state->games, " games, ", state->settings.max_ply,
                               " plies deep; positions of at least ", state->settings.min_games,
                               " games, mirror images together");
  return explored;
}

}  // namespace crossriver
