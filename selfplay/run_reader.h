// Reading a run's database, while it is being written to or not.
#ifndef CROSSRIVER_SELFPLAY_RUN_READER_H_
#define CROSSRIVER_SELFPLAY_RUN_READER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "selfplay/database.h"
#include "selfplay/run_directory.h"
#include "selfplay/run_rows.h"

namespace crossriver {

// A connection that only reads, in short transactions, so that the log (WAL) can be emptied. Not
// synchronised: each thread has its own.
//
// A game whose record can't be read is skipped and told to the handler, between transactions; a run
// passes one that calls RunStore::Quarantine.
class RunReader {
 public:
  using BadGameHandler = std::function<void(const BadGame&)>;
  // Returns false to stop.
  using GameVisitor = absl::FunctionRef<bool(const GameRow& row, GameRecord record)>;

  // Errors: no database yet (NotFound), one that is damaged, another program's or another
  // version's.
  static absl::StatusOr<std::unique_ptr<RunReader>> Open(const RunDirectory& run,
                                                         BadGameHandler on_bad = nullptr);
  // The same of a database file alone.
  static absl::StatusOr<std::unique_ptr<RunReader>> OpenFile(const std::string& path,
                                                             BadGameHandler on_bad = nullptr);

  // Games with ids from `first` to `last`, in that order.
  absl::Status ReadGames(uint64_t first, uint64_t last, GameVisitor visit);
  // NotFound where there is none; the error of a record that can't be read.
  absl::StatusOr<GameRecord> ReadGame(uint64_t id);
  // Games stored after the one with this sequence number, in the order of storing. To fill a replay
  // window: begin at SequenceBeforeNewest, and go on from the last row's sequence later.
  absl::Status ReadGamesAfter(int64_t sequence, GameVisitor visit);
  // The sequence number behind which there are just the newest `games` games, or all.
  absl::StatusOr<int64_t> SequenceBeforeNewest(int64_t games);
  // … behind which there are at least the newest `rows` rows to train on, or all.
  absl::StatusOr<int64_t> SequenceBeforeNewestRows(int64_t rows);
  // Games without their moves, newest first.
  absl::StatusOr<std::vector<GameRow>> ListNewest(int64_t games);

  // Reads through all games.
  absl::StatusOr<GameCounts> Counts();
  // From an index alone: cheap enough for each generation.
  absl::StatusOr<GameTotals> CountGames();
  // Games with the start and moves of another; from an index alone too.
  absl::StatusOr<int64_t> CountDuplicates();
  // The smallest sequence number of the games that were played, not imported, in this generation or
  // a later one; nullopt where there are none.
  absl::StatusOr<std::optional<int64_t>> FirstSequenceOfGeneration(int64_t generation);
  // Of the games that the run has played, whose ids are below kFirstImportedId: the largest id, 0
  // where there is none; and the ids from `first` to `last` of which no game is stored, rising.
  absl::StatusOr<uint64_t> MaxGameId();
  absl::StatusOr<std::vector<uint64_t>> MissingGameIds(uint64_t first, uint64_t last);
  // The id for the next game from outside.
  absl::StatusOr<uint64_t> NextImportedId();

  // By rising number.
  absl::StatusOr<std::vector<CheckpointRow>> ListCheckpoints();
  // By generation, then step, then the order of storing: the last one is the newest.
  absl::StatusOr<std::vector<Metric>> ReadMetrics(const std::string& name);
  absl::StatusOr<std::vector<std::string>> MetricNames();
  absl::StatusOr<std::vector<BadGame>> ListQuarantine();

  // SQLite's own check of the whole file: what is wrong, one a line; empty where nothing is.
  absl::StatusOr<std::vector<std::string>> CheckIntegrity();
  // See Database::CopyTo.
  absl::Status CopyTo(const std::string& path) { return database_->CopyTo(path); }

 private:
  RunReader(std::unique_ptr<Database> database, BadGameHandler on_bad)
      : database_(std::move(database)), on_bad_(std::move(on_bad)) {}
  // Visits the games of pages: `sql` has the parameters after what, up to what, how many, and
  // `key` says what a row counts as.
  absl::Status ReadPages(const char* sql, int64_t after, int64_t last,
                         int64_t (*key)(const GameRow&), GameVisitor visit);

  std::unique_ptr<Database> database_;
  BadGameHandler on_bad_;
};

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_RUN_READER_H_
