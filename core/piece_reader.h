// The [pieces.*] tables of a variant file.
#ifndef CROSSRIVER_CORE_PIECE_READER_H_
#define CROSSRIVER_CORE_PIECE_READER_H_

#include "core/toml_reader.h"
#include "core/variant.h"

namespace crossriver {

// Fills definition->pieces from the table `pieces`, whose keys are piece ids; the topology, zones
// and toggles of the definition must have been read. Mistakes go to the reader's diagnostics.
void ReadPieces(TableReader* pieces, VariantDefinition* definition);

// The zone called `name` ("all" is the whole board); reports an unknown one under `key`.
SquareSet ZoneNamed(TableReader* reader, const char* key, const std::string& name,
                    const VariantDefinition& definition);

}  // namespace crossriver

#endif  // CROSSRIVER_CORE_PIECE_READER_H_
