// The parts of a report's page, as HTML that is XML too: every element closed, every value quoted.
#ifndef CROSSRIVER_TOOLS_REPORT_SECTIONS_H_
#define CROSSRIVER_TOOLS_REPORT_SECTIONS_H_

#include <span>
#include <string>

#include "tools/report_tables.h"

namespace crossriver {

// Each is empty where there is nothing to show.
std::string KeyFigures(const ReportSubject& subject);
std::string ResultsSection(std::span<const ReportSubject> subjects);
std::string LengthSection(std::span<const ReportSubject> subjects);
std::string ChoicesSection(std::span<const ReportSubject> subjects);
std::string WorthsSection(std::span<const ReportSubject> subjects);
std::string DeedsSection(std::span<const ReportSubject> subjects);
std::string StagesSection(std::span<const ReportSubject> subjects);

// A table that scrolls sideways where it is too wide; empty without rows.
std::string HtmlTable(const ReportTable& table);
// The colours of the subjects; empty for a single one.
std::string SubjectsLegend(std::span<const ReportSubject> subjects);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_REPORT_SECTIONS_H_
