// The search of an engine: in slices, so that it can report in between and hear that its limits
// have changed.
#ifndef CROSSRIVER_TOOLS_ENGINE_SEARCH_H_
#define CROSSRIVER_TOOLS_ENGINE_SEARCH_H_

#include <cstdint>
#include <memory>
#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/rules.h"
#include "mcts/mate_probe.h"
#include "mcts/parallel_search.h"
#include "tools/engine_control.h"
#include "tools/evaluator_choice.h"
#include "tools/game_input.h"

namespace crossriver {

struct EngineLimits {
  int64_t visits = kNoLimit;
  absl::Duration time = absl::InfiniteDuration();  // counts as EngineControl says
};

struct EngineReport {
  SearchResult result;
  int64_t visits = 0;   // since the search began
  absl::Duration time;  // likewise
  absl::Status status;  // an error of the evaluator, which has ended the search
};

// One thread at a time. The tree is kept from search to search as far as the game goes on.
class EngineSearch {
 public:
  // `evaluator` must outlive the search and not be used by others meanwhile.
  EngineSearch(std::shared_ptr<const Rules> rules, const ChosenEvaluator& evaluator,
               const SearchOptions& options, int threads, int batch);

  // `game` is of the same rules.
  void SetGame(const GameInput& game);
  void Forget() { search_.Forget(); }
  // What a draw is worth to the side to move, and the positions of a look for a forced win before
  // each search; 0 = none.
  void SetPlay(float draw_score, int64_t mate_nodes);
  size_t tree_bytes() const { return options_.tree_bytes; }

  // Searches the last position of the game, between Begin and End of `control`, until a limit is
  // reached, the result is known for certain, or `control` stops it: then the calls of the
  // evaluator that are under way come back, and no more are made. Calls `on_report` with growing
  // pauses and at the end. The result has a move wherever there is a legal one, also after an
  // error.
  EngineReport Run(const EngineLimits& limits, EngineControl* control,
                   absl::FunctionRef<void(const EngineReport&)> on_report);

 private:
  // `visits` are those of the whole search, which bound the look for a win too.
  bool Probe(const SearchLimits& limits, int64_t visits);
  void RunSlice(const SearchLimits& limits, EngineReport* report);

  const std::shared_ptr<const Rules> rules_;
  SearchOptions options_;
  Search search_;
  EngineControl* control_ = nullptr;  // of the search that runs
  ParallelSearch driver_;
  int64_t mate_nodes_ = 0;
  std::optional<MateProbe> mate_probe_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_ENGINE_SEARCH_H_
