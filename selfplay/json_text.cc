#include "selfplay/json_text.h"

#include <nlohmann/json.hpp>

namespace crossriver {

std::string JsonText(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace crossriver
