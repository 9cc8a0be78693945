#include "tests/test_data.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>

#include "core/check.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "core/variant_loader.h"

namespace crossriver::testing {

const Rules& RulesOf(const std::string& id) {
  static auto& compiled = *new std::map<std::string, std::shared_ptr<const Rules>>;
  static auto& mutex = *new std::mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<const Rules>& rules = compiled[id];
  if (rules == nullptr) {
    absl::StatusOr<std::shared_ptr<const Rules>> loaded = LoadBuiltin(id);
    CR_CHECK_OK(loaded.status());
    rules = *std::move(loaded);
  }
  return *rules;
}

std::shared_ptr<const Rules> SharedRulesOf(const std::string& id) {
  return {&RulesOf(id), [](const Rules*) {}};
}

std::string SourcePath(const std::string& relative) {
  return std::string(CROSSRIVER_SOURCE_DIR) + "/" + relative;
}

std::string ReadText(const std::string& relative) {
  std::ifstream file(SourcePath(relative));
  CR_CHECK(file.good());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> ReadLines(const std::string& relative) {
  std::istringstream text(ReadText(relative));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> LegalMoveTexts(const Position& position) {
  std::vector<Move> moves;
  GenerateLegalMoves(position, &moves);
  std::vector<std::string> texts;
  for (const Move move : moves) texts.push_back(FormatMove(position.rules(), move));
  std::sort(texts.begin(), texts.end());
  return texts;
}

int FromEnvironment(const char* name, int otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoi(value);
}

std::string TestName(std::string id) {
  std::replace_if(
      id.begin(), id.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; },
      '_');
  return id;
}

}  // namespace crossriver::testing
