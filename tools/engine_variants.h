// The variants that a user interface may choose from.
#ifndef CROSSRIVER_TOOLS_ENGINE_VARIANTS_H_
#define CROSSRIVER_TOOLS_ENGINE_VARIANTS_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/variant_loader.h"
#include "tools/engine_command.h"

namespace crossriver {

// Variants by their ids and by the names that other engines have for them (the reference's
// uci_variant), which an id takes precedence over. In USI only those that have SFEN. Immutable.
class VariantNames {
 public:
  explicit VariantNames(Protocol protocol,
                        const std::vector<VariantSource>& files = BuiltinVariantFiles(),
                        const VariantResolver& resolve = ResolveBuiltin);

  // All names, sorted.
  const std::vector<std::string>& names() const { return names_; }
  // The id that a name stands for; case does not matter. The error has the nearest name.
  absl::StatusOr<std::string> IdOf(absl::string_view name) const;

 private:
  std::map<std::string, std::string> ids_;  // by name in lower case
  std::vector<std::string> names_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_TOOLS_ENGINE_VARIANTS_H_
