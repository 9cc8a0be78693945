#include "selfplay/suites/suite.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "core/adjudicator.h"
#include "core/history.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "core/spelling.h"
#include "selfplay/json_text.h"

namespace crossriver {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kLongestMate = 99;  // plies; more than any solver finds
constexpr double kMostGain = 1e6;
const char* const kFields[] = {"variant", "fen", "kind", "plies", "gain", "best"};

absl::Status FieldError(absl::string_view field, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("field '", field, "': ", what));
}

absl::StatusOr<std::string> TextField(const Json& line, const char* field) {
  const auto found = line.find(field);
  if (found == line.end()) return FieldError(field, "missing, expected text");
  if (!found->is_string()) return FieldError(field, "expected text in quotes");
  return found->get<std::string>();
}

absl::Status CheckFieldNames(const Json& line) {
  const std::vector<std::string> known(std::begin(kFields), std::end(kFields));
  for (const auto& [name, value] : line.items()) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    return FieldError(Printable(name), absl::StrCat("unknown", Suggestion(name, known)));
  }
  return absl::OkStatus();
}

absl::StatusOr<SuiteKind> ReadKind(const Json& line) {
  const absl::StatusOr<std::string> text = TextField(line, "kind");
  if (!text.ok()) return text.status();
  for (const SuiteKind kind : {SuiteKind::kMate, SuiteKind::kCapture}) {
    if (absl::string_view(*text) == ToString(kind)) return kind;
  }
  return FieldError("kind",
                    absl::StrCat("'", Printable(*text), "'",
                                 Suggestion(*text, {std::string(ToString(SuiteKind::kMate)),
                                                    std::string(ToString(SuiteKind::kCapture))})));
}

// The number that belongs to the kind, and not the other's.
absl::Status ReadNumber(const Json& line, SuitePosition* position) {
  const bool mate = position->kind == SuiteKind::kMate;
  const char* const field = mate ? "plies" : "gain";
  const char* const other = mate ? "gain" : "plies";
  if (line.contains(other)) {
    return FieldError(
        other, absl::StrCat("not of a ", ToString(position->kind), ", expected '", field, "'"));
  }
  const auto found = line.find(field);
  if (mate) {
    if (found == line.end() || !found->is_number_integer() || *found < 1 || *found > kLongestMate ||
        found->get<int>() % 2 == 0) {
      return FieldError(field, absl::StrCat("expected an odd number from 1 to ", kLongestMate));
    }
    position->plies = found->get<int>();
    return absl::OkStatus();
  }
  if (found == line.end() || !found->is_number() || *found <= 0 || *found > kMostGain) {
    return FieldError(field, "expected a number of pawns above 0");
  }
  position->gain = found->get<double>();
  return absl::OkStatus();
}

absl::Status ReadBest(const Json& line, SuitePosition* position) {
  const auto found = line.find("best");
  if (found == line.end() || !found->is_array() || found->empty()) {
    return FieldError("best", "expected a list of moves, such as [\"b1c3\"]");
  }
  std::set<Move> seen;
  for (const Json& text : *found) {
    if (!text.is_string()) return FieldError("best", "expected moves in quotes");
    const absl::StatusOr<Move> move = ParseMove(position->position, text.get<std::string>());
    if (!move.ok()) return FieldError("best", move.status().message());
    if (!seen.insert(*move).second) {
      return FieldError("best", absl::StrCat("'", text.get<std::string>(), "' stands twice"));
    }
    position->best.push_back(*move);
  }
  return absl::OkStatus();
}

absl::StatusOr<SuitePosition> ReadPosition(const Rules& rules, const Json& line) {
  if (absl::Status names = CheckFieldNames(line); !names.ok()) return names;
  const absl::StatusOr<std::string> fen = TextField(line, "fen");
  if (!fen.ok()) return fen.status();
  const absl::StatusOr<Position> position = ParseFen(rules, *fen);
  if (!position.ok()) return FieldError("fen", position.status().message());
  const Outcome outcome = Adjudicate(*position, History(*position), HasLegalMove(*position));
  if (outcome.is_over()) {
    return FieldError("fen", absl::StrCat("the game is over there: ", ToString(outcome.reason)));
  }
  const absl::StatusOr<SuiteKind> kind = ReadKind(line);
  if (!kind.ok()) return kind.status();
  SuitePosition result{*position, *kind, {}};
  if (absl::Status number = ReadNumber(line, &result); !number.ok()) return number;
  if (absl::Status best = ReadBest(line, &result); !best.ok()) return best;
  return result;
}

// Adds one line. `first_variant` is what the first line says; empty before it.
absl::Status AddLine(absl::string_view text, RulesLoader load, std::string* first_variant,
                     Suite* suite) {
  const Json line = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (!line.is_object()) {
    return absl::InvalidArgumentError("expected a JSON object, such as {\"variant\": …}");
  }
  const absl::StatusOr<std::string> variant = TextField(line, "variant");
  if (!variant.ok()) return variant.status();
  if (suite->rules == nullptr) {
    auto rules = load(*variant);
    if (!rules.ok()) return FieldError("variant", rules.status().message());
    suite->rules = *std::move(rules);
    *first_variant = *variant;
  }
  if (*variant != *first_variant) {
    return FieldError("variant", absl::StrCat("'", Printable(*variant), "', expected '",
                                              *first_variant, "' as in the first line"));
  }
  absl::StatusOr<SuitePosition> position = ReadPosition(*suite->rules, line);
  if (!position.ok()) return position.status();
  suite->positions.push_back(*std::move(position));
  return absl::OkStatus();
}

}  // namespace

absl::string_view ToString(SuiteKind kind) { return kind == SuiteKind::kMate ? "mate" : "capture"; }

absl::StatusOr<Suite> ReadSuite(const SuiteSource& source, RulesLoader load) {
  Suite suite;
  suite.name = source.name;
  std::string variant;
  int number = 0;
  for (absl::string_view line : absl::StrSplit(source.text, '\n')) {
    ++number;
    line = absl::StripAsciiWhitespace(line);
    if (line.empty()) continue;
    if (absl::Status added = AddLine(line, load, &variant, &suite); !added.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat(source.name, ":", number, ": ", added.message()));
    }
    suite.positions.back().line = number;
  }
  if (suite.positions.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(source.name, ": no positions, expected a JSON object a line"));
  }
  return suite;
}

std::string FormatSuiteLine(const SuitePosition& position, const std::string& variant) {
  const Rules& rules = position.position.rules();
  Json line = {{"variant", variant},
               {"fen", FormatFen(position.position)},
               {"kind", std::string(ToString(position.kind))}};
  if (position.kind == SuiteKind::kMate) {
    line["plies"] = position.plies;
  } else {
    line["gain"] = std::round(position.gain * 10) / 10;
  }
  line["best"] = Json::array();
  for (const Move move : position.best) line["best"].push_back(FormatMove(rules, move));
  return absl::StrCat(JsonText(line), "\n");
}

}  // namespace crossriver
