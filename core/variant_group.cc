#include "core/variant_group.h"

#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/check.h"

namespace crossriver {
namespace {

std::set<Kind> PromotedKinds(const Rules& rules) {
  std::set<Kind> promoted;
  for (const PieceDefinition& piece : rules.definition().pieces) {
    for (const PromotionRule& rule : piece.promotions) promoted.insert(rule.to);
  }
  return promoted;
}

// Kinds have the same numbers, so that one table of them serves both.
bool HaveSameKinds(const Rules& a, const Rules& b) {
  if (a.num_kinds() != b.num_kinds()) return false;
  for (Kind kind = 0; kind < a.num_kinds(); ++kind) {
    if (a.kind(kind).id != b.kind(kind).id || a.kind(kind).base != b.kind(kind).base) return false;
  }
  return PromotedKinds(a) == PromotedKinds(b);
}

absl::Status CheckFits(const Rules& first, const Rules& other) {
  const VariantDefinition& a = first.definition();
  const VariantDefinition& b = other.definition();
  const auto wrong = [&b](const auto&... parts) {
    return absl::InvalidArgumentError(absl::StrCat("variant '", b.id, "' ", parts...));
  };
  if (a.family != b.family) {
    return wrong("is of family '", b.family, "', '", a.id, "' of '", a.family, "'");
  }
  if (first.num_cells() != other.num_cells()) return wrong("has another board than '", a.id, "'");
  if (!HaveSameKinds(first, other)) return wrong("has other pieces than '", a.id, "'");
  if (a.zones != b.zones) return wrong("has other zones than '", a.id, "'");
  return absl::OkStatus();
}

}  // namespace

VariantGroup::VariantGroup(std::shared_ptr<const Rules> only) : variants_{std::move(only)} {
  CR_CHECK(variants_.front() != nullptr);
}

absl::StatusOr<VariantGroup> VariantGroup::Create(
    std::vector<std::shared_ptr<const Rules>> variants) {
  CR_CHECK(!variants.empty());
  VariantGroup group(std::move(variants.front()));
  for (size_t i = 1; i < variants.size(); ++i) {
    const std::string& id = variants[i]->definition().id;
    for (const std::shared_ptr<const Rules>& known : group.variants_) {
      const std::string& other = known->definition().id;
      if (other == id) {
        return absl::InvalidArgumentError(absl::StrCat("variant '", id, "' is there twice"));
      }
      if (known->hash() == variants[i]->hash()) {
        return absl::InvalidArgumentError(
            absl::StrCat("variant '", id, "' has the rules of '", other, "', so games can't tell"));
      }
    }
    absl::Status fits = CheckFits(*group.first(), *variants[i]);
    if (!fits.ok()) return fits;
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

std::optional<size_t> VariantGroup::FindById(absl::string_view id) const {
  for (size_t i = 0; i < variants_.size(); ++i) {
    if (variants_[i]->definition().id == id) return i;
  }
  return std::nullopt;
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
