// The tables of a report, for a terminal and for a page alike.
#ifndef CROSSRIVER_TOOLS_REPORT_TABLES_H_
#define CROSSRIVER_TOOLS_REPORT_TABLES_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "selfplay/report/run_report.h"

namespace crossriver {

// One of the runs that a report is about.
struct ReportSubject {
  std::string label;  // different for each
  RunReport report;
};

// The first column names rows; the others are numbers.
struct ReportTable {
  std::string title;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

// What there is in a few lines, a column a subject. Lines that none of the variants can have (drops
// without hands) are left out.
ReportTable SummaryTable(std::span<const ReportSubject> subjects);
// How games end: of one subject by result, of several their shares.
ReportTable EndsTable(std::span<const ReportSubject> subjects);
// Points of the pieces, by name; without rows where no subject has any.
ReportTable WorthsTable(std::span<const ReportSubject> subjects);
// What the pieces of one subject do in a game.
ReportTable DeedsTable(const ReportSubject& subject);
// What the reader must know of the games: which are left out, copies, piece values that are
// missing.
std::vector<std::string> ReportNotes(std::span<const ReportSubject> subjects);

// All of that as text.
std::string FormatReport(std::span<const ReportSubject> subjects);

// "12,345".
std::string WithThousands(int64_t number);
// "52.1 % (50.3 to 53.9)" of a share.
std::string PercentText(const Estimate& share);
// "3.41 (3.30 to 3.52)".
std::string ValueText(const Estimate& value);

// Whether some of its games have not been replayed: their moves are not in the statistics.
bool IsSampled(const ReportSubject& subject);
// Whether a piece of the variant captures what it passes.
bool HasDisplacers(const Rules& rules);
bool HasPromotions(const Rules& rules);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_REPORT_TABLES_H_
