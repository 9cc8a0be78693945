#include "selfplay/database.h"

#include <sqlite3.h>

#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "core/check.h"

namespace crossriver {
namespace {

// A path as SQLite's URI.
std::string ToUri(const std::string& path, absl::string_view query) {
  std::string uri = "file:";
  for (const char letter : path) {
    if (letter == '?' || letter == '#' || letter == '%') {
      absl::StrAppend(&uri, "%", absl::Hex(static_cast<unsigned char>(letter), absl::kZeroPad2));
    } else {
      uri.push_back(letter);
    }
  }
  return absl::StrCat(uri, "?", query);
}

bool HasLog(const std::string& path) {
  std::error_code error;
  return std::filesystem::file_size(path + "-wal", error) > 0 && !error;
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Statement::Bind(int parameter, int64_t value) {
  CR_CHECK(sqlite3_bind_int64(statement_.get(), parameter + 1, value) == SQLITE_OK);
}

void Statement::Bind(int parameter, double value) {
  CR_CHECK(sqlite3_bind_double(statement_.get(), parameter + 1, value) == SQLITE_OK);
}

// A null pointer would bind NULL.
void Statement::BindText(int parameter, absl::string_view value) {
  const char* data = value.data() == nullptr ? "" : value.data();
  CR_CHECK(sqlite3_bind_text64(statement_.get(), parameter + 1, data, value.size(), SQLITE_STATIC,
                               SQLITE_UTF8) == SQLITE_OK);
}

void Statement::BindBlob(int parameter, absl::string_view value) {
  const char* data = value.data() == nullptr ? "" : value.data();
  CR_CHECK(sqlite3_bind_blob64(statement_.get(), parameter + 1, data, value.size(),
                               SQLITE_STATIC) == SQLITE_OK);
}

void Statement::BindNull(int parameter) {
  CR_CHECK(sqlite3_bind_null(statement_.get(), parameter + 1) == SQLITE_OK);
}

absl::StatusOr<bool> Statement::Step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  absl::Status error = database_->Error(code);
  Reset();
  return error;
}

absl::Status Statement::Run() {
  absl::Status status = Step().status();
  Reset();
  return status;
}

void Statement::Reset() { sqlite3_reset(statement_.get()); }

int64_t Statement::Int(int column) const { return sqlite3_column_int64(statement_.get(), column); }

double Statement::Real(int column) const { return sqlite3_column_double(statement_.get(), column); }

bool Statement::IsNull(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

absl::string_view Statement::Bytes(int column) const {
  const void* data = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  if (data == nullptr) return {};
  return {static_cast<const char*>(data), static_cast<size_t>(size)};
}

void Database::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

absl::Status Database::OpenHandle(const std::string& name, int flags) {
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &handle,
                                   flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  handle_.reset(handle);
  return code == SQLITE_OK ? absl::OkStatus() : Error(code);
}

absl::StatusOr<std::unique_ptr<Database>> Database::Open(const std::string& path, Mode mode,
                                                         std::chrono::milliseconds busy_timeout) {
  std::error_code error;
  if (mode != Mode::kCreate && !std::filesystem::exists(path, error)) {
    return absl::NotFoundError(absl::StrCat(path, ": does not exist"));
  }
  std::unique_ptr<Database> database(new Database(path));
  int flags = SQLITE_OPEN_READONLY;
  if (mode == Mode::kWrite) flags = SQLITE_OPEN_READWRITE;
  if (mode == Mode::kCreate) flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  absl::Status status = database->OpenHandle(ToUri(path, ""), flags);
  if (!status.ok()) return status;
  // SQLite opens nothing until it is asked something. Reading in WAL mode takes a shared file
  // beside the database; where none can be made, and there is no log, nobody is writing.
  const auto probe = [&] {
    sqlite3_busy_timeout(database->handle(), static_cast<int>(busy_timeout.count()));
    return database->QueryInt("SELECT count(*) FROM sqlite_schema").status();
  };
  status = probe();
  if (!status.ok() && mode == Mode::kReadOnly && !absl::IsDataLoss(status) && !HasLog(path)) {
    status = database->OpenHandle(ToUri(path, "immutable=1"), flags);
    if (status.ok()) status = probe();
  }
  if (!status.ok()) return status;
  // A damaged or hostile file must not make SQLite trust its own schema.
  sqlite3_db_config(database->handle(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database->handle(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  return database;
}

absl::Status Database::Execute(const std::string& sql) {
  const int code = sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr);
  return code == SQLITE_OK ? absl::OkStatus() : Error(code);
}

absl::StatusOr<Statement> Database::Prepare(absl::string_view sql) {
  sqlite3_stmt* raw = nullptr;
  const int code =
      sqlite3_prepare_v2(handle(), sql.data(), static_cast<int>(sql.size()), &raw, nullptr);
  Statement statement;
  statement.statement_.reset(raw);
  statement.database_ = this;
  if (code != SQLITE_OK) return Error(code);
  return statement;
}

absl::StatusOr<int64_t> Database::QueryInt(absl::string_view sql) {
  absl::StatusOr<Statement> statement = Prepare(sql);
  if (!statement.ok()) return statement.status();
  const absl::StatusOr<bool> row = statement->Step();
  if (!row.ok()) return row.status();
  if (!*row) return absl::NotFoundError(absl::StrCat(path_, ": no row for ", sql));
  return statement->Int(0);
}

absl::Status Database::Transaction(absl::FunctionRef<absl::Status()> work) {
  absl::Status status = Execute("BEGIN IMMEDIATE");
  if (!status.ok()) return status;
  status = work();
  if (status.ok()) status = Execute("COMMIT");
  // Some errors have rolled it back already.
  if (!status.ok() && sqlite3_get_autocommit(handle()) == 0) (void)Execute("ROLLBACK");
  return status;
}

int64_t Database::changes() const { return sqlite3_changes64(handle()); }

absl::Status Database::CopyTo(const std::string& path) {
  absl::StatusOr<std::unique_ptr<Database>> target =
      Open(path, Mode::kCreate, std::chrono::milliseconds(0));
  if (!target.ok()) return target.status();
  sqlite3_backup* backup = sqlite3_backup_init((*target)->handle(), "main", handle(), "main");
  if (backup == nullptr) return (*target)->Error(sqlite3_errcode((*target)->handle()));
  // In one step: a copy in several starts anew whenever the database is written to meanwhile.
  const int code = sqlite3_backup_step(backup, -1);
  sqlite3_backup_finish(backup);
  if (code != SQLITE_DONE) return (*target)->Error(code);
  // The copy is one file.
  return (*target)->Execute("PRAGMA journal_mode = DELETE");
}

absl::Status Database::TruncateLog() {
  const int code =
      sqlite3_wal_checkpoint_v2(handle(), nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
  // Busy: a reader still needs the log. The next call gets it.
  return code == SQLITE_OK || code == SQLITE_BUSY ? absl::OkStatus() : Error(code);
}

absl::Status Database::Error(int code) const {
  const std::string what = absl::StrCat(
      path_, ": ", handle() == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(handle()));
  switch (code & 0xFF) {
    case SQLITE_FULL:
      return absl::ResourceExhaustedError(
          absl::StrCat(what, ". Free some space on that disk and go on: what was stored is safe"));
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
      return absl::PermissionDeniedError(absl::StrCat(
          what, ". Check that the file and its folder exist and may be written by this user"));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return absl::UnavailableError(
          absl::StrCat(what, ". Another program holds the database; try again when it is done"));
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return absl::DataLossError(absl::StrCat(
          what,
          ". The file is damaged: look at it with `crossriver doctor`, or go back to a backup"));
    case SQLITE_IOERR:
      return absl::UnavailableError(
          absl::StrCat(what, ". The disk or its file system fails; see the system's log"));
    case SQLITE_CONSTRAINT:
      return absl::AlreadyExistsError(what);
    default:
      return absl::InternalError(what);
  }
}

}  // namespace crossriver
