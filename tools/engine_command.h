// What user interfaces of board games send, taken apart: the commands of UCI and USI that have
// arguments. Nothing here knows a game.
#ifndef CROSSRIVER_TOOLS_ENGINE_COMMAND_H_
#define CROSSRIVER_TOOLS_ENGINE_COMMAND_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/types.h"
#include "tools/engine_clock.h"

namespace crossriver {

enum class Protocol : uint8_t {
  kUci,  // the Universal Chess Interface
  kUsi,  // its sister for shogi
};

// `go`, as it is to be carried out. Without any limit the search ends when it is stopped.
struct GoCommand {
  bool infinite = false;
  bool ponder = false;
  std::optional<int64_t> nodes;  // visits, at least 1
  std::optional<absl::Duration> move_time;
  std::optional<GameClock> clocks[kNumSides];
  std::optional<int> mate_plies;  // look for a forced win in so many plies
  std::optional<int> perft;       // plies; count leaves instead
  // What could not be understood and was left out. A command that names a limit gets one, if only
  // kFallbackVisits: whoever expects an answer must not be kept waiting by a word.
  std::vector<std::string> complaints;
};

inline constexpr int64_t kFallbackVisits = 10'000;
inline constexpr int kMostMatePlies = 199;
inline constexpr int kMostPerftPlies = 30;

// `arguments` is the line behind "go".
GoCommand ParseGo(Protocol protocol, absl::string_view arguments);

struct PositionCommand {
  std::string board;  // FEN or SFEN; empty = the start position
  std::string moves;  // separated by blanks
};

// The line behind "position": "startpos moves …", "fen … moves …", or in USI "sfen … moves …".
absl::StatusOr<PositionCommand> ParsePosition(Protocol protocol, absl::string_view arguments);

struct OptionSetting {
  std::string name;
  std::string value;  // empty where there is none, and for "<empty>"
};

// The line behind "setoption": "name NAME" or "name NAME value VALUE". Both may have blanks.
absl::StatusOr<OptionSetting> ParseSetOption(absl::string_view arguments);

// The first word of `text`, which goes on behind it; both without blanks around them.
absl::string_view TakeWord(absl::string_view* text);

// The beginning of what somebody sent, in quotes, fit for a message.
std::string Quoted(absl::string_view text);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_ENGINE_COMMAND_H_
