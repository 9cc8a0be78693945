#include "core/adjudicator.h"

namespace crossriver {

Outcome AdjudicateNoMove(const Position& position, bool in_check) {
  if (in_check) return {Result::kLoss, Reason::kCheckmate};
  switch (position.rules().game().stalemate) {
    case StalemateRule::kDraw:
      return {Result::kDraw, Reason::kStalemate};
    case StalemateRule::kLoss:
      return {Result::kLoss, Reason::kStalemate};
    case StalemateRule::kWin:
      break;
  }
  return {Result::kWin, Reason::kStalemate};
}

Outcome AdjudicateRepetition(const Position& position, const History& history) {
  const GameRules& rules = position.rules().game();
  if (rules.repetitions == 0 || history.Occurrences() < rules.repetitions) return {};
  return JudgeRepetition(position, history);
}

Outcome JudgeRepetition(const Position& position, const History& history) {
  const GameRules& rules = position.rules().game();
  if (rules.perpetual_check == PerpetualCheckRule::kLoss) {
    const int first = history.FirstOccurrence();
    const bool mover = history.MoverCheckedSince(first);
    const bool opponent = history.OpponentCheckedSince(first);
    if (mover != opponent) {
      return {mover ? Result::kLoss : Result::kWin, Reason::kPerpetualCheck};
    }
  }
  if (rules.repetition == RepetitionRule::kDraw) return {Result::kDraw, Reason::kRepetition};
  const Side loser =
      rules.repetition == RepetitionRule::kFirstPlayerLoses ? Side::kFirst : Side::kSecond;
  return {position.side_to_move() == loser ? Result::kLoss : Result::kWin, Reason::kRepetition};
}

Outcome Adjudicate(const Position& position, const History& history, bool has_legal_move) {
  if (!has_legal_move) return AdjudicateNoMove(position, history.in_check());
  const Outcome repetition = AdjudicateRepetition(position, history);
  if (repetition.is_over()) return repetition;
  const int limit = position.rules().game().no_progress_plies;
  if (limit > 0 && position.no_progress() >= limit) return {Result::kDraw, Reason::kNoProgress};
  return {};
}

absl::string_view ToString(Result result) {
  switch (result) {
    case Result::kNone:
      return "";
    case Result::kWin:
      return "win";
    case Result::kLoss:
      return "loss";
    case Result::kDraw:
      return "draw";
  }
  return "";
}

absl::string_view ToString(Reason reason) {
  switch (reason) {
    case Reason::kNone:
      return "";
    case Reason::kCheckmate:
      return "checkmate";
    case Reason::kStalemate:
      return "stalemate";
    case Reason::kRepetition:
      return "repetition";
    case Reason::kPerpetualCheck:
      return "perpetual_check";
    case Reason::kNoProgress:
      return "no_progress";
  }
  return "";
}

}  // namespace crossriver
