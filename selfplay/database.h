// SQLite with our errors: connections and statements.
#ifndef CROSSRIVER_SELFPLAY_DATABASE_H_
#define CROSSRIVER_SELFPLAY_DATABASE_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

struct sqlite3;
struct sqlite3_stmt;

namespace crossriver {

// One prepared statement. Not synchronised; must not outlive its database. Parameters and columns
// count from 0, and texts and blobs that are bound must live until the next Reset.
class Statement {
 public:
  Statement() = default;

  void Bind(int parameter, int64_t value);
  void Bind(int parameter, double value);
  void BindText(int parameter, absl::string_view value);
  void BindBlob(int parameter, absl::string_view value);
  void BindNull(int parameter);

  // True at a row, false at the end.
  absl::StatusOr<bool> Step();
  // Runs a statement without rows, and resets it.
  absl::Status Run();
  // Ends what runs (and with it a reader's transaction), for the next run. Parameters stay.
  void Reset();

  int64_t Int(int column) const;
  double Real(int column) const;
  bool IsNull(int column) const;
  // Of a text or blob; until the next Step or Reset.
  absl::string_view Bytes(int column) const;
  std::string Text(int column) const { return std::string(Bytes(column)); }

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  const class Database* database_ = nullptr;
};

// One connection. Not synchronised: a thread has its own, or takes turns.
class Database {
 public:
  enum class Mode : uint8_t { kReadOnly, kWrite, kCreate };

  // Waits up to `busy_timeout` for others' locks. A read-only connection to a database in a folder
  // that can't be written is possible while nobody else has it open.
  static absl::StatusOr<std::unique_ptr<Database>> Open(const std::string& path, Mode mode,
                                                        std::chrono::milliseconds busy_timeout);

  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // One or several statements without parameters.
  absl::Status Execute(const std::string& sql);
  absl::StatusOr<Statement> Prepare(absl::string_view sql);
  // The single number that a query gives; an error where it gives none.
  absl::StatusOr<int64_t> QueryInt(absl::string_view sql);

  // Runs `work` in BEGIN IMMEDIATE … COMMIT; any error rolls it back.
  absl::Status Transaction(absl::FunctionRef<absl::Status()> work);
  // Rows that the last INSERT, UPDATE or DELETE changed.
  int64_t changes() const;

  // Copies the whole database, as of one moment, to a new file at `path`.
  absl::Status CopyTo(const std::string& path);
  // Brings the log (WAL) into the database and empties it, as far as readers let it.
  absl::Status TruncateLog();

  // What SQLite says went wrong, as a status that names the file and what to do.
  absl::Status Error(int code) const;

  const std::string& path() const { return path_; }
  sqlite3* handle() const { return handle_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  explicit Database(std::string path) : path_(std::move(path)) {}
  absl::Status OpenHandle(const std::string& name, int flags);

  std::string path_;
  std::unique_ptr<sqlite3, Close> handle_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_DATABASE_H_
