#include "selfplay/players/engine_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "core/check.h"
#include "core/notation.h"
#include "core/spelling.h"

namespace crossriver {
namespace {

constexpr size_t kQuotedBytes = 120;

using Words = std::vector<absl::string_view>;

Words SplitWords(absl::string_view line) {
  return absl::StrSplit(line, absl::ByAnyChar(" \t"), absl::SkipEmpty());
}

// A word of an option line that something else begins with.
bool IsOptionKeyword(absl::string_view word) {
  return word == "type" || word == "default" || word == "min" || word == "max" || word == "var";
}

// The words from `*at` to the next keyword, joined.
std::string TakePhrase(const Words& words, size_t* at) {
  const size_t begin = *at;
  while (*at < words.size() && !IsOptionKeyword(words[*at])) ++*at;
  return absl::StrJoin(words.begin() + static_cast<ptrdiff_t>(begin),
                       words.begin() + static_cast<ptrdiff_t>(*at), " ");
}

absl::Status BadValue(const EngineOption& option, absl::string_view expected,
                      const std::string& value) {
  return absl::InvalidArgumentError(absl::StrCat("its option '", Printable(option.name),
                                                 "': expected ", expected, ", got '",
                                                 Printable(value), "'"));
}

absl::Status CheckEngineValue(const EngineOption& option, const std::string& value) {
  if (option.type == "button" && !value.empty()) {
    return BadValue(option, "no value, as it is a button", value);
  }
  if (option.type == "check" && value != "true" && value != "false") {
    return BadValue(option, "true or false", value);
  }
  if (option.type == "combo" && !option.words.empty() &&
      std::count(option.words.begin(), option.words.end(), value) == 0) {
    const absl::Status bad = BadValue(option, "one of its words", value);
    return absl::InvalidArgumentError(
        absl::StrCat(bad.message(), Printable(Suggestion(value, option.words))));
  }
  if (option.type != "spin") return absl::OkStatus();
  int64_t number = 0;
  const bool is_number = absl::SimpleAtoi(value, &number);
  if (is_number && number >= option.least.value_or(number) &&
      number <= option.most.value_or(number)) {
    return absl::OkStatus();
  }
  std::string expected = "a whole number";
  if (option.least.has_value()) absl::StrAppend(&expected, " from ", *option.least);
  if (option.most.has_value()) absl::StrAppend(&expected, " to ", *option.most);
  return BadValue(option, expected, value);
}

Wdl FromCentipawns(int64_t centipawns) {
  constexpr double kScale = 400;
  const double win = 1 / (1 + std::pow(10.0, -static_cast<double>(centipawns) / kScale));
  return {static_cast<float>(win), 0, static_cast<float>(1 - win)};
}

// Of "mate N": N moves to a win, or, below 1, to a loss. USI also has "+" and "-" alone.
std::optional<Wdl> FromMate(absl::string_view text) {
  int64_t moves = 0;
  if (text == "+") {
    moves = 1;
  } else if (text != "-" && !absl::SimpleAtoi(text, &moves)) {
    return std::nullopt;
  }
  return moves > 0 ? Wdl{1, 0, 0} : Wdl{0, 0, 1};
}

// "wdl 550 300 150": in thousandths, or in whatever they sum to.
std::optional<Wdl> FromThree(const Words& words, size_t at) {
  if (at + 3 > words.size()) return std::nullopt;
  int32_t win = 0, draw = 0, loss = 0;
  if (!absl::SimpleAtoi(words[at], &win) || !absl::SimpleAtoi(words[at + 1], &draw) ||
      !absl::SimpleAtoi(words[at + 2], &loss)) {
    return std::nullopt;
  }
  const double sum = static_cast<double>(win) + draw + loss;
  if (win < 0 || draw < 0 || loss < 0 || sum <= 0) return std::nullopt;
  return Wdl{static_cast<float>(win / sum), static_cast<float>(draw / sum),
             static_cast<float>(loss / sum)};
}

}  // namespace

const ProtocolWords& WordsOf(EngineProtocol protocol) {
  static constexpr ProtocolWords kUci = {"uci", "uciok", "ucinewgame"};
  static constexpr ProtocolWords kUsi = {"usi", "usiok", "usinewgame"};
  return protocol == EngineProtocol::kUci ? kUci : kUsi;
}

std::optional<EngineOption> ParseOptionLine(absl::string_view line) {
  const Words words = SplitWords(line);
  if (words.size() < 5 || words[0] != "option" || words[1] != "name") return std::nullopt;
  EngineOption option;
  size_t at = 2;
  option.name = TakePhrase(words, &at);
  while (at < words.size()) {
    const absl::string_view keyword = words[at++];
    const std::string value = TakePhrase(words, &at);
    int64_t number = 0;
    if (keyword == "type") option.type = value;
    if (keyword == "var") option.words.push_back(value);
    if (keyword == "min" && absl::SimpleAtoi(value, &number)) option.least = number;
    if (keyword == "max" && absl::SimpleAtoi(value, &number)) option.most = number;
  }
  if (option.name.empty() || option.type.empty()) return std::nullopt;
  return option;
}

absl::StatusOr<std::string> SetOptionLine(const std::vector<EngineOption>& declared,
                                          const std::string& name, const std::string& value,
                                          const std::vector<std::string>& other_names) {
  const auto option = std::find_if(declared.begin(), declared.end(),
                                   [&name](const EngineOption& o) { return o.name == name; });
  if (option == declared.end()) {
    std::vector<std::string> names = other_names;
    for (const EngineOption& known : declared) names.push_back(known.name);
    return absl::InvalidArgumentError(absl::StrCat("it has no option '", Printable(name), "'",
                                                   Printable(Suggestion(name, names))));
  }
  if (absl::Status status = CheckEngineValue(*option, value); !status.ok()) return status;
  std::string line = absl::StrCat("setoption name ", name);
  if (option->type != "button") {
    absl::StrAppend(&line, " value ", value.empty() ? "<empty>" : value);
  }
  return line;
}

std::string SixFieldFen(const Position& position) {
  const std::vector<std::string> fields = absl::StrSplit(FormatFen(position), ' ');
  CR_CHECK(fields.size() == 4);
  return absl::StrCat(fields[0], " ", fields[1], " - - ", fields[2], " ", fields[3]);
}

absl::StatusOr<std::string> PositionLine(EngineProtocol protocol, const Position& start,
                                         std::span<const Move> moves) {
  const bool usi = protocol == EngineProtocol::kUsi;
  std::string line = "position ";
  if (usi) {
    const absl::StatusOr<std::string> sfen = FormatSfen(start);
    if (!sfen.ok()) return sfen.status();
    absl::StrAppend(&line, "sfen ", *sfen);
  } else {
    absl::StrAppend(&line, "fen ", SixFieldFen(start));
  }
  if (!moves.empty()) line += " moves";
  for (const Move move : moves) {
    absl::StrAppend(&line, " ",
                    usi ? FormatUsiMove(start.rules(), move) : FormatMove(start.rules(), move));
  }
  return line;
}

void ReadInfoLine(absl::string_view line, EngineInfo* info) {
  const Words words = SplitWords(line);
  if (words.empty() || words[0] != "info") return;
  std::optional<Wdl> score, given;
  int64_t nodes = 0;
  bool is_bound = false;
  for (size_t i = 1; i < words.size(); ++i) {
    const absl::string_view word = words[i];
    if (word == "string" || word == "pv") break;  // the rest is text, or moves
    is_bound |= word == "lowerbound" || word == "upperbound";
    if (word == "wdl") given = FromThree(words, i + 1);
    if (i + 1 == words.size()) break;
    const absl::string_view value = words[i + 1];
    int64_t number = 0;
    if (word == "multipv" && value != "1") return;
    if (word == "mate") score = FromMate(value);
    if (!absl::SimpleAtoi(value, &number)) continue;
    if (word == "cp") score = FromCentipawns(number);
    if (word == "nodes") nodes = number;
  }
  info->nodes = std::max(info->nodes, nodes);
  if (given.has_value()) score = given;
  if (!score.has_value()) return;
  // A bound says less than the exact score before it.
  if (is_bound && info->wdl.has_value() && !info->is_bound) return;
  info->wdl = score;
  info->is_bound = is_bound;
}

std::optional<std::string> ParseBestMoveLine(absl::string_view line) {
  const Words words = SplitWords(line);
  if (words.empty() || words[0] != "bestmove") return std::nullopt;
  return words.size() > 1 ? std::string(words[1]) : "";
}

std::string QuotedFromEngine(absl::string_view text) {
  const bool whole = text.size() <= kQuotedBytes;
  return absl::StrCat("'", absl::CHexEscape(text.substr(0, kQuotedBytes)), whole ? "'" : "…'");
}

}  // namespace crossriver
