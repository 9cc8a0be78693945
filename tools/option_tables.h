// Options that are stated in lists (nn/number_option.h), from tables of a config and back. Includes
// toml++: keep it out of other headers.
#ifndef CROSSRIVER_TOOLS_OPTION_TABLES_H_
#define CROSSRIVER_TOOLS_OPTION_TABLES_H_

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/toml_reader.h"
#include "nn/number_option.h"

namespace crossriver {

template <typename T>
void Set(const std::optional<T>& value, T* target) {
  if (value.has_value()) *target = *value;
}

template <typename Options>
void ReadNumbers(const std::vector<NumberOption<Options, int>>& numbers, TableReader* table,
                 Options* options) {
  for (const auto& number : numbers) {
    Set(table->Int(number.name, number.min, number.max), &(options->*number.member));
  }
}
template <typename Options>
void ReadNumbers(const std::vector<NumberOption<Options, double>>& numbers, TableReader* table,
                 Options* options) {
  for (const auto& number : numbers) {
    Set(table->Number(number.name, number.min, number.max), &(options->*number.member));
  }
}

// The word for one of TableReader::Choice's values.
template <typename T>
const std::string& NameOf(const std::vector<std::pair<std::string, T>>& names, T value) {
  return std::find_if(names.begin(), names.end(),
                      [value](const auto& entry) { return entry.second == value; })
      ->first;
}

// The shortest text that reads as the same number.
template <typename Number>
std::string ExactText(Number value) {
  char text[40];
  return {text, std::to_chars(text, text + sizeof(text), value).ptr};
}

// "name = value", one a line.
template <typename Options, typename Number>
void WriteNumbers(const std::vector<NumberOption<Options, Number>>& numbers, const Options& options,
                  std::string* text) {
  for (const auto& number : numbers) {
    absl::StrAppend(text, number.name, " = ", ExactText(options.*number.member), "\n");
  }
}

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_OPTION_TABLES_H_
