#include "tools/ladder_report.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "core/check.h"
#include "core/spelling.h"

namespace crossriver {
namespace {

using Json = nlohmann::ordered_json;

double DrawRate(const ResultCounts& counts) {
  if (counts.games() == 0) return 0;
  return static_cast<double>(counts.draws) / static_cast<double>(counts.games());
}

// By player.
std::vector<ResultCounts> CountsOf(const Ladder& ladder) {
  std::vector<ResultCounts> counts(ladder.players().size());
  for (const LadderMeeting& meeting : ladder.Meetings()) {
    const ResultCounts total = meeting.score.total();
    counts[static_cast<size_t>(meeting.a)] += total;
    counts[static_cast<size_t>(meeting.b)] += ResultCounts{total.losses, total.draws, total.wins};
  }
  return counts;
}

// "950", "12.3k", "4.5M".
std::string Compact(double count) {
  constexpr double kThousand = 1000;
  const char* const units[] = {"k", "M", "G"};
  if (count < kThousand) return absl::StrFormat("%.0f", count);
  size_t unit = 0;
  for (count /= kThousand; count >= kThousand && unit + 1 < std::size(units); ++unit) {
    count /= kThousand;
  }
  return absl::StrFormat("%.1f%s", count, units[unit]);
}

// "40.5 h", "12 min", "43 s".
std::string Hours(double hours) {
  if (hours >= 1) return absl::StrFormat("%.1f h", hours);
  const double minutes = 60 * hours;
  return minutes >= 1 ? absl::StrFormat("%.0f min", minutes)
                      : absl::StrFormat("%.0f s", 60 * minutes);
}

std::string EffortText(const TrainingEffort& effort) {
  const std::optional<double>& evaluations = effort.evaluations;
  const std::optional<double>& hours = effort.cpu_hours;
  return absl::StrFormat("  %9s  %9s  %9s", Compact(static_cast<double>(effort.games)),
                         evaluations.has_value() ? Compact(*evaluations) : "-",
                         hours.has_value() ? Hours(*hours) : "-");
}

constexpr char kEffortTitles[] = "  self-play  evaluated   CPU time";

// Of the column before.
constexpr size_t kAboveWidth = 11;

std::string RowText(size_t width, const LadderRow& row) {
  const std::string name = Printable(row.name);
  std::string text = absl::StrCat(name, std::string(width - std::min(width, name.size()), ' '));
  absl::StrAppendFormat(&text, " %+7.1f %+8.1f %+8.1f %7d  %5.1f %%  %5.1f %%", row.rating.value,
                        row.rating.low, row.rating.high, row.counts.games(),
                        100 * row.counts.score(), 100 * DrawRate(row.counts));
  std::string above;
  if (row.above.has_value()) above = absl::StrFormat("  %5.1f %%", 100 * *row.above);
  text += above;
  if (row.checkpoint.has_value()) {
    text += std::string(kAboveWidth - above.size(), ' ') + EffortText(row.checkpoint->effort);
  }
  return text + "\n";
}

Json Optional(const std::optional<double>& value) {
  return value.has_value() ? Json(*value) : Json();
}

Json RowJson(const LadderRow& row) {
  Json json = {{"name", Printable(row.name)},         {"elo", row.rating.value},
               {"elo_low", row.rating.low},           {"elo_high", row.rating.high},
               {"games", row.counts.games()},         {"wins", row.counts.wins},
               {"draws", row.counts.draws},           {"losses", row.counts.losses},
               {"score", row.counts.score()},         {"draw_rate", DrawRate(row.counts)},
               {"los_over_next", Optional(row.above)}};
  if (!row.checkpoint.has_value()) return json;
  const TrainingEffort& effort = row.checkpoint->effort;
  json["checkpoint"] = row.checkpoint->number;
  json["training"] = {{"games", effort.games},
                      {"evaluations", Optional(effort.evaluations)},
                      {"hours", Optional(effort.hours)},
                      {"cpu_hours", Optional(effort.cpu_hours)}};
  return json;
}

Json EstimateJson(const Estimate& estimate) {
  return {{"value", estimate.value}, {"low", estimate.low}, {"high", estimate.high}};
}

// Why ratings are not what they seem.
std::string WarningOf(const Ladder& ladder, const Ratings& ratings, const std::string& anchor) {
  std::vector<std::string> warnings;
  if (!ratings.convergence().ok()) warnings.emplace_back(ratings.convergence().message());
  std::vector<std::string> names;
  for (size_t i = 1; i < ratings.groups().size(); ++i) {
    for (const int player : ratings.groups()[i]) {
      names.push_back(ladder.players()[static_cast<size_t>(player)].name);
    }
  }
  if (!names.empty()) {
    warnings.push_back(
        absl::StrCat("no games connect these with ", anchor, ": ", absl::StrJoin(names, ", ")));
  }
  return absl::StrJoin(warnings, "; ");
}

}  // namespace

absl::StatusOr<LadderReport> MakeLadderReport(
    const Ladder& ladder, int anchor,
    const std::vector<std::optional<LadderCheckpoint>>& checkpoints) {
  CR_CHECK(checkpoints.size() == ladder.players().size());
  const absl::StatusOr<Ratings> ratings = ladder.Rate(anchor);
  if (!ratings.ok()) return ratings.status();
  std::vector<int> order(ladder.players().size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&ratings](int i, int j) {
    return ratings->Rating(i).value > ratings->Rating(j).value;
  });
  const std::vector<ResultCounts> counts = CountsOf(ladder);
  LadderReport report;
  report.anchor = ladder.players()[static_cast<size_t>(anchor)].name;
  for (size_t k = 0; k < order.size(); ++k) {
    const auto player = static_cast<size_t>(order[k]);
    LadderRow& row = report.rows.emplace_back();
    row.name = ladder.players()[player].name;
    row.rating = ratings->Rating(order[k]);
    row.counts = counts[player];
    row.checkpoint = checkpoints[player];
    if (k + 1 < order.size()) {
      row.above = ratings->LikelihoodOfSuperiority(order[k], order[k + 1]);
    }
  }
  report.advantage = ratings->Advantage();
  report.draw_share = ratings->DrawShare();
  report.warning = WarningOf(ladder, *ratings, report.anchor);
  report.games = ladder.games();
  report.pairings = static_cast<int64_t>(ladder.Meetings().size());
  report.counts = ladder.counts();
  return report;
}

std::string FormatLadderReport(const LadderReport& report) {
  size_t width = 6;
  bool trained = false;
  for (const LadderRow& row : report.rows) {
    width = std::max(width, Printable(row.name).size());
    trained = trained || row.checkpoint.has_value();
  }
  std::string text = absl::StrFormat(
      "%s, %d games of %d players in %d pairings\nElo over %s, 95 %% intervals\n\n", report.variant,
      report.games, report.rows.size(), report.pairings, Printable(report.anchor));
  absl::StrAppend(&text, "player", std::string(width - 6, ' '),
                  "     Elo      low     high   games    score    draws  over next",
                  trained ? kEffortTitles : "", "\n");
  for (const LadderRow& row : report.rows) text += RowText(width, row);
  absl::StrAppendFormat(&text, "\nfirst move %+.1f Elo (%+.1f to %+.1f)\n", report.advantage.value,
                        report.advantage.low, report.advantage.high);
  absl::StrAppendFormat(&text, "draws      %.1f %% between equals (%.1f to %.1f)\n",
                        100 * report.draw_share.value, 100 * report.draw_share.low,
                        100 * report.draw_share.high);
  if (!report.warning.empty()) {
    absl::StrAppend(&text, "warning    ", Printable(report.warning), "\n");
  }
  absl::StrAppendFormat(&text, "played now %d games in %.1f s", report.games_played,
                        report.seconds);
  if (report.counts.calls > 0 && report.seconds > 0) {
    absl::StrAppendFormat(
        &text, ", %.0f evaluations/s in calls of %.1f",
        static_cast<double>(report.counts.evaluations) / report.seconds,
        static_cast<double>(report.counts.evaluations) / static_cast<double>(report.counts.calls));
  }
  return text + "\n";
}

Json LadderReportJson(const LadderReport& report) {
  Json rows = Json::array();
  for (const LadderRow& row : report.rows) rows.push_back(RowJson(row));
  return {{"variant", report.variant},
          {"anchor", Printable(report.anchor)},
          {"games", report.games},
          {"pairings", report.pairings},
          {"players", rows},
          {"first_move_elo", EstimateJson(report.advantage)},
          {"draw_share", EstimateJson(report.draw_share)},
          {"warning", Printable(report.warning)},
          {"seconds", report.seconds},
          {"games_played", report.games_played},
          {"evaluations", report.counts.evaluations},
          {"evaluator_calls", report.counts.calls}};
}

}  // namespace crossriver
