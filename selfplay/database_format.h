// Kinds of databases: which is whose, and of which version.
#ifndef CROSSRIVER_SELFPLAY_DATABASE_FORMAT_H_
#define CROSSRIVER_SELFPLAY_DATABASE_FORMAT_H_

#include <cstdint>

#include "absl/status/status.h"
#include "selfplay/database.h"

namespace crossriver {

struct DatabaseFormat {
  int64_t application_id = 0;  // tells this kind of database from others, for `file` too
  int64_t version = 0;         // bumped when older programs can't read what newer ones write
  const char* tables = "";     // SQL that makes them
};

// Makes the tables in an empty database. Errors: as CheckFormat.
absl::Status PrepareFormat(const DatabaseFormat& format, Database* database);
// That the database is of this kind and version; the error says which it is.
absl::Status CheckFormat(const DatabaseFormat& format, Database* database);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_DATABASE_FORMAT_H_
