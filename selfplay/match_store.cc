#include "selfplay/match_store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <map>

#include "absl/strings/str_cat.h"
#include "selfplay/database_format.h"

namespace crossriver {
namespace {

// How long another process may hold a lock of SQLite's.
constexpr std::chrono::milliseconds kBusyTimeout{10'000};

// "CRmt". The time is in milliseconds since 1970; identities are the bits of unsigned numbers.
// Which players had which side is in the columns, so the pairing A, B has its games of half 0 under
// (A, B) and those of half 1 under (B, A).
constexpr DatabaseFormat kFormat = {0x43526D74, 1, R"sql(
CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);
CREATE TABLE players (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  identity INTEGER NOT NULL
);
CREATE TABLE games (
  player_first INTEGER NOT NULL REFERENCES players (number),
  player_second INTEGER NOT NULL REFERENCES players (number),
  pair INTEGER NOT NULL,
  half INTEGER NOT NULL CHECK (half IN (0, 1)),
  result TEXT NOT NULL CHECK (result IN ('first', 'second', 'draw')),
  reason TEXT NOT NULL,
  fault TEXT NOT NULL,
  plies INTEGER NOT NULL,
  opening_plies INTEGER NOT NULL,
  time INTEGER NOT NULL,
  record BLOB NOT NULL,
  PRIMARY KEY (player_first, player_second, pair, half)
);
)sql"};

constexpr char kInsert[] =
    "INSERT INTO games (player_first, player_second, pair, half, result, reason, fault, plies, "
    "opening_plies, time, record) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
}  // namespace

MatchStore::~MatchStore() {
  // The lock last: closing a descriptor of the file ends SQLite's own locks.
  insert_ = Statement();
  database_.reset();
  if (lock_ >= 0) close(lock_);
}

absl::Status MatchStore::Lock(const std::string& path) {
  lock_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock_ < 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat(path, ": can't be opened for writing"));
  }
  if (flock(lock_, LOCK_EX | LOCK_NB) == 0) return absl::OkStatus();
  if (errno != EWOULDBLOCK) {
    return absl::ErrnoToStatus(errno, absl::StrCat(path, ": can't be locked"));
  }
  return absl::UnavailableError(absl::StrCat(
      path, ": another process plays games into it; wait for its end, or use another file"));
}

absl::StatusOr<std::unique_ptr<MatchStore>> MatchStore::Open(const std::string& path,
                                                             const MatchSettings& settings) {
  std::unique_ptr<MatchStore> store(new MatchStore);
  if (absl::Status status = store->Lock(path); !status.ok()) return status;
  auto database = Database::Open(path, Database::Mode::kCreate, kBusyTimeout);
  if (!database.ok()) return database.status();
  store->database_ = *std::move(database);
  absl::Status status = PrepareFormat(kFormat, store->database_.get());
  // With NORMAL a commit outlives its process, though not a loss of power.
  if (status.ok()) {
    status = store->database_->Execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  }
  if (!status.ok()) return status;
  const absl::StatusOr<MatchSettings> stored = store->Settings();
  if (!stored.ok()) return stored.status();
  status = stored->empty() ? store->EnterSettings(settings) : store->CheckSettings(settings);
  if (!status.ok()) return status;
  absl::StatusOr<Statement> insert = store->database_->Prepare(kInsert);
  if (!insert.ok()) return insert.status();
  store->insert_ = *std::move(insert);
  return store;
}

absl::StatusOr<std::unique_ptr<MatchStore>> MatchStore::OpenReadOnly(const std::string& path) {
  std::unique_ptr<MatchStore> store(new MatchStore);
  auto database = Database::Open(path, Database::Mode::kReadOnly, kBusyTimeout);
  if (!database.ok()) return database.status();
  store->database_ = *std::move(database);
  if (absl::Status status = CheckFormat(kFormat, store->database_.get()); !status.ok()) {
    return status;
  }
  return store;
}

absl::StatusOr<MatchSettings> MatchStore::Settings() {
  absl::StatusOr<Statement> query =
      database_->Prepare("SELECT name, value FROM settings ORDER BY rowid");
  if (!query.ok()) return query.status();
  MatchSettings settings;
  for (;;) {
    const absl::StatusOr<bool> row = query->Step();
    if (!row.ok()) return row.status();
    if (!*row) return settings;
    settings.emplace_back(query->Text(0), query->Text(1));
  }
}

absl::Status MatchStore::EnterSettings(const MatchSettings& settings) {
  return database_->Transaction([&]() -> absl::Status {
    absl::StatusOr<Statement> insert =
        database_->Prepare("INSERT INTO settings (name, value) VALUES (?, ?)");
    if (!insert.ok()) return insert.status();
    for (const auto& [name, value] : settings) {
      insert->BindText(0, name);
      insert->BindText(1, value);
      if (absl::Status status = insert->Run(); !status.ok()) return status;
    }
    return absl::OkStatus();
  });
}

absl::Status MatchStore::CheckSettings(const MatchSettings& settings) {
  const absl::StatusOr<MatchSettings> stored = Settings();
  if (!stored.ok()) return stored.status();
  std::map<std::string, std::string> before(stored->begin(), stored->end());
  std::map<std::string, std::string> now(settings.begin(), settings.end());
  for (const MatchSettings& named : {settings, *stored}) {
    for (const auto& [name, value] : named) {
      if (before[name] == now[name]) continue;
      return absl::FailedPreconditionError(absl::StrCat(
          database_->path(), ": its games were played with ", name, " '", before[name],
          "', these would be with '", now[name], "'; ask for the same, or use another file"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> MatchStore::AddPlayer(const std::string& name, uint64_t identity) {
  absl::StatusOr<Statement> find =
      database_->Prepare("SELECT number, identity FROM players WHERE name = ?");
  if (!find.ok()) return find.status();
  find->BindText(0, name);
  const absl::StatusOr<bool> row = find->Step();
  if (!row.ok()) return row.status();
  if (*row) {
    if (find->Int(1) == static_cast<int64_t>(identity)) return find->Int(0);
    return absl::FailedPreconditionError(
        absl::StrCat(database_->path(), ": the network of ", name,
                     " was another one when its games were played; use another file"));
  }
  absl::StatusOr<Statement> insert =
      database_->Prepare("INSERT INTO players (name, identity) VALUES (?, ?)");
  if (!insert.ok()) return insert.status();
  insert->BindText(0, name);
  insert->Bind(1, static_cast<int64_t>(identity));
  if (absl::Status status = insert->Run(); !status.ok()) return status;
  return database_->QueryInt("SELECT last_insert_rowid()");
}

absl::StatusOr<int64_t> MatchStore::ReplacePlayer(const std::string& name, uint64_t identity) {
  absl::StatusOr<Statement> rename =
      database_->Prepare("UPDATE players SET name = ?1 WHERE name = ?2 AND identity <> ?3");
  if (!rename.ok()) return rename.status();
  const absl::StatusOr<std::string> other_name = NameForReplaced(name);
  if (!other_name.ok()) return other_name.status();
  rename->BindText(0, *other_name);
  rename->BindText(1, name);
  rename->Bind(2, static_cast<int64_t>(identity));
  if (absl::Status status = rename->Run(); !status.ok()) return status;
  return AddPlayer(name, identity);
}

absl::StatusOr<std::string> MatchStore::NameForReplaced(const std::string& name) {
  const absl::StatusOr<std::vector<StoredPlayer>> players = Players();
  if (!players.ok()) return players.status();
  for (int64_t number = 1;; ++number) {
    std::string other = absl::StrCat(name, " (replaced ", number, ")");
    if (std::none_of(players->begin(), players->end(),
                     [&other](const StoredPlayer& player) { return player.name == other; })) {
      return other;
    }
  }
}

absl::StatusOr<std::vector<StoredPlayer>> MatchStore::Players() {
  absl::StatusOr<Statement> query =
      database_->Prepare("SELECT name, identity FROM players ORDER BY number");
  if (!query.ok()) return query.status();
  std::vector<StoredPlayer> players;
  for (;;) {
    const absl::StatusOr<bool> row = query->Step();
    if (!row.ok()) return row.status();
    if (!*row) return players;
    players.push_back({query->Text(0), static_cast<uint64_t>(query->Int(1))});
  }
}

}  // namespace crossriver
