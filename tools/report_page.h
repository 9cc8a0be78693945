// A report as a page for a browser.
#ifndef CROSSRIVER_TOOLS_REPORT_PAGE_H_
#define CROSSRIVER_TOOLS_REPORT_PAGE_H_

#include <span>
#include <string>

#include "tools/report_tables.h"

namespace crossriver {

// One file, complete in itself: it loads nothing, has no script, and follows the reader's choice of
// dark or light. One subject is described, several are compared, at most kMaxSeries of them. The
// page has the numbers only, and not the games: its size does not grow with them.
std::string ReportPage(std::span<const ReportSubject> subjects);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_REPORT_PAGE_H_
