// One entry of a piece's `moves` in a variant file.
#ifndef CROSSRIVER_CORE_ATOM_READER_H_
#define CROSSRIVER_CORE_ATOM_READER_H_

#include <optional>

#include "core/toml_reader.h"
#include "core/variant.h"

namespace crossriver {

// The field `through`, of a piece or of one of its moves.
std::optional<Through> ReadThrough(TableReader* reader);

// Reads an atom; `piece_through` holds where the move does not say. Nothing where a toggle turns it
// off or its kind is unknown. Mistakes go to the reader's diagnostics.
std::optional<Atom> ReadAtom(TableReader* reader, const VariantDefinition& definition,
                             Through piece_through);

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_ATOM_READER_H_
