// Variants that are played and learnt by one network.
#ifndef CROSSRIVER_CORE_VARIANT_GROUP_H_
#define CROSSRIVER_CORE_VARIANT_GROUP_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/rules.h"

namespace crossriver {

// One variant or several of one family, which have the same pieces and moves to choose from. The
// first is the one that counts where there can only be one, as in matches. Immutable, thread-safe;
// copies share the rules.
class VariantGroup {
 public:
  // One alone. Implicit, so that whatever serves a group serves a variant.
  VariantGroup(std::shared_ptr<const Rules> only);  // NOLINT(google-explicit-constructor)
  // At least one. Errors (InvalidArgument): one that is there twice, by its id or by its rules; one
  // of another family than the first, or of the same in name only, with other pieces or zones.
  static absl::StatusOr<VariantGroup> Create(std::vector<std::shared_ptr<const Rules>> variants);

  size_t size() const { return variants_.size(); }
  const std::shared_ptr<const Rules>& operator[](size_t index) const { return variants_[index]; }
  const std::shared_ptr<const Rules>& first() const { return variants_.front(); }
  // By Rules::hash, which tells them apart; null where none of them has it.
  const Rules* Find(uint64_t hash) const;
  // The index of the one with this id.
  std::optional<size_t> FindById(absl::string_view id) const;
  // The first where none has the hash, for callers who then hear from it what does not fit.
  const Rules& FindOrFirst(uint64_t hash) const;
  // Valid as long as a copy of the group lives.
  std::vector<const Rules*> pointers() const;

 private:
  std::vector<std::shared_ptr<const Rules>> variants_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_VARIANT_GROUP_H_
