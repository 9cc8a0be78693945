// What `openings` says to other programs.
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "selfplay/json_text.h"
#include "tools/openings_report.h"

namespace crossriver {
namespace {

using nlohmann::ordered_json;

// Of shares and scores: more digits than any number of games can tell.
ordered_json FiveDigits(std::optional<double> value) {
  if (!value) return nullptr;
  return std::round(*value * 1e5) / 1e5;
}

template <typename T>
ordered_json OrNull(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

void AddCounts(const OpeningCounts& counts, const OpeningScore& score, ordered_json* object) {
  (*object)["games"] = counts.games;
  (*object)["first_wins"] = counts.first_wins;
  (*object)["draws"] = counts.draws;
  (*object)["second_wins"] = counts.second_wins;
  (*object)["score"] = FiveDigits(score.score);
  (*object)["score_low"] = FiveDigits(score.low);
  (*object)["score_high"] = FiveDigits(score.high);
  (*object)["value"] = FiveDigits(score.value);
  (*object)["search_value"] = FiveDigits(score.search_value);
  (*object)["visits"] = FiveDigits(score.visits);
}

ordered_json ToJson(const std::vector<OpeningBranch>& branches) {
  ordered_json array = ordered_json::array();
  for (const OpeningBranch& branch : branches) {
    ordered_json object = {{"move", branch.move.text}, {"share", FiveDigits(branch.move.share)}};
    AddCounts(branch.move.counts, branch.move.score, &object);
    object["first_popular"] = OrNull(branch.move.first_popular);
    object["last_popular"] = OrNull(branch.move.last_popular);
    object["next"] = ToJson(branch.next);
    array.push_back(std::move(object));
  }
  return array;
}

ordered_json ToJson(const CheckpointRange& range) {
  ordered_json array = {range.first, nullptr};
  if (range.last != std::numeric_limits<int64_t>::max()) array[1] = range.last;
  return array;
}

ordered_json ChangesJson(const OpeningsReport& report) {
  if (!report.compared) return nullptr;
  ordered_json object = {{"before", ToJson(report.compared->first)},
                         {"after", ToJson(report.compared->second)},
                         {"moves", ordered_json::array()},
                         {"values", ordered_json::array()}};
  for (const MoveChange& change : report.changes.moves) {
    object["moves"].push_back({{"line", change.line},
                               {"fen", change.fen},
                               {"move", change.text},
                               {"games_before", change.games_before},
                               {"games_after", change.games_after},
                               {"share_before", FiveDigits(change.share_before)},
                               {"share_after", FiveDigits(change.share_after)},
                               {"difference_low", FiveDigits(change.difference.low)},
                               {"difference_high", FiveDigits(change.difference.high)},
                               {"reach", FiveDigits(change.reach)}});
  }
  for (const ValueChange& change : report.changes.values) {
    object["values"].push_back({{"line", change.line},
                                {"fen", change.fen},
                                {"value_before", FiveDigits(change.value_before)},
                                {"value_after", FiveDigits(change.value_after)},
                                {"score_before", FiveDigits(change.score_before)},
                                {"score_after", FiveDigits(change.score_after)},
                                {"games_before", change.games_before},
                                {"games_after", change.games_after},
                                {"reach", FiveDigits(change.reach)}});
  }
  return object;
}

ordered_json LinesJson(const std::vector<OpeningLine>& lines) {
  ordered_json array = ordered_json::array();
  for (const OpeningLine& line : lines) {
    ordered_json object = {{"moves", line.texts}, {"reach", FiveDigits(line.reach)}};
    AddCounts(line.counts, line.score, &object);
    array.push_back(std::move(object));
  }
  return array;
}

ordered_json DiversityJson(const OpeningsReport& report) {
  ordered_json plies = ordered_json::array();
  for (const OpeningPly& ply : report.diversity) {
    plies.push_back({{"ply", ply.ply},
                     {"games", ply.games},
                     {"all_games", ply.all_games},
                     {"positions", ply.positions},
                     {"position_entropy", FiveDigits(ply.position_entropy)},
                     {"move_entropy", FiveDigits(ply.move_entropy)},
                     {"common_position", FiveDigits(ply.common_position)},
                     {"common_move", FiveDigits(ply.common_move)}});
  }
  return {{"duplicate_games", report.duplicates}, {"plies", std::move(plies)}};
}

std::string CsvReal(std::optional<double> value) {
  return value ? absl::StrFormat("%.5f", *value) : "";
}

std::string CsvWhole(std::optional<int64_t> value) { return value ? absl::StrCat(*value) : ""; }

void AddCsvRows(const std::vector<OpeningBranch>& branches, std::string* csv) {
  for (const OpeningBranch& branch : branches) {
    const OpeningMove& move = branch.move;
    const OpeningCounts& counts = move.counts;
    absl::StrAppend(csv, absl::StrJoin(branch.line, " "), ",", branch.line.size(), ",", move.text,
                    ",", counts.games, ",");
    absl::StrAppend(csv, CsvReal(move.share), ",", CsvReal(branch.reach), ",", counts.first_wins,
                    ",", counts.draws, ",", counts.second_wins, ",");
    absl::StrAppend(csv, CsvReal(move.score.score), ",", CsvReal(move.score.low), ",",
                    CsvReal(move.score.high), ",", CsvReal(move.score.value), ",");
    absl::StrAppend(csv, CsvReal(move.score.search_value), ",", CsvReal(move.score.visits), ",",
                    CsvWhole(move.first_popular), ",", CsvWhole(move.last_popular), "\n");
    AddCsvRows(branch.next, csv);
  }
}

}  // namespace

std::string FormatOpeningsJson(const OpeningsReport& report) {
  ordered_json object = {{"variant", report.variant},
                         {"source", report.source},
                         {"games", report.state.games},
                         {"skipped_games", report.state.skipped},
                         {"kept_plies", report.state.settings.max_ply},
                         {"kept_games", report.state.settings.min_games},
                         {"checkpoints", ToJson(report.checkpoints)},
                         {"start", report.start_fen},
                         {"moves", report.moves},
                         {"fen", report.position.fen},
                         {"ply", OrNull(report.position.ply)}};
  ordered_json position = ordered_json::object();
  AddCounts(report.position.counts, report.position.score, &position);
  object["position"] = std::move(position);
  object["tree"] = ToJson(report.tree);
  object["main_lines"] = LinesJson(report.lines);
  object["changes"] = ChangesJson(report);
  object["diversity"] = DiversityJson(report);
  return absl::StrCat(JsonText(object, 2), "\n");
}

std::string FormatOpeningsCsv(const OpeningsReport& report) {
  std::string csv =
      "line,plies,move,games,share,reach,first_wins,draws,second_wins,score,score_low,score_high,"
      "value,search_value,visits,first_popular,last_popular\n";
  AddCsvRows(report.tree, &csv);
  return csv;
}

}  // namespace crossriver
