#include "core/variant_group.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/check.h"

namespace crossriver {

VariantGroup::VariantGroup(std::shared_ptr<const Rules> only) : variants_{std::move(only)} {
  CR_CHECK(variants_.front() != nullptr);
}

absl::StatusOr<VariantGroup> VariantGroup::Create(
    std::vector<std::shared_ptr<const Rules>> variants) {
  CR_CHECK(!variants.empty());
  VariantGroup group(std::move(variants.front()));
  const VariantDefinition& first = group.first()->definition();
  for (size_t i = 1; i < variants.size(); ++i) {
    const VariantDefinition& definition = variants[i]->definition();
    if (definition.family != first.family) {
      return absl::InvalidArgumentError(absl::StrCat("variant '", definition.id, "' is of family '",
                                                     definition.family, "', '", first.id, "' of '",
                                                     first.family, "'"));
    }
    if (group.Find(variants[i]->hash()) != nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("variant '", definition.id, "' is there twice"));
    }
    group.variants_.push_back(std::move(variants[i]));
  }
  return group;
}

const Rules* VariantGroup::Find(uint64_t hash) const {
  for (const std::shared_ptr<const Rules>& variant : variants_) {
    if (variant->hash() == hash) return variant.get();
  }
  return nullptr;
}

const Rules& VariantGroup::FindOrFirst(uint64_t hash) const {
  const Rules* found = Find(hash);
  return found != nullptr ? *found : *first();
}

std::vector<const Rules*> VariantGroup::pointers() const {
  std::vector<const Rules*> pointers;
  for (const std::shared_ptr<const Rules>& variant : variants_) pointers.push_back(variant.get());
  return pointers;
}

}  // namespace crossriver
