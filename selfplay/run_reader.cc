#include "selfplay/run_reader.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "absl/strings/str_cat.h"
#include "selfplay/run_schema.h"

namespace crossriver {
namespace {

constexpr int64_t kPage = 32;  // games in one transaction
constexpr int64_t kAll = std::numeric_limits<int64_t>::max();
constexpr auto kBusyTimeout = std::chrono::seconds(10);

#define CROSSRIVER_GAME_COLUMNS                                                           \
  "id, sequence, checkpoint, generation, variant, start_kind, start_fen, plies, result, " \
  "reason, truncated, resigned, resign_ply, seed, rows, moves_hash, time"
constexpr int kRecordColumn = 17;

constexpr char kById[] = "SELECT " CROSSRIVER_GAME_COLUMNS
                         ", record FROM games WHERE id > ? AND id <= ? ORDER BY id LIMIT ?";
constexpr char kBySequence[] =
    "SELECT " CROSSRIVER_GAME_COLUMNS
    ", record FROM games WHERE sequence > ? AND sequence <= ? ORDER BY sequence LIMIT ?";
constexpr char kNewest[] =
    "SELECT " CROSSRIVER_GAME_COLUMNS " FROM games ORDER BY sequence DESC LIMIT ?";
#undef CROSSRIVER_GAME_COLUMNS

Result ReadResult(absl::string_view text) {
  for (const Result result : {Result::kWin, Result::kLoss, Result::kDraw}) {
    if (text == ResultText(result)) return result;
  }
  return Result::kNone;
}

// An enumerator by its number; the first for a number that is none.
template <typename Enum>
Enum ReadEnum(int64_t number, Enum last) {
  return number >= 0 && number <= static_cast<int64_t>(last) ? static_cast<Enum>(number) : Enum{};
}

GameRow ReadGameRow(const Statement& statement) {
  GameRow row;
  row.id = static_cast<uint64_t>(statement.Int(0));
  row.sequence = statement.Int(1);
  row.checkpoint = statement.Int(2);
  row.generation = statement.Int(3);
  row.variant = statement.Text(4);
  row.start_kind = ReadEnum(statement.Int(5), StartKind::kImported);
  row.start_fen = statement.Text(6);
  row.plies = static_cast<int>(statement.Int(7));
  row.result = ReadResult(statement.Bytes(8));
  row.reason = ReadEnum(statement.Int(9), Reason::kNoProgress);
  row.truncated = statement.Int(10) != 0;
  row.resigned = statement.Int(11) != 0;
  if (!statement.IsNull(12)) row.resign_ply = static_cast<int>(statement.Int(12));
  row.seed = static_cast<uint64_t>(statement.Int(13));
  row.rows = static_cast<int>(statement.Int(14));
  row.moves_hash = static_cast<uint64_t>(statement.Int(15));
  row.time = statement.Int(16);
  return row;
}

absl::StatusOr<GameRecord> UnpackGame(const GameRow& row, absl::string_view packed) {
  absl::StatusOr<GameRecord> record = UnpackRecord(packed);
  if (record.ok() && record->id != row.id) {
    return absl::DataLossError(absl::StrCat("game record: is that of game ", record->id));
  }
  return record;
}

// All rows of a query that has no parameters but the bound ones.
absl::Status ForRows(absl::StatusOr<Statement> statement,
                     absl::FunctionRef<void(const Statement&)> visit) {
  if (!statement.ok()) return statement.status();
  while (true) {
    const absl::StatusOr<bool> row = statement->Step();
    if (!row.ok()) return row.status();
    if (!*row) return absl::OkStatus();
    visit(*statement);
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<RunReader>> RunReader::Open(const RunDirectory& run,
                                                           BadGameHandler on_bad) {
  return OpenFile(run.database_path(), std::move(on_bad));
}

absl::StatusOr<std::unique_ptr<RunReader>> RunReader::OpenFile(const std::string& path,
                                                               BadGameHandler on_bad) {
  absl::StatusOr<std::unique_ptr<Database>> database =
      Database::Open(path, Database::Mode::kReadOnly, kBusyTimeout);
  if (!database.ok()) return database.status();
  if (absl::Status status = CheckRunSchema(database->get()); !status.ok()) return status;
  return std::unique_ptr<RunReader>(new RunReader(*std::move(database), std::move(on_bad)));
}

absl::Status RunReader::ReadPages(const char* sql, int64_t after, int64_t last,
                                  int64_t (*key)(const GameRow&), GameVisitor visit) {
  struct Packed {
    GameRow row;
    std::string record;
  };
  absl::StatusOr<Statement> select = database_->Prepare(sql);
  if (!select.ok()) return select.status();
  std::vector<Packed> page;
  do {
    page.clear();
    select->Bind(0, after);
    select->Bind(1, last);
    select->Bind(2, kPage);
    while (true) {
      const absl::StatusOr<bool> row = select->Step();
      if (!row.ok()) return row.status();
      if (!*row) break;
      page.push_back({ReadGameRow(*select), select->Text(kRecordColumn)});
    }
    select->Reset();
    for (const Packed& packed : page) {
      after = key(packed.row);
      absl::StatusOr<GameRecord> record = UnpackGame(packed.row, packed.record);
      if (record.ok()) {
        if (!visit(packed.row, *std::move(record))) return absl::OkStatus();
      } else if (on_bad_) {
        on_bad_({packed.row.id, std::string(record.status().message())});
      }
    }
  } while (!page.empty());
  return absl::OkStatus();
}

absl::Status RunReader::ReadGames(uint64_t first, uint64_t last, GameVisitor visit) {
  if (first > last || first > static_cast<uint64_t>(kAll)) return absl::OkStatus();
  return ReadPages(
      kById, static_cast<int64_t>(first) - 1,
      static_cast<int64_t>(std::min(last, static_cast<uint64_t>(kAll))),
      [](const GameRow& row) { return static_cast<int64_t>(row.id); }, visit);
}

absl::StatusOr<GameRecord> RunReader::ReadGame(uint64_t id) {
  absl::StatusOr<Statement> select = database_->Prepare(kById);
  if (!select.ok()) return select.status();
  select->Bind(0, static_cast<int64_t>(id) - 1);
  select->Bind(1, static_cast<int64_t>(id));
  select->Bind(2, int64_t{1});
  const absl::StatusOr<bool> row = select->Step();
  if (!row.ok()) return row.status();
  if (!*row) return absl::NotFoundError(absl::StrCat("game ", id, ": there is none in this run"));
  absl::StatusOr<GameRecord> record =
      UnpackGame(ReadGameRow(*select), select->Bytes(kRecordColumn));
  if (record.ok()) return record;
  return absl::Status(record.status().code(),
                      absl::StrCat("game ", id, ": ", record.status().message()));
}

absl::Status RunReader::ReadGamesAfter(int64_t sequence, GameVisitor visit) {
  return ReadPages(
      kBySequence, sequence, kAll, [](const GameRow& row) { return row.sequence; }, visit);
}

absl::StatusOr<int64_t> RunReader::SequenceBeforeNewest(int64_t games) {
  return database_->QueryInt(absl::StrCat(
      "SELECT coalesce((SELECT sequence FROM games ORDER BY sequence DESC LIMIT 1 OFFSET ",
      std::max<int64_t>(games, 0), "), 0)"));
}

absl::StatusOr<int64_t> RunReader::SequenceBeforeNewestRows(int64_t rows) {
  absl::StatusOr<Statement> select =
      database_->Prepare("SELECT sequence, rows FROM games ORDER BY sequence DESC");
  if (!select.ok()) return select.status();
  int64_t sum = 0;
  while (true) {
    const absl::StatusOr<bool> row = select->Step();
    if (!row.ok()) return row.status();
    if (!*row) return 0;
    if (sum >= rows) return select->Int(0);
    sum += select->Int(1);
  }
}

absl::StatusOr<std::vector<GameRow>> RunReader::ListNewest(int64_t games) {
  std::vector<GameRow> rows;
  absl::StatusOr<Statement> select = database_->Prepare(kNewest);
  if (select.ok()) select->Bind(0, std::max<int64_t>(games, 0));
  absl::Status status =
      ForRows(std::move(select), [&](const Statement& s) { rows.push_back(ReadGameRow(s)); });
  if (!status.ok()) return status;
  return rows;
}

absl::StatusOr<GameCounts> RunReader::Counts() {
  GameCounts counts;
  const auto read = [&counts](const Statement& s) {
    int column = 0;
    for (int64_t* count : {&counts.games, &counts.rows, &counts.plies, &counts.first_wins,
                           &counts.second_wins, &counts.draws, &counts.truncated, &counts.resigned,
                           &counts.duplicates, &counts.quarantined}) {
      *count = s.Int(column++);
    }
  };
  absl::StatusOr<Statement> select = database_->Prepare(
      "SELECT count(*), total(rows), total(plies), total(result = 'first'), "
      "total(result = 'second'), total(result = 'draw'), total(truncated), total(resigned), "
      "count(*) - count(DISTINCT moves_hash), (SELECT count(*) FROM quarantine) "
      "FROM games");
  if (absl::Status status = ForRows(std::move(select), read); !status.ok()) return status;
  return counts;
}

absl::StatusOr<GameTotals> RunReader::CountGames() {
  GameTotals totals;
  absl::Status status = ForRows(database_->Prepare("SELECT count(*), total(rows) FROM games"),
                                [&](const Statement& s) {
                                  totals = {s.Int(0), s.Int(1)};
                                });
  if (!status.ok()) return status;
  return totals;
}

absl::StatusOr<int64_t> RunReader::CountDuplicates() {
  return database_->QueryInt("SELECT count(*) - count(DISTINCT moves_hash) FROM games");
}

absl::StatusOr<std::optional<int64_t>> RunReader::FirstSequenceOfGeneration(int64_t generation) {
  std::optional<int64_t> sequence;
  absl::StatusOr<Statement> select = database_->Prepare(
      "SELECT min(sequence) FROM games WHERE generation >= ? AND start_kind <> ?");
  if (select.ok()) {
    select->Bind(0, generation);
    select->Bind(1, static_cast<int64_t>(StartKind::kImported));
  }
  absl::Status status = ForRows(std::move(select), [&](const Statement& s) {
    if (!s.IsNull(0)) sequence = s.Int(0);
  });
  if (!status.ok()) return status;
  return sequence;
}

absl::StatusOr<uint64_t> RunReader::MaxGameId() {
  const absl::StatusOr<int64_t> id = database_->QueryInt(absl::StrCat(
      "SELECT coalesce(max(id), 0) FROM games WHERE id BETWEEN 0 AND ", kFirstImportedId - 1));
  if (!id.ok()) return id.status();
  return static_cast<uint64_t>(*id);
}

absl::StatusOr<uint64_t> RunReader::NextImportedId() {
  const absl::StatusOr<int64_t> id = database_->QueryInt(
      absl::StrCat("SELECT coalesce(max(id), 0) FROM games WHERE id >= ", kFirstImportedId));
  if (!id.ok()) return id.status();
  return std::max(kFirstImportedId, static_cast<uint64_t>(*id) + 1);
}

absl::StatusOr<std::vector<uint64_t>> RunReader::MissingGameIds(uint64_t first, uint64_t last) {
  std::vector<uint64_t> missing;
  last = std::min(last, kFirstImportedId - 1);
  if (first > last) return missing;
  absl::StatusOr<Statement> select =
      database_->Prepare("SELECT id FROM games WHERE id BETWEEN ? AND ? ORDER BY id");
  if (select.ok()) {
    select->Bind(0, static_cast<int64_t>(first));
    select->Bind(1, static_cast<int64_t>(last));
  }
  uint64_t next = first;
  absl::Status status = ForRows(std::move(select), [&](const Statement& s) {
    const auto id = static_cast<uint64_t>(s.Int(0));
    for (; next < id; ++next) missing.push_back(next);
    next = id + 1;
  });
  if (!status.ok()) return status;
  for (; next <= last; ++next) missing.push_back(next);
  return missing;
}

absl::StatusOr<std::vector<CheckpointRow>> RunReader::ListCheckpoints() {
  std::vector<CheckpointRow> rows;
  absl::Status status = ForRows(
      database_->Prepare("SELECT number, step, generation, network_file, optimizer_file, "
                         "network_checksum, optimizer_checksum, network_bytes, optimizer_bytes, "
                         "games, rows, time, kept FROM checkpoints ORDER BY number"),
      [&](const Statement& s) {
        rows.push_back({s.Int(0), s.Int(1), s.Int(2), s.Text(3), s.Text(4),
                        static_cast<uint64_t>(s.Int(5)), static_cast<uint64_t>(s.Int(6)), s.Int(7),
                        s.Int(8), s.Int(9), s.Int(10), s.Int(11), s.Int(12) != 0});
      });
  if (!status.ok()) return status;
  return rows;
}

absl::StatusOr<std::vector<Metric>> RunReader::ReadMetrics(const std::string& name) {
  std::vector<Metric> metrics;
  absl::StatusOr<Statement> select = database_->Prepare(
      "SELECT generation, step, value, time FROM metrics WHERE name = ? "
      "ORDER BY generation, step, id");
  if (select.ok()) select->BindText(0, name);
  absl::Status status = ForRows(std::move(select), [&](const Statement& s) {
    metrics.push_back({s.Int(0), s.Int(1), name,
                       s.IsNull(2) ? std::numeric_limits<double>::quiet_NaN() : s.Real(2),
                       s.Int(3)});
  });
  if (!status.ok()) return status;
  return metrics;
}

absl::StatusOr<std::vector<std::string>> RunReader::MetricNames() {
  std::vector<std::string> names;
  absl::Status status =
      ForRows(database_->Prepare("SELECT DISTINCT name FROM metrics ORDER BY name"),
              [&](const Statement& s) { names.push_back(s.Text(0)); });
  if (!status.ok()) return status;
  return names;
}

absl::StatusOr<std::vector<BadGame>> RunReader::ListQuarantine() {
  std::vector<BadGame> games;
  absl::Status status =
      ForRows(database_->Prepare("SELECT id, why FROM quarantine ORDER BY number"),
              [&](const Statement& s) {
                games.push_back({static_cast<uint64_t>(s.Int(0)), s.Text(1)});
              });
  if (!status.ok()) return status;
  return games;
}

absl::StatusOr<std::vector<std::string>> RunReader::CheckIntegrity() {
  std::vector<std::string> lines;
  absl::Status status = ForRows(database_->Prepare("PRAGMA integrity_check"),
                                [&](const Statement& s) { lines.push_back(s.Text(0)); });
  if (!status.ok()) return status;
  if (lines == std::vector<std::string>{"ok"}) lines.clear();
  return lines;
}

}  // namespace crossriver
