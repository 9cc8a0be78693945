#include "selfplay/json_text.h"

#include <nlohmann/json.hpp>

namespace crossriver {

std::string JsonText(const nlohmann::ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace crossriver
