#include "selfplay/run_schema.h"

#include "selfplay/database_format.h"

namespace crossriver {
namespace {

// "CRun", so that `file` and we can tell a run's database from others.
constexpr int64_t kApplicationId = 0x4352756E;

// Times are milliseconds since 1970; hashes and seeds are the bits of unsigned numbers. The record
// comes last: what only looks at the rest need not read it.
constexpr char kTables[] = R"sql(
CREATE TABLE games (
  id INTEGER PRIMARY KEY,
  sequence INTEGER NOT NULL UNIQUE,
  checkpoint INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  variant TEXT NOT NULL,
  start_kind INTEGER NOT NULL,
  start_fen TEXT NOT NULL,
  plies INTEGER NOT NULL,
  result TEXT NOT NULL CHECK (result IN ('first', 'second', 'draw', 'none')),
  reason INTEGER NOT NULL,
  truncated INTEGER NOT NULL,
  resigned INTEGER NOT NULL,
  resign_ply INTEGER,
  seed INTEGER NOT NULL,
  rows INTEGER NOT NULL,
  moves_hash INTEGER NOT NULL,
  time INTEGER NOT NULL,
  record BLOB NOT NULL
);
CREATE INDEX games_by_moves ON games (moves_hash);
CREATE INDEX games_by_generation ON games (generation, start_kind, sequence, rows);
CREATE TABLE checkpoints (
  number INTEGER PRIMARY KEY,
  step INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  network_file TEXT NOT NULL,
  optimizer_file TEXT NOT NULL,
  network_checksum INTEGER NOT NULL,
  optimizer_checksum INTEGER NOT NULL,
  network_bytes INTEGER NOT NULL,
  optimizer_bytes INTEGER NOT NULL,
  games INTEGER NOT NULL,
  rows INTEGER NOT NULL,
  time INTEGER NOT NULL,
  kept INTEGER NOT NULL
);
CREATE TABLE metrics (
  id INTEGER PRIMARY KEY,
  generation INTEGER NOT NULL,
  step INTEGER NOT NULL,
  name TEXT NOT NULL,
  value REAL,
  time INTEGER NOT NULL
);
CREATE INDEX metrics_by_name ON metrics (name, generation, step);
CREATE TABLE quarantine (
  number INTEGER PRIMARY KEY,
  id INTEGER NOT NULL,
  why TEXT NOT NULL,
  time INTEGER NOT NULL,
  record BLOB NOT NULL
);
)sql";

constexpr DatabaseFormat kFormat = {kApplicationId, kRunSchemaVersion, kTables};

}  // namespace

absl::Status CheckRunSchema(Database* database) { return CheckFormat(kFormat, database); }

absl::Status PrepareRunSchema(Database* database) { return PrepareFormat(kFormat, database); }

}  // namespace crossriver
