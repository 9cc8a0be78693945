// Inheritance of variant files: a document with its ancestors merged in.
#ifndef CROSSRIVER_CORE_VARIANT_MERGE_H_
#define CROSSRIVER_CORE_VARIANT_MERGE_H_

#include "absl/status/statusor.h"
#include "core/toml_reader.h"
#include "core/variant_reader.h"

namespace crossriver {

// The document of `source` over those it inherits, each node still knowing its file and line.
// Errors: not TOML, an unknown parent, a cycle, a chain of more than 16 files.
absl::StatusOr<toml::table> MergeInherited(const VariantSource& source,
                                           const VariantResolver& resolve);

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_VARIANT_MERGE_H_
