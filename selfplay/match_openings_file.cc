// Openings from text.
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "core/adjudicator.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "core/spelling.h"
#include "selfplay/match_openings.h"

namespace crossriver {
namespace {

using Json = nlohmann::json;

constexpr absl::string_view kArrayWord = "start";
constexpr absl::string_view kMovesWord = " moves";

// A line in words.
struct Words {
  std::string fen;  // empty: the array
  std::vector<std::string> moves;
};

absl::Status Unexpected(absl::string_view line) {
  constexpr size_t kShown = 80;
  return absl::InvalidArgumentError(absl::StrCat(
      "expected FEN, FEN moves m1 m2 …, or a JSON object with \"fen\" and \"moves\", found '",
      Printable(line.substr(0, kShown)), "'"));
}

absl::StatusOr<Words> WordsOfJson(absl::string_view line) {
  const Json json = Json::parse(line.begin(), line.end(), nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return Unexpected(line);
  Words words;
  if (const auto fen = json.find("fen"); fen != json.end()) {
    if (!fen->is_string()) return absl::InvalidArgumentError("\"fen\": expected a text");
    words.fen = fen->get<std::string>();
  }
  const auto moves = json.find("moves");
  if (moves == json.end()) return words;
  if (!moves->is_array()) return absl::InvalidArgumentError("\"moves\": expected a list of texts");
  for (const Json& move : *moves) {
    if (!move.is_string()) return absl::InvalidArgumentError("\"moves\": expected a list of texts");
    words.moves.push_back(move.get<std::string>());
  }
  return words;
}

absl::StatusOr<Words> WordsOf(absl::string_view line) {
  if (line.front() == '{') return WordsOfJson(line);
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(line, absl::MaxSplits(kMovesWord, 1));
  return Words{std::string(parts.first), absl::StrSplit(parts.second, ' ', absl::SkipEmpty())};
}

absl::StatusOr<MatchOpening> OpeningOf(const Rules& rules, absl::string_view line) {
  const absl::StatusOr<Words> words = WordsOf(line);
  if (!words.ok()) return words.status();
  const bool from_array = words->fen.empty() || words->fen == kArrayWord;
  absl::StatusOr<Position> start =
      from_array ? absl::StatusOr<Position>(StartPosition(rules)) : ParseFen(rules, words->fen);
  if (!start.ok()) return start.status();
  MatchOpening opening = {*start, {}};
  Position position = *std::move(start);
  History history(position);
  for (size_t i = 0;; ++i) {
    const Outcome outcome = Adjudicate(position, history, HasLegalMove(position));
    if (outcome.is_over()) {
      return absl::InvalidArgumentError(
          absl::StrCat("the game is over (", ToString(outcome.reason), ") after ", i,
                       " moves; expected a position in which it goes on"));
    }
    if (i == words->moves.size()) return opening;
    const absl::StatusOr<Move> move = ParseMove(position, words->moves[i]);
    if (!move.ok()) return move.status();
    opening.moves.push_back(*move);
    const UndoRecord undo = position.Do(*move);
    history.Push(position, undo);
  }
}

}  // namespace

absl::StatusOr<std::vector<MatchOpening>> ParseMatchOpenings(const Rules& rules,
                                                             absl::string_view text,
                                                             absl::string_view name) {
  std::vector<MatchOpening> openings;
  int number = 0;
  for (const absl::string_view whole_line : absl::StrSplit(text, '\n')) {
    ++number;
    const absl::string_view line = absl::StripAsciiWhitespace(whole_line);
    if (line.empty() || line.front() == '#') continue;
    absl::StatusOr<MatchOpening> opening = OpeningOf(rules, line);
    if (!opening.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat(name, ":", number, ": ", opening.status().message()));
    }
    openings.push_back(*std::move(opening));
  }
  if (openings.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(name,
                     ": has no openings; expected one a line, as FEN, FEN moves m1 m2 …, or "
                     "a JSON object with \"fen\" and \"moves\""));
  }
  return openings;
}

}  // namespace crossriver
