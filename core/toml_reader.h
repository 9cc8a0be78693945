// Reading TOML with errors a user can act on: file, line, field, what was expected.
//
// Includes toml++, which is slow to compile: keep it out of other headers.
#ifndef CROSSRIVER_CORE_TOML_READER_H_
#define CROSSRIVER_CORE_TOML_READER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/spelling.h"
#include "core/toml.h"

namespace crossriver {

inline constexpr size_t kMaxDocumentBytes = 1 << 16;

// Parses a document; `label` names it in errors. Never throws.
absl::StatusOr<toml::table> ParseToml(absl::string_view text, const std::string& label);

// Adds to `child` what only `parent` has, table by table, but no key of which `is_replaced(child
// table, key)` says that the child has another way to say it. Nodes are moved, because a copied one
// forgets its file and line.
void MergeTables(toml::table&& parent, toml::table* child,
                 absl::FunctionRef<bool(const toml::table&, std::string_view)> is_replaced);

// Collects mistakes, one printable line each: "file:line: field 'rules.stalemate': message".
class Diagnostics {
 public:
  // `node` gives file and line; where it has none (a missing field), `fallback` does.
  void Add(const toml::node* node, const toml::node& fallback, const std::string& field,
           const std::string& message);
  bool empty() const { return lines_.empty(); }
  // OK, or InvalidArgument with the lines joined by newlines.
  absl::Status status() const;

 private:
  std::vector<std::string> lines_;
};

// "file:line" of a node.
std::string LocationOf(const toml::node& node);

// One table of a document. Every key asked for counts as known; Finish reports the others with the
// nearest known spelling. Getters return nothing where the key is absent or, after adding a
// diagnostic, where its value is wrong.
class TableReader {
 public:
  TableReader(const toml::table& table, std::string path, Diagnostics* diagnostics)
      : table_(&table), path_(std::move(path)), diagnostics_(diagnostics) {}

  std::optional<std::string> String(const char* key);
  std::optional<bool> Bool(const char* key);
  std::optional<int> Int(const char* key, int min, int max);
  // An integer will do too.
  std::optional<double> Number(const char* key, double min, double max);
  const toml::array* Array(const char* key);
  std::optional<TableReader> Table(const char* key);
  // A string, or an array of strings.
  std::vector<std::string> Strings(const char* key);
  // One of the named values.
  template <typename T>
  std::optional<T> Choice(const char* key, const std::vector<std::pair<std::string, T>>& choices);
  const toml::node* Node(const char* key);

  // Whether a key that the user chose is a name: letters, digits, _ and -. Reports it otherwise.
  bool IsName(absl::string_view key);

  void Error(const char* key, const std::string& message);
  void MissingKey(const char* key, const std::string& expected);
  void Finish();

  const toml::table& table() const { return *table_; }
  std::string FieldName(absl::string_view key) const;
  Diagnostics* diagnostics() const { return diagnostics_; }

 private:
  const toml::table* table_;
  std::string path_;  // "pieces.knight", empty for the document
  Diagnostics* diagnostics_;
  std::vector<std::string> known_;
};

template <typename T>
std::optional<T> TableReader::Choice(const char* key,
                                     const std::vector<std::pair<std::string, T>>& choices) {
  const std::optional<std::string> word = String(key);
  if (!word.has_value()) return std::nullopt;
  std::vector<std::string> names;
  for (const auto& [name, value] : choices) {
    if (*word == name) return value;
    names.push_back(name);
  }
  Error(key, "unknown value '" + *word + "'" + Suggestion(*word, names));
  return std::nullopt;
}

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_TOML_READER_H_
