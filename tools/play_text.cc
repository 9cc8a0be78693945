#include "tools/play_text.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "selfplay/game_text.h"
#include "selfplay/match_game.h"
#include "tools/board_drawing.h"
#include "tools/play_moves.h"

namespace crossriver {
namespace {

// "Stalemate", "Draw by repetition", …: how the rules ended it.
std::string ReasonText(const PlayedGame& game) {
  switch (game.outcome().reason) {
    case Reason::kCheckmate:
      return "Checkmate";
    case Reason::kStalemate:
      return "Stalemate: no legal move";
    case Reason::kRepetition:
      return "The position has been repeated too often";
    case Reason::kPerpetualCheck:
      return "Perpetual check";
    case Reason::kNoProgress:
      return absl::StrCat(game.rules().game().no_progress_plies, " plies without progress");
    case Reason::kNone:
      break;
  }
  return "The game is over";
}

std::string ProofText(const Proof& proof) {
  if (proof.result == Result::kNone) return "";
  std::string text = absl::StrCat("; a certain ", ToString(proof.result));
  if (proof.distance >= 0) absl::StrAppend(&text, " in ", proof.distance, " plies");
  return text;
}

}  // namespace

std::string SideText(Side side) {
  return side == Side::kFirst ? "first (uppercase)" : "second (lowercase)";
}

std::string BoardText(const PlayedGame& game, Side person, bool flipped, bool coloured) {
  const Position& position = game.position();
  BoardStyle style{coloured, flipped, {}};
  if (!game.moves().empty()) {
    const Move last = game.moves().back();
    style.marked.Add(last.to());
    if (!last.is_drop()) style.marked.Add(last.from());
  }
  std::string text = DrawBoard(position, style);
  if (game.rules().has_drops()) {
    absl::StrAppend(&text, "\nYou hold: ", HandText(position, person),
                    "\nIt holds:  ", HandText(position, Other(person)), "\n");
  }
  if (game.in_check() && !game.is_over()) {
    absl::StrAppend(&text, game.mover() == person ? "You are in check.\n" : "It is in check.\n");
  }
  return text;
}

std::string EndText(const PlayedGame& game, Side person) {
  if (game.given_up().has_value()) {
    return *game.given_up() == person ? "You have given up: you lose." : "You win.";
  }
  const std::string reason = ReasonText(game);
  if (game.outcome().result == Result::kDraw) return absl::StrCat(reason, ": a draw.");
  const bool mover_wins = game.outcome().result == Result::kWin;
  return absl::StrCat(reason,
                      mover_wins == (game.mover() == person) ? ": you win." : ": you lose.");
}

std::string ChancesText(const Wdl& wdl) {
  const auto percent = [](float share) { return 100 * static_cast<double>(share); };
  return absl::StrFormat("win %.0f %%, draw %.0f %%, loss %.0f %%", percent(wdl.win),
                         percent(wdl.draw), percent(wdl.loss));
}

std::string HintText(const Position& position, const SearchResult& result, int most) {
  std::string text;
  for (const MoveResult& move : result.moves) {
    // After a mate that was found without a search nothing is known of the other moves.
    if (move.wdl.win + move.wdl.draw + move.wdl.loss <= 0) continue;
    if (most-- == 0) break;
    absl::StrAppend(&text, "  ", DescribeMove(position, move.move), ": ", ChancesText(move.wdl),
                    ProofText(move.proof), "\n");
  }
  return text;
}

absl::StatusOr<std::string> SavedText(const PlayedGame& game, Side person,
                                      const std::string& opponent, bool forfeited) {
  GameTextOptions options;
  options.event = "play";
  options.first = "person";
  options.second = opponent;
  if (person == Side::kSecond) std::swap(options.first, options.second);
  if (forfeited) options.termination = kEndForfeit;
  return FormatGameText(game.rules(), game.AsRecord(), options);
}

}  // namespace crossriver
