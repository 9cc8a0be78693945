#include "core/variant_merge.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace crossriver {
namespace {

constexpr size_t kMaxChain = 16;

// Keys of which a table has one: a child that has the other replaces its parent's.
bool IsReplacedBy(const toml::table& child, std::string_view key) {
  return (key == "moves" && child.contains("moves_like")) ||
         (key == "moves_like" && child.contains("moves"));
}

absl::Status FieldError(const toml::node& node, const std::string& message) {
  return absl::InvalidArgumentError(
      Printable(absl::StrCat(LocationOf(node), ": field 'inherits': ", message)));
}

}  // namespace

absl::StatusOr<toml::table> MergeInherited(const VariantSource& source,
                                           const VariantResolver& resolve) {
  absl::StatusOr<toml::table> merged = ParseToml(source.text, source.label);
  if (!merged.ok()) return merged;
  std::vector<std::string> chain = {source.id};
  std::vector<std::string> labels = {source.label};
  const toml::node* inherits = merged->get("inherits");
  toml::table parent;  // keeps `inherits` alive
  while (inherits != nullptr) {
    const auto* parent_id = inherits->as_string();
    if (parent_id == nullptr) return FieldError(*inherits, "expected a variant id");
    absl::StatusOr<VariantSource> found = resolve(parent_id->get());
    if (!found.ok()) return FieldError(*inherits, std::string(found.status().message()));
    // Two files may have one id: a user's file and the built-in one that it inherits.
    const bool cycle = std::find(labels.begin(), labels.end(), found->label) != labels.end();
    chain.push_back(found->id);
    labels.push_back(found->label);
    if (cycle || chain.size() > kMaxChain) {
      return FieldError(*inherits, absl::StrCat(cycle ? "a cycle: " : "too long a chain: ",
                                                absl::StrJoin(chain, " -> ")));
    }
    absl::StatusOr<toml::table> next = ParseToml(found->text, found->label);
    if (!next.ok()) return next.status();
    // `inherits`, `abstract` and `reference` belong to a file alone.
    toml::table rest = *std::move(next);
    parent = toml::table();
    if (toml::node* up = rest.get("inherits")) {
      up->visit([&parent](auto& value) { parent.insert("inherits", std::move(value)); });
    }
    rest.erase("inherits");
    rest.erase("abstract");
    rest.erase("reference");
    MergeTables(std::move(rest), &*merged, IsReplacedBy);
    inherits = parent.get("inherits");
  }
  return merged;
}

}  // namespace crossriver
