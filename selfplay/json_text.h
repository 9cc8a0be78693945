// JSON as text for output.
#ifndef CROSSRIVER_SELFPLAY_JSON_TEXT_H_
#define CROSSRIVER_SELFPLAY_JSON_TEXT_H_

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace crossriver {

// On one line, or with `indent` spaces a level on many; without the last line's end. Bytes that are
// not UTF-8, of names and files, are replaced.
std::string JsonText(const nlohmann::ordered_json& json, int indent = -1);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_JSON_TEXT_H_
