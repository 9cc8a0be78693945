#include "tools/engine_command.h"

#include <algorithm>
#include <array>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "core/spelling.h"

namespace crossriver {
namespace {

constexpr int64_t kMostMilliseconds = int64_t{1} << 50;
constexpr int64_t kMostVisits = int64_t{1} << 50;
constexpr size_t kQuotedBytes = 40;
constexpr size_t kMostComplaints = 10;  // of one command, before the rest of it is ignored
constexpr char kExpectedSetting[] = "setoption: expected name NAME value VALUE";

GameClock& ClockOf(Side side, GoCommand* go) {
  std::optional<GameClock>& clock = go->clocks[Index(side)];
  if (!clock.has_value()) clock.emplace();
  return *clock;
}

absl::Duration Milliseconds(int64_t count) {
  return absl::Milliseconds(std::clamp<int64_t>(count, 0, kMostMilliseconds));
}

int Clamped(int64_t value, int least, int most) {
  return static_cast<int>(std::clamp<int64_t>(value, least, most));
}

// White is the first player in UCI; in USI it is Black.
Side White(Protocol protocol) { return protocol == Protocol::kUci ? Side::kFirst : Side::kSecond; }

// A word that is followed by a number. UCI counts mates in moves of the side to move.
struct NumberWord {
  absl::string_view word;
  void (*take)(Protocol protocol, int64_t number, GoCommand* go);
};

constexpr NumberWord kNumberWords[] = {
    {"nodes", [](Protocol, int64_t number,
                 GoCommand* go) { go->nodes = std::clamp<int64_t>(number, 1, kMostVisits); }},
    {"movetime",
     [](Protocol, int64_t number, GoCommand* go) { go->move_time = Milliseconds(number); }},
    {"wtime", [](Protocol protocol, int64_t number,
                 GoCommand* go) { ClockOf(White(protocol), go).time = Milliseconds(number); }},
    {"btime",
     [](Protocol protocol, int64_t number, GoCommand* go) {
       ClockOf(Other(White(protocol)), go).time = Milliseconds(number);
     }},
    {"winc", [](Protocol protocol, int64_t number,
                GoCommand* go) { ClockOf(White(protocol), go).increment = Milliseconds(number); }},
    {"binc",
     [](Protocol protocol, int64_t number, GoCommand* go) {
       ClockOf(Other(White(protocol)), go).increment = Milliseconds(number);
     }},
    {"byoyomi",
     [](Protocol, int64_t number, GoCommand* go) {
       for (const Side side : kSides) ClockOf(side, go).byoyomi = Milliseconds(number);
     }},
    {"movestogo",
     [](Protocol, int64_t number, GoCommand* go) {
       constexpr int kMost = 10'000;
       for (const Side side : kSides) ClockOf(side, go).moves_to_go = Clamped(number, 0, kMost);
     }},
    {"perft", [](Protocol, int64_t number,
                 GoCommand* go) { go->perft = Clamped(number, 0, kMostPerftPlies); }},
};

const NumberWord* FindNumberWord(absl::string_view word) {
  const auto* const found =
      std::find_if(std::begin(kNumberWords), std::end(kNumberWords),
                   [word](const NumberWord& entry) { return entry.word == word; });
  return found == std::end(kNumberWords) ? nullptr : found;
}

constexpr std::array<absl::string_view, 4> kOtherWords = {"infinite", "ponder", "mate",
                                                          "searchmoves"};

bool IsGoWord(absl::string_view word) {
  return FindNumberWord(word) != nullptr ||
         std::find(kOtherWords.begin(), kOtherWords.end(), word) != kOtherWords.end();
}

std::vector<std::string> GoWords() {
  std::vector<std::string> words(kOtherWords.begin(), kOtherWords.end());
  for (const NumberWord& entry : kNumberWords) words.emplace_back(entry.word);
  return words;
}

// The number after a word of `go`. What is none stays where it is.
std::optional<int64_t> TakeNumber(absl::string_view word, absl::string_view* rest, GoCommand* go) {
  absl::string_view after = *rest;
  int64_t number = 0;
  if (absl::SimpleAtoi(TakeWord(&after), &number)) {
    *rest = after;
    return number;
  }
  after = *rest;
  const absl::string_view found = TakeWord(&after);
  // The next word of the command is not at fault.
  if (!found.empty() && !IsGoWord(found)) *rest = after;
  go->complaints.push_back(
      absl::StrCat("go: expected a number after '", word, "'",
                   found.empty() ? "" : absl::StrCat(", found ", Quoted(found))));
  return std::nullopt;
}

// UCI: "mate MOVES". USI: "mate", "mate MILLISECONDS" or "mate infinite".
void TakeMate(Protocol protocol, absl::string_view* rest, GoCommand* go) {
  if (protocol == Protocol::kUci) {
    const std::optional<int64_t> moves = TakeNumber("mate", rest, go);
    if (moves.has_value()) {
      constexpr int kMostMoves = (kMostMatePlies + 1) / 2;
      go->mate_plies = 2 * Clamped(*moves, 1, kMostMoves) - 1;
    }
    return;
  }
  go->mate_plies = kMostMatePlies;
  absl::string_view after = *rest;
  const absl::string_view word = TakeWord(&after);
  if (word.empty()) return;
  if (word == "infinite") {
    *rest = after;
  } else if (const auto time = TakeNumber("mate", rest, go); time.has_value()) {
    go->move_time = Milliseconds(*time);
  }
}

void TakeGoWord(Protocol protocol, absl::string_view word, absl::string_view* rest, GoCommand* go) {
  if (word == "infinite") {
    go->infinite = true;
  } else if (word == "ponder") {
    go->ponder = true;
  } else if (word == "mate") {
    TakeMate(protocol, rest, go);
  } else if (word == "searchmoves") {
    go->complaints.emplace_back("go: 'searchmoves' is not supported, all moves are searched");
    for (absl::string_view after = *rest; !after.empty() && !IsGoWord(TakeWord(&after));) {
      *rest = after;
    }
  } else if (const NumberWord* const entry = FindNumberWord(word); entry != nullptr) {
    const std::optional<int64_t> number = TakeNumber(word, rest, go);
    if (number.has_value()) entry->take(protocol, *number, go);
  } else {
    go->complaints.push_back(
        absl::StrCat("go: unknown word ", Quoted(word), Suggestion(word, GoWords())));
    // Its value, as in "depth 8".
    absl::string_view after = *rest;
    int64_t value = 0;
    if (absl::SimpleAtoi(TakeWord(&after), &value)) *rest = after;
  }
}

}  // namespace

absl::string_view TakeWord(absl::string_view* text) {
  *text = absl::StripAsciiWhitespace(*text);
  const auto* const end = std::find_if(text->begin(), text->end(),
                                       [](unsigned char c) { return absl::ascii_isspace(c); });
  const absl::string_view word = text->substr(0, static_cast<size_t>(end - text->begin()));
  *text = absl::StripAsciiWhitespace(text->substr(word.size()));
  return word;
}

std::string Quoted(absl::string_view text) {
  const bool cut = text.size() > kQuotedBytes;
  return absl::StrCat("'", Printable(text.substr(0, kQuotedBytes)), cut ? "…'" : "'");
}

GoCommand ParseGo(Protocol protocol, absl::string_view arguments) {
  GoCommand go;
  while (!(arguments = absl::StripAsciiWhitespace(arguments)).empty()) {
    if (go.complaints.size() == kMostComplaints) {
      go.complaints.emplace_back("go: the rest is ignored");
      break;
    }
    const absl::string_view word = TakeWord(&arguments);
    TakeGoWord(protocol, word, &arguments, &go);
  }
  const bool limited = go.nodes.has_value() || go.move_time.has_value() ||
                       go.clocks[0].has_value() || go.clocks[1].has_value() ||
                       go.mate_plies.has_value() || go.perft.has_value();
  if (limited) return go;
  if (go.complaints.empty() || go.infinite) {
    go.infinite = true;
  } else {
    go.nodes = kFallbackVisits;
  }
  return go;
}

absl::StatusOr<PositionCommand> ParsePosition(Protocol protocol, absl::string_view arguments) {
  const absl::string_view kind = protocol == Protocol::kUci ? "fen" : "sfen";
  absl::string_view rest = arguments;
  const absl::string_view first = TakeWord(&rest);
  PositionCommand command;
  if (first == kind) {
    while (!rest.empty()) {
      absl::string_view after = rest;
      const absl::string_view word = TakeWord(&after);
      if (word == "moves") break;
      absl::StrAppend(&command.board, command.board.empty() ? "" : " ", word);
      rest = after;
    }
    if (command.board.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("position: expected a position after '", kind, "'"));
    }
  } else if (first != "startpos") {
    return absl::InvalidArgumentError(
        absl::StrCat("position: expected startpos or ", kind, ", found ", Quoted(first)));
  }
  if (rest.empty()) return command;
  const absl::string_view word = TakeWord(&rest);
  if (word != "moves") {
    return absl::InvalidArgumentError(
        absl::StrCat("position: expected moves, found ", Quoted(word)));
  }
  command.moves = std::string(rest);
  return command;
}

absl::StatusOr<OptionSetting> ParseSetOption(absl::string_view arguments) {
  absl::string_view rest = arguments;
  if (TakeWord(&rest) != "name" || rest.empty()) {
    return absl::InvalidArgumentError(kExpectedSetting);
  }
  OptionSetting setting;
  while (!rest.empty()) {
    const absl::string_view word = TakeWord(&rest);
    if (word == "value") break;
    absl::StrAppend(&setting.name, setting.name.empty() ? "" : " ", word);
  }
  // As it stands: file names may have several blanks in a row.
  if (rest != "<empty>") setting.value = std::string(rest);
  if (setting.name.empty()) return absl::InvalidArgumentError(kExpectedSetting);
  return setting;
}

}  // namespace crossriver
