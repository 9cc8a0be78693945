// Variant definitions from text, with inheritance and validation.
#ifndef CROSSRIVER_CORE_VARIANT_READER_H_
#define CROSSRIVER_CORE_VARIANT_READER_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/variant.h"

namespace crossriver {

// The text of one variant file. Core opens no files; whoever calls supplies the texts.
struct VariantSource {
  std::string id;     // how other files inherit it: "switchback"
  std::string label;  // in error messages: "configs/variants/switchback.toml"
  std::string text;
};

// Finds the file that another one inherits, by id. NotFound where there is none.
using VariantResolver = std::function<absl::StatusOr<VariantSource>(absl::string_view id)>;

// Reads and validates a definition; an abstract file is none. A table of the child is merged into
// its parent's, any other value replaces it. The error lists every mistake found, one a line, as
// "file:line: field 'pieces.knight.moves[0].dirs': what is wrong, what was expected".
absl::StatusOr<VariantDefinition> ReadVariant(const VariantSource& source,
                                              const VariantResolver& resolve);

// True for a file that only serves as a base for others (`abstract = true`), or that is not TOML.
bool IsAbstract(const VariantSource& source);

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_VARIANT_READER_H_
