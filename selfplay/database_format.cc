#include "selfplay/database_format.h"

#include "absl/strings/str_cat.h"

namespace crossriver {

absl::Status CheckFormat(const DatabaseFormat& format, Database* database) {
  const absl::StatusOr<int64_t> application = database->QueryInt("PRAGMA application_id");
  if (!application.ok()) return application.status();
  const absl::StatusOr<int64_t> version = database->QueryInt("PRAGMA user_version");
  if (!version.ok()) return version.status();
  if (*application != format.application_id) {
    return absl::InvalidArgumentError(
        absl::StrCat(database->path(), ": is the database of another program"));
  }
  if (*version == format.version) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      database->path(), ": has format ", *version, ", this program reads format ", format.version,
      *version > format.version ? "; use a newer crossriver" : "; use the crossriver it is of"));
}

absl::Status PrepareFormat(const DatabaseFormat& format, Database* database) {
  return database->Transaction([&]() -> absl::Status {
    const absl::StatusOr<int64_t> tables = database->QueryInt("SELECT count(*) FROM sqlite_schema");
    if (!tables.ok()) return tables.status();
    if (*tables != 0) return CheckFormat(format, database);
    return database->Execute(absl::StrCat(format.tables,
                                          "PRAGMA application_id = ", format.application_id,
                                          "; PRAGMA user_version = ", format.version, ";"));
  });
}

}  // namespace crossriver
