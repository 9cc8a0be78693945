#include "selfplay/players/take_turn.h"

#include <algorithm>
#include <span>

#include "absl/strings/str_cat.h"
#include "core/check.h"
#include "core/notation.h"

namespace crossriver {

absl::StatusOr<Choice> TakeTurn(Seat* seat, Evaluator* evaluator, const Turn& turn,
                                const std::function<bool()>& interrupted) {
  if (absl::Status begun = seat->Begin(turn); !begun.ok()) return begun;
  Evaluation evaluation;
  for (;;) {
    const absl::StatusOr<SeatState> state = seat->Advance();
    if (!state.ok()) return state.status();
    if (*state == SeatState::kChosen) break;
    if (interrupted()) {
      seat->Cancel();
      return absl::CancelledError("interrupted");
    }
    CR_CHECK(evaluator != nullptr);
    const EvaluationRequest request = seat->request();
    const absl::Status status = evaluator->Evaluate({&request, 1}, {&evaluation, 1});
    if (!status.ok()) {
      seat->Cancel();
      return status;
    }
    seat->Deliver(evaluation);
  }
  const Choice choice = seat->choice();
  if (std::find(turn.legal.begin(), turn.legal.end(), choice.move) == turn.legal.end()) {
    return absl::InternalError(
        absl::StrCat("it chose a move that is not legal in ", FormatFen(*turn.position)));
  }
  return choice;
}

}  // namespace crossriver
