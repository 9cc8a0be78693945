#include "core/variant_loader.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/notation.h"
#include "core/spelling.h"

namespace crossriver {

absl::StatusOr<std::shared_ptr<const Rules>> LoadVariant(const VariantSource& source,
                                                         const VariantResolver& resolve) {
  absl::StatusOr<VariantDefinition> definition = ReadVariant(source, resolve);
  if (!definition.ok()) return definition.status();
  absl::StatusOr<std::shared_ptr<const Rules>> rules = Rules::Compile(*std::move(definition));
  if (!rules.ok()) return rules;
  const VariantDefinition& compiled = (*rules)->definition();
  const absl::StatusOr<Position> start = ParseFen(**rules, compiled.start_fen);
  if (!start.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        compiled.start_fen_location, ": field 'start_fen': ", start.status().message()));
  }
  return rules;
}

absl::StatusOr<VariantSource> ResolveBuiltin(absl::string_view id) {
  std::vector<std::string> ids;
  for (const VariantSource& file : BuiltinVariantFiles()) {
    if (file.id == id) return file;
    ids.push_back(file.id);
  }
  return absl::NotFoundError(
      absl::StrCat("unknown variant '", Printable(id), "'", Suggestion(id, ids)));
}

const std::vector<std::string>& BuiltinVariantIds() {
  static const auto& ids = *[] {
    auto* list = new std::vector<std::string>;
    for (const VariantSource& file : BuiltinVariantFiles()) {
      if (!IsAbstract(file)) list->push_back(file.id);
    }
    std::sort(list->begin(), list->end());
    return list;
  }();
  return ids;
}

absl::StatusOr<std::shared_ptr<const Rules>> LoadBuiltin(absl::string_view id) {
  for (const std::string& known : BuiltinVariantIds()) {
    if (known == id) return LoadVariant(*ResolveBuiltin(id), ResolveBuiltin);
  }
  return absl::NotFoundError(
      absl::StrCat("unknown variant '", Printable(id), "'", Suggestion(id, BuiltinVariantIds())));
}

}  // namespace crossriver
