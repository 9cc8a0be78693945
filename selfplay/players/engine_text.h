// What programs that play are told and what they say, in the protocols UCI and USI.
#ifndef CROSSRIVER_SELFPLAY_PLAYERS_ENGINE_TEXT_H_
#define CROSSRIVER_SELFPLAY_PLAYERS_ENGINE_TEXT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/evaluator.h"
#include "core/position.h"
#include "core/types.h"

namespace crossriver {

enum class EngineProtocol : uint8_t { kUci, kUsi };

// Where the protocols differ, but for positions and moves.
struct ProtocolWords {
  const char* hello;     // "uci"
  const char* hello_ok;  // "uciok"
  const char* new_game;
};
const ProtocolWords& WordsOf(EngineProtocol protocol);

// An option that a program has declared:
// "option name Hash type spin default 16 min 1 max 1024", "option name Style type combo var A var
// B".
struct EngineOption {
  std::string name;
  std::string type;  // check, spin, combo, button, string, filename, or what else it says
  std::optional<int64_t> least, most;
  std::vector<std::string> words;  // of a combo
};

// Nothing for other lines.
std::optional<EngineOption> ParseOptionLine(absl::string_view line);

// The line that sets an option. Errors: one that is not declared, with the nearest name, also of
// `other_names`; a value that the declaration excludes. "" is for buttons, and strings that are to
// be empty.
absl::StatusOr<std::string> SetOptionLine(const std::vector<EngineOption>& declared,
                                          const std::string& name, const std::string& value,
                                          const std::vector<std::string>& other_names);

// FEN as programs read it, with "- -" for castling and en passant.
std::string SixFieldFen(const Position& position);

// "position fen … moves …" or "position sfen … moves …". What a program takes for its start
// position need not be ours, so the position is always given. Error: USI of a variant without SFEN.
absl::StatusOr<std::string> PositionLine(EngineProtocol protocol, const Position& start,
                                         std::span<const Move> moves);

// What a program has said of the position it searches.
struct EngineInfo {
  std::optional<Wdl> wdl;  // the mover's view
  bool is_bound = false;   // `wdl` is of a score that is a bound
  int64_t nodes = 0;
};
// Takes in an "info" line; other lines and what can't be read change nothing. Of several lines of
// play the first counts. Probabilities are those it gives ("wdl"), or those of a forced mate. Of a
// score in centipawns alone they are a rough guess: no draws, and as points of Elo's scale (1978)
// P(win) = 1 / (1 + 10^(-cp / 400)).
void ReadInfoLine(absl::string_view line, EngineInfo* info);

// The move text of "bestmove MOVE …"; nothing for other lines. May be empty.
std::optional<std::string> ParseBestMoveLine(absl::string_view line);

// Text of a program for a message: a line that is not too long, in printable ASCII.
std::string QuotedFromEngine(absl::string_view text);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_PLAYERS_ENGINE_TEXT_H_
