#include "core/toml_reader.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace crossriver {
namespace {

constexpr size_t kMaxDots = 32;

// The line of a dotted key with more than kMaxDots dots, or 0: dotted keys nest tables, which
// toml++ destroys recursively. Text with as many dots and nothing that separates words counts too.
int TooDeeplyDotted(absl::string_view text) {
  int line = 1;
  size_t dots = 0;
  for (const char c : text) {
    if (c == '.') {
      if (++dots > kMaxDots) return line;
    } else if (c == '\n' || c == ',' || c == '=' || c == '{' || c == '[' || c == '#') {
      dots = 0;
      if (c == '\n') ++line;
    }
  }
  return 0;
}

std::string TypeName(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a float";
    case toml::node_type::boolean:
      return "a boolean";
    default:
      return "a date or time";
  }
}

}  // namespace

absl::StatusOr<toml::table> ParseToml(absl::string_view text, const std::string& label) {
  if (text.size() > kMaxDocumentBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat(label, ": ", text.size(), " bytes, expected at most ", kMaxDocumentBytes));
  }
  if (const int line = TooDeeplyDotted(text); line > 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(label, ":", line, ": a dotted name with more than ", kMaxDots, " dots"));
  }
  toml::parse_result result = toml::parse(std::string_view(text.data(), text.size()), label);
  if (!result) {
    const std::string_view what = result.error().description();
    return absl::InvalidArgumentError(
        Printable(absl::StrCat(label, ":", result.error().source().begin.line,
                               ": not TOML: ", absl::string_view(what.data(), what.size()))));
  }
  return std::move(result).table();
}

std::string LocationOf(const toml::node& node) {
  const toml::source_region& region = node.source();
  const std::string file = region.path ? *region.path : "?";
  return region.begin.line == 0 ? file : absl::StrCat(file, ":", region.begin.line);
}

void MergeTables(toml::table&& parent, toml::table* child,
                 absl::FunctionRef<bool(const toml::table&, std::string_view)> is_replaced) {
  for (auto&& [key, node] : parent) {
    toml::node* own = child->get(key.str());
    if (own == nullptr && !is_replaced(*child, key.str())) {
      node.visit([&key = key, child](auto& value) { child->insert(key, std::move(value)); });
    } else if (own != nullptr && own->is_table() && node.is_table()) {
      MergeTables(std::move(*node.as_table()), own->as_table(), is_replaced);
    }
  }
}

void Diagnostics::Add(const toml::node* node, const toml::node& fallback, const std::string& field,
                      const std::string& message) {
  const bool located = node != nullptr && node->source().path;
  lines_.push_back(Printable(
      absl::StrCat(LocationOf(located ? *node : fallback), ": field '", field, "': ", message)));
}

absl::Status Diagnostics::status() const {
  if (lines_.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrJoin(lines_, "\n"));
}

std::string TableReader::FieldName(absl::string_view key) const {
  if (path_.empty() || key.empty()) return absl::StrCat(path_, key);
  return absl::StrCat(path_, ".", key);
}

const toml::node* TableReader::Node(const char* key) {
  known_.emplace_back(key);
  return table_->get(key);
}

void TableReader::Error(const char* key, const std::string& message) {
  diagnostics_->Add(table_->get(key), *table_, FieldName(key), message);
}

void TableReader::MissingKey(const char* key, const std::string& expected) {
  if (table_->get(key) == nullptr) Error(key, absl::StrCat("missing; expected ", expected));
}

std::optional<std::string> TableReader::String(const char* key) {
  const toml::node* node = Node(key);
  if (node == nullptr) return std::nullopt;
  if (const auto* value = node->as_string()) return value->get();
  Error(key, absl::StrCat("expected a string, found ", TypeName(*node)));
  return std::nullopt;
}

std::optional<bool> TableReader::Bool(const char* key) {
  const toml::node* node = Node(key);
  if (node == nullptr) return std::nullopt;
  if (const auto* value = node->as_boolean()) return value->get();
  Error(key, absl::StrCat("expected true or false, found ", TypeName(*node)));
  return std::nullopt;
}

std::optional<int> TableReader::Int(const char* key, int min, int max) {
  const toml::node* node = Node(key);
  if (node == nullptr) return std::nullopt;
  const auto* value = node->as_integer();
  if (value == nullptr) {
    Error(key, absl::StrCat("expected an integer, found ", TypeName(*node)));
  } else if (value->get() < min || value->get() > max) {
    Error(key, absl::StrCat(value->get(), " is out of range, expected ", min, " to ", max));
  } else {
    return static_cast<int>(value->get());
  }
  return std::nullopt;
}

std::optional<double> TableReader::Number(const char* key, double min, double max) {
  const toml::node* node = Node(key);
  if (node == nullptr) return std::nullopt;
  const std::optional<double> value = node->value<double>();
  if (!value.has_value()) {
    Error(key, absl::StrCat("expected a number, found ", TypeName(*node)));
  } else if (!(*value >= min && *value <= max)) {
    Error(key, absl::StrCat(*value, " is out of range, expected ", min, " to ", max));
  } else {
    return value;
  }
  return std::nullopt;
}

const toml::array* TableReader::Array(const char* key) {
  const toml::node* node = Node(key);
  if (node == nullptr) return nullptr;
  if (const toml::array* array = node->as_array()) return array;
  Error(key, absl::StrCat("expected an array, found ", TypeName(*node)));
  return nullptr;
}

std::optional<TableReader> TableReader::Table(const char* key) {
  const toml::node* node = Node(key);
  if (node == nullptr) return std::nullopt;
  if (const toml::table* table = node->as_table()) {
    return TableReader(*table, FieldName(key), diagnostics_);
  }
  Error(key, absl::StrCat("expected a table, found ", TypeName(*node)));
  return std::nullopt;
}

std::vector<std::string> TableReader::Strings(const char* key) {
  const toml::node* node = Node(key);
  std::vector<std::string> strings;
  if (node == nullptr) return strings;
  if (const auto* value = node->as_string()) return {value->get()};
  if (const toml::array* array = node->as_array()) {
    for (const toml::node& element : *array) {
      const auto* value = element.as_string();
      if (value == nullptr) {
        Error(key, absl::StrCat("expected strings, found ", TypeName(element)));
        return {};
      }
      strings.push_back(value->get());
    }
    return strings;
  }
  Error(key, absl::StrCat("expected a string or an array of strings, found ", TypeName(*node)));
  return strings;
}

bool TableReader::IsName(absl::string_view key) {
  const bool is_name = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
  if (!is_name) {
    diagnostics_->Add(table_->get(std::string_view(key.data(), key.size())), *table_,
                      FieldName(key), "not a name; expected letters, digits, _ and -");
  }
  return is_name;
}

void TableReader::Finish() {
  for (const auto& [key, node] : *table_) {
    const std::string name(key.str());
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    std::vector<std::string> sorted = known_;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    diagnostics_->Add(&node, *table_, FieldName(name),
                      absl::StrCat("unknown key", Suggestion(name, sorted)));
  }
}

}  // namespace crossriver
