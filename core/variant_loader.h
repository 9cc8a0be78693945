// From the text of a variant file to compiled rules, and the variants built into the program.
#ifndef CROSSRIVER_CORE_VARIANT_LOADER_H_
#define CROSSRIVER_CORE_VARIANT_LOADER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/rules.h"
#include "core/variant_reader.h"

namespace crossriver {

// Reads, compiles and checks the start position. The error lists every mistake, one a line.
absl::StatusOr<std::shared_ptr<const Rules>> LoadVariant(const VariantSource& source,
                                                         const VariantResolver& resolve);

// The files of configs/variants as compiled into the program, by id, bases included.
const std::vector<VariantSource>& BuiltinVariantFiles();
absl::StatusOr<VariantSource> ResolveBuiltin(absl::string_view id);

// The ids of the built-in variants that can be played, sorted.
const std::vector<std::string>& BuiltinVariantIds();

// A built-in variant by id; the error for an unknown one has the nearest spelling. Compiled anew on
// each call.
absl::StatusOr<std::shared_ptr<const Rules>> LoadBuiltin(absl::string_view id);

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_VARIANT_LOADER_H_
