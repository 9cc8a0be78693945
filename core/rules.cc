#include "core/rules.h"

#include <utility>

#include "core/rules_builder.h"

namespace crossriver {

absl::StatusOr<std::shared_ptr<const Rules>> Rules::Compile(VariantDefinition definition) {
  return RulesBuilder(std::move(definition)).Build();
}

}  // namespace crossriver
