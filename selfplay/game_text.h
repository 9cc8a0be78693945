// Games as text for people and other programs.
#ifndef CROSSRIVER_SELFPLAY_GAME_TEXT_H_
#define CROSSRIVER_SELFPLAY_GAME_TEXT_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/rules.h"
#include "selfplay/record.h"

namespace crossriver {

struct GameTextOptions {
  // After each searched move, as a comment: the mover's chances to win, draw and lose, visits, and
  // "full" for a full search.
  bool opinions = true;
  // What a match adds to the record; empty: nothing, or what the record says.
  std::string event;
  std::string first;   // names of the players
  std::string second;  //
  std::string termination;
  std::optional<Result> result;  // the first player's, of a game that the record has none of
};

// PGN-like: headers, then numbered moves in the notation of core/notation.h, then the result, then
// an empty line. ImportGames reads it. Errors: those of ReplayRecord.
absl::StatusOr<std::string> FormatGameText(const Rules& rules, const GameRecord& record,
                                           const GameTextOptions& options = {});

// A JSON object with everything in the record, on one line without its end. Errors: the same.
absl::StatusOr<std::string> FormatGameJson(const Rules& rules, const GameRecord& record);

// "1-0", "0-1", "1/2-1/2", "*".
absl::string_view ResultScore(Result result);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_GAME_TEXT_H_
