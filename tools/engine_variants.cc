#include "tools/engine_variants.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "core/spelling.h"

namespace crossriver {

VariantNames::VariantNames(Protocol protocol, const std::vector<VariantSource>& files,
                           const VariantResolver& resolve) {
  std::vector<VariantDefinition> definitions;
  for (const VariantSource& file : files) {
    if (IsAbstract(file)) continue;
    absl::StatusOr<VariantDefinition> definition = ReadVariant(file, resolve);
    if (!definition.ok()) continue;
    if (protocol == Protocol::kUsi && definition->sfen_hand_order.empty()) continue;
    definitions.push_back(*std::move(definition));
  }
  const auto add = [this](const std::string& name, const std::string& id) {
    if (name.empty() || !ids_.emplace(absl::AsciiStrToLower(name), id).second) return;
    names_.push_back(name);
  };
  for (const VariantDefinition& definition : definitions) add(definition.id, definition.id);
  for (const VariantDefinition& definition : definitions) {
    add(definition.reference.uci_variant, definition.id);
  }
  std::sort(names_.begin(), names_.end());
}

absl::StatusOr<std::string> VariantNames::IdOf(absl::string_view name) const {
  const auto found = ids_.find(absl::AsciiStrToLower(name));
  if (found != ids_.end()) return found->second;
  return absl::NotFoundError(
      absl::StrCat("unknown variant ", Quoted(name), Suggestion(name, names_)));
}

}  // namespace crossriver
