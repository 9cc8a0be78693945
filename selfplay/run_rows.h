// Rows of a run's database.
#ifndef CROSSRIVER_SELFPLAY_RUN_ROWS_H_
#define CROSSRIVER_SELFPLAY_RUN_ROWS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "core/adjudicator.h"
#include "selfplay/record.h"

namespace crossriver {

// A game without its moves. Times are milliseconds since 1970, UTC.
struct GameRow {
  int64_t sequence = 0;  // in the order of storing, rising, with gaps
  uint64_t id = 0;
  int64_t checkpoint = kNoCheckpoint;  // the newest that searched a move of it
  int64_t generation = 0;
  std::string variant;
  StartKind start_kind = StartKind::kArray;
  std::string start_fen;
  int plies = 0;
  Result result = Result::kNone;  // of the first player
  Reason reason = Reason::kNone;
  bool truncated = false;
  bool resigned = false;
  std::optional<int> resign_ply;
  uint64_t seed = 0;
  int rows = 0;             // full searches: what training can use
  uint64_t moves_hash = 0;  // of start and moves; equal for duplicates
  int64_t time = 0;
};

// A training checkpoint: its files lie in the run's checkpoints/.
struct CheckpointRow {
  int64_t number = 0;
  int64_t step = 0;
  int64_t generation = 0;
  std::string network_file;
  std::string optimizer_file;
  uint64_t network_checksum = 0;  // XXH64 of the file
  uint64_t optimizer_checksum = 0;
  int64_t network_bytes = 0;
  int64_t optimizer_bytes = 0;
  int64_t games = 0;  // stored when it was made
  int64_t rows = 0;   // trained on until then
  int64_t time = 0;
  bool kept = true;  // false: retention has deleted the files

  friend bool operator==(const CheckpointRow&, const CheckpointRow&) = default;
};

struct Metric {
  int64_t generation = 0;
  int64_t step = 0;
  std::string name;  // "loss/policy"
  double value = 0;
  int64_t time = 0;  // 0: when it is stored

  friend bool operator==(const Metric&, const Metric&) = default;
};

// A game whose record can't be read or replayed.
struct BadGame {
  uint64_t id = 0;
  std::string why;
};

struct GameCounts {
  int64_t games = 0;
  int64_t rows = 0;
  int64_t plies = 0;
  int64_t first_wins = 0;
  int64_t second_wins = 0;
  int64_t draws = 0;
  int64_t truncated = 0;
  int64_t resigned = 0;
  int64_t duplicates = 0;  // games with the start and moves of another
  int64_t quarantined = 0;
};

struct GameTotals {
  int64_t games = 0;
  int64_t rows = 0;

  friend bool operator==(const GameTotals&, const GameTotals&) = default;
};

// What GameRow says of a record; sequence, generation and time are left for who stores it.
GameRow DescribeGame(const GameRecord& record);

// "first", "second", "draw", "none".
absl::string_view ResultText(Result result);
// "array", "random_plies", …
absl::string_view StartKindText(StartKind kind);

// A record as it is stored: encoded and compressed (zstd).
std::string PackRecord(const GameRecord& record, int compression_level);
// Believes nothing. Memory follows what is really there, not what the bytes claim.
absl::StatusOr<GameRecord> UnpackRecord(absl::string_view bytes);

int64_t NowMilliseconds();

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_RUN_ROWS_H_
