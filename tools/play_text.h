// What a game at the terminal says.
#ifndef CROSSRIVER_TOOLS_PLAY_TEXT_H_
#define CROSSRIVER_TOOLS_PLAY_TEXT_H_

#include <string>

#include "absl/status/statusor.h"
#include "core/evaluator.h"
#include "core/types.h"
#include "mcts/result.h"
#include "tools/play_game.h"

namespace crossriver {

// "first (uppercase)".
std::string SideText(Side side);

// The board as `person` sees it, hands, the last move marked, and check.
std::string BoardText(const PlayedGame& game, Side person, bool flipped, bool coloured);

// "Checkmate: you win." of a game that is over.
std::string EndText(const PlayedGame& game, Side person);

// "win 63 %, draw 10 %, loss 27 %".
std::string ChancesText(const Wdl& wdl);

// The first `most` moves of a search that it has an opinion of, with that opinion, a line each.
std::string HintText(const Position& position, const SearchResult& result, int most);

// The game as text that ImportGames reads, with who played. `forfeited` is one that the opponent's
// failure has ended. Errors: those of FormatGameText.
absl::StatusOr<std::string> SavedText(const PlayedGame& game, Side person,
                                      const std::string& opponent, bool forfeited);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_PLAY_TEXT_H_
