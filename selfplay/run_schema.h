// The tables of run.db.
#ifndef CROSSRIVER_SELFPLAY_RUN_SCHEMA_H_
#define CROSSRIVER_SELFPLAY_RUN_SCHEMA_H_

#include "absl/status/status.h"
#include "selfplay/database.h"

namespace crossriver {

// Bumped whenever a program of an older version could not read what a newer one writes.
inline constexpr int kRunSchemaVersion = 1;

// Makes the tables in an empty database. Errors: as CheckRunSchema.
absl::Status PrepareRunSchema(Database* database);
// That the database is one of ours and of this version; the error says which it is.
absl::Status CheckRunSchema(Database* database);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_RUN_SCHEMA_H_
