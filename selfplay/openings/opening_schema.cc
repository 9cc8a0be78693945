#include "selfplay/openings/opening_schema.h"

#include <cstdint>
#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/notation.h"
#include "selfplay/checksum.h"

namespace crossriver {
namespace {

// Of the tables and of what is counted in them.
constexpr int64_t kVersion = 1;

constexpr char kDrop[] =
    "DROP TABLE IF EXISTS opening_state; DROP TABLE IF EXISTS opening_positions; "
    "DROP TABLE IF EXISTS opening_moves; DROP TABLE IF EXISTS opening_waiting; "
    "DROP TABLE IF EXISTS opening_paths;";

// Keys are the bits of unsigned numbers, moves those of Move.
constexpr char kOpeningTables[] = R"sql(
CREATE TABLE opening_state (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE opening_positions (key INTEGER PRIMARY KEY, fen TEXT NOT NULL);
CREATE TABLE opening_moves (
  key INTEGER NOT NULL,
  move INTEGER NOT NULL,
  checkpoint INTEGER NOT NULL,
  ply INTEGER NOT NULL,
  games INTEGER NOT NULL,
  first_wins INTEGER NOT NULL,
  draws INTEGER NOT NULL,
  second_wins INTEGER NOT NULL,
  opinions INTEGER NOT NULL,
  value_sum INTEGER NOT NULL,
  searches INTEGER NOT NULL,
  search_value_sum INTEGER NOT NULL,
  visits_sum INTEGER NOT NULL,
  PRIMARY KEY (key, move, checkpoint, ply)
) WITHOUT ROWID;
CREATE TABLE opening_waiting (
  key INTEGER NOT NULL,
  game INTEGER NOT NULL,
  PRIMARY KEY (key, game)
) WITHOUT ROWID;
CREATE TABLE opening_paths (game INTEGER PRIMARY KEY, path BLOB NOT NULL);
)sql";

// Of the rules, and of how positions are numbered by key.
int64_t TreeIdentity(const Rules& rules) {
  const uint64_t key = StartPosition(rules).key();
  return static_cast<int64_t>(Checksum(absl::StrCat(rules.hash(), " ", key)));
}

absl::StatusOr<std::map<std::string, int64_t>> ReadValues(Database* database) {
  absl::StatusOr<Statement> select = database->Prepare("SELECT name, value FROM opening_state");
  if (!select.ok()) return select.status();
  std::map<std::string, int64_t> values;
  while (true) {
    const absl::StatusOr<bool> row = select->Step();
    if (!row.ok()) return row.status();
    if (!*row) return values;
    values[select->Text(0)] = select->Int(1);
  }
}

absl::Status WriteValues(const std::map<std::string, int64_t>& values, Database* database) {
  absl::StatusOr<Statement> replace =
      database->Prepare("INSERT OR REPLACE INTO opening_state (name, value) VALUES (?, ?)");
  if (!replace.ok()) return replace.status();
  for (const auto& [name, value] : values) {
    replace->BindText(0, name);
    replace->Bind(1, value);
    if (absl::Status status = replace->Run(); !status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<OpeningState> ReadOpeningState(const Rules& rules, Database* database) {
  const absl::StatusOr<int64_t> tables =
      database->QueryInt("SELECT count(*) FROM sqlite_schema WHERE name = 'opening_state'");
  if (!tables.ok()) return tables.status();
  if (*tables == 0) {
    return absl::NotFoundError(absl::StrCat(
        database->path(), ": has no tree of openings yet; `crossriver openings` makes it"));
  }
  absl::StatusOr<std::map<std::string, int64_t>> values = ReadValues(database);
  if (!values.ok()) return values.status();
  if ((*values)["version"] != kVersion || (*values)["rules"] != TreeIdentity(rules)) {
    return absl::FailedPreconditionError(absl::StrCat(
        database->path(),
        ": its tree of openings is of other rules or of another version of the program; "
        "`crossriver openings` makes it anew"));
  }
  OpeningState state;
  state.settings.max_ply = static_cast<int>((*values)["max_ply"]);
  state.settings.min_games = (*values)["min_games"];
  state.games = (*values)["games"];
  state.skipped = (*values)["skipped"];
  state.sequence = (*values)["sequence"];
  return state;
}

absl::Status PrepareOpeningTables(const Rules& rules, const OpeningSettings& settings,
                                  Database* database) {
  const absl::StatusOr<OpeningState> state = ReadOpeningState(rules, database);
  if (state.ok() && state->settings == settings) return absl::OkStatus();
  if (!state.ok() && !absl::IsNotFound(state.status()) &&
      !absl::IsFailedPrecondition(state.status())) {
    return state.status();
  }
  if (absl::Status status = database->Execute(absl::StrCat(kDrop, kOpeningTables)); !status.ok()) {
    return status;
  }
  if (absl::Status status =
          WriteValues({{"version", kVersion}, {"rules", TreeIdentity(rules)}}, database);
      !status.ok()) {
    return status;
  }
  return WriteOpeningState({.settings = settings}, database);
}

absl::Status WriteOpeningState(const OpeningState& state, Database* database) {
  return WriteValues({{"max_ply", state.settings.max_ply},
                      {"min_games", state.settings.min_games},
                      {"games", state.games},
                      {"skipped", state.skipped},
                      {"sequence", state.sequence}},
                     database);
}

}  // namespace crossriver
