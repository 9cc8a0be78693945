// A report for scripts.
#ifndef CROSSRIVER_TOOLS_REPORT_JSON_H_
#define CROSSRIVER_TOOLS_REPORT_JSON_H_

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "tools/report_tables.h"

namespace crossriver {

// One object for a run: counts, and estimates as {value, low, high}; shares and scores are 0 to 1.
// What is not known is null. Of several runs {"runs": [...]}.
nlohmann::ordered_json ReportJson(std::span<const ReportSubject> subjects);

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_REPORT_JSON_H_
