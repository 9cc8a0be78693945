// crossriver moves: legal moves and endings of positions read from standard input.
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_split.h"
#include "core/adjudicator.h"
#include "core/history.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "selfplay/json_text.h"
#include "tools/command.h"
#include "tools/variant_files.h"

namespace crossriver {
namespace {

using nlohmann::ordered_json;

struct MovesFlags {
  std::string variant;
  bool sfen = false;
};

// FEN and UCI moves, or SFEN and USI moves.
struct Notation {
  bool sfen;

  absl::StatusOr<Position> ParsePosition(const Rules& rules, absl::string_view text) const {
    return sfen ? ParseSfen(rules, text) : ParseFen(rules, text);
  }
  absl::StatusOr<Move> Parse(const Position& position, absl::string_view text) const {
    return sfen ? ParseUsiMove(position, text) : ParseMove(position, text);
  }
  std::string Format(const Position& position) const {
    return sfen ? FormatSfen(position).value_or("") : FormatFen(position);
  }
  std::string Format(const Rules& rules, Move move) const {
    return sfen ? FormatUsiMove(rules, move) : FormatMove(rules, move);
  }
};

ordered_json TextOrNull(absl::string_view text) {
  return text.empty() ? ordered_json(nullptr) : ordered_json(std::string(text));
}

ordered_json Describe(const Position& position, const History& history, const Notation& notation) {
  std::vector<Move> moves;
  GenerateLegalMoves(position, &moves);
  std::vector<std::string> texts;
  texts.reserve(moves.size());
  for (const Move move : moves) texts.push_back(notation.Format(position.rules(), move));
  std::sort(texts.begin(), texts.end());
  const Outcome outcome = Adjudicate(position, history, !moves.empty());
  ordered_json object;
  object["fen"] = notation.Format(position);
  object["moves"] = texts;
  object["in_check"] = history.in_check();
  object["result"] = TextOrNull(ToString(outcome.result));
  object["reason"] = TextOrNull(ToString(outcome.reason));
  return object;
}

// One line of input: "POSITION" or "POSITION moves m1 m2 …".
absl::StatusOr<ordered_json> Answer(const Rules& rules, absl::string_view line,
                                    const Notation& notation) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(line, absl::MaxSplits(" moves", 1));
  absl::StatusOr<Position> position = notation.ParsePosition(rules, parts.first);
  if (!position.ok()) return position.status();
  History history(*position);
  for (const absl::string_view text : absl::StrSplit(parts.second, ' ', absl::SkipEmpty())) {
    const absl::StatusOr<Move> move = notation.Parse(*position, text);
    if (!move.ok()) return move.status();
    const UndoRecord undo = position->Do(*move);
    history.Push(*position, undo);
  }
  return Describe(*position, history, notation);
}

absl::Status RunMoves(const MovesFlags& flags) {
  const absl::StatusOr<std::shared_ptr<const Rules>> rules = LoadVariantArgument(flags.variant);
  if (!rules.ok()) return rules.status();
  const Notation notation{flags.sfen};
  std::string line;
  while (std::getline(std::cin, line)) {
    const absl::string_view text = absl::StripAsciiWhitespace(line);
    absl::StatusOr<ordered_json> answer = Answer(**rules, text, notation);
    if (!answer.ok()) {
      answer = ordered_json{{"fen", std::string(text)},
                            {"error", std::string(answer.status().message())}};
    }
    // Input that is not UTF-8 comes back with replacement characters. Flushed for dialogues.
    std::cout << JsonText(*answer) << std::endl;
    if (!std::cout) return absl::UnavailableError("standard output can't be written");
  }
  return absl::OkStatus();
}

}  // namespace

void AddMovesCommand(CLI::App* app, Action* action) {
  auto flags = std::make_shared<MovesFlags>();
  CLI::App* command = app->add_subcommand(
      "moves", "Read positions from standard input, print legal moves and endings as JSON lines");
  command->add_option("variant", flags->variant, kVariantHelp)->required();
  command->add_flag("--sfen", flags->sfen, "Read and write SFEN and USI moves (shogi, minishogi)");
  command->footer(
      "Each line is answered. A line is FEN, or FEN followed by 'moves' and moves; the answer is "
      "for the position "
      "reached,\n"
      "its result from the view of the side to move. Example:\n"
      "  echo '9/4k4/9/9/9/9/9/9/9/1K7 w 0 1 moves b1b2' | crossriver moves switchback");
  SetAction(command, flags, action, RunMoves);
}

}  // namespace crossriver
