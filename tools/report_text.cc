// The report as text, and what its reader must know.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "tools/report_tables.h"

namespace crossriver {
namespace {

std::string FormatTable(const ReportTable& table) {
  std::vector<size_t> widths(table.header.size(), 0);
  const auto measure = [&widths](const std::vector<std::string>& row) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  };
  measure(table.header);
  for (const auto& row : table.rows) measure(row);
  std::string text = absl::StrCat("\n", table.title, "\n");
  const auto print = [&](const std::vector<std::string>& row) {
    text += absl::StrFormat("  %-*s", static_cast<int>(widths[0]), row[0]);
    for (size_t i = 1; i < row.size(); ++i) {
      text += absl::StrFormat("  %*s", static_cast<int>(widths[i]), row[i]);
    }
    text += "\n";
  };
  print(table.header);
  for (const auto& row : table.rows) print(row);
  return text;
}

void AddNotes(const ReportSubject& subject, bool named, std::vector<std::string>* notes) {
  const RunReport& report = subject.report;
  const std::string of = named ? absl::StrCat(subject.label, ": ") : "";
  const int64_t games = report.statistics.games();
  const auto add = [&](const std::string& text) { notes->push_back(absl::StrCat(of, text)); };
  if (IsSampled(subject)) {
    add(absl::StrCat(WithThousands(report.statistics.replayed()), " of ", WithThousands(games),
                     " games were replayed, evenly spaced: legal moves, piece values and what "
                     "pieces do are of these; scores, ends and lengths are of all, as they are "
                     "stored"));
  }
  if (report.different_games < games) {
    add(absl::StrCat(WithThousands(games - report.different_games),
                     " games are copies of others; intervals take them for games of their own"));
  }
  if (report.left_out.other_starts > 0) {
    add(absl::StrCat(WithThousands(report.left_out.other_starts),
                     " games that began from thinned armies or in the middle of other games are "
                     "left out"));
  }
  if (report.left_out.other_variants > 0) {
    add(absl::StrCat(WithThousands(report.left_out.other_variants),
                     " games of the run's other variants are left out; --variant chooses"));
  }
  if (report.left_out.other_rules > 0) {
    add(absl::StrCat(WithThousands(report.left_out.other_rules),
                     " games that were played under other rules are left out"));
  }
  if (report.left_out.unknown_rules > 0) {
    add(absl::StrCat(WithThousands(report.left_out.unknown_rules),
                     " games that were not replayed are left out, as they may be under other "
                     "rules, too; --replay 0 replays all"));
  }
  if (report.left_out.damaged > 0) {
    add(absl::StrCat(
        WithThousands(report.left_out.damaged),
        " games that can't be read or replayed are left out: ", report.left_out.first_damage));
  }
  if (!report.worths.ok()) {
    add(absl::StrCat("no piece values: ", report.worths.status().message(),
                     IsSampled(subject) ? " among those replayed; --replay replays more" : ""));
    return;
  }
  const bool points = std::any_of(report.worths->pieces.begin(), report.worths->pieces.end(),
                                  [](const PieceWorth& piece) { return piece.points.has_value(); });
  if (!points) add("material does not tell winners from losers yet, so pieces have no points");
  if (!report.worths->never_uneven.empty()) {
    add(absl::StrCat("never more on one side than on the other, so without a value: ",
                     absl::StrJoin(report.worths->never_uneven, ", ")));
  }
}

}  // namespace

std::vector<std::string> ReportNotes(std::span<const ReportSubject> subjects) {
  std::vector<std::string> notes;
  for (const ReportSubject& subject : subjects) AddNotes(subject, subjects.size() > 1, &notes);
  return notes;
}

std::string FormatReport(std::span<const ReportSubject> subjects) {
  std::string text = subjects.size() == 1
                         ? absl::StrCat(subjects[0].report.rules->definition().name, "\n")
                         : std::string();
  for (const ReportTable& table :
       {SummaryTable(subjects), EndsTable(subjects), WorthsTable(subjects)}) {
    if (!table.rows.empty()) text += FormatTable(table);
  }
  if (subjects.size() == 1) text += FormatTable(DeedsTable(subjects[0]));
  text += "\nIntervals hold 95 %.\n";
  for (const std::string& note : ReportNotes(subjects)) absl::StrAppend(&text, note, "\n");
  return text;
}

}  // namespace crossriver
