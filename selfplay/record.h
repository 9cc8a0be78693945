// What is kept of a game: everything that can't be found again by replaying its moves. Positions,
// features and training rows are derived from it, and may change without the records.
#ifndef CROSSRIVER_SELFPLAY_RECORD_H_
#define CROSSRIVER_SELFPLAY_RECORD_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/adjudicator.h"
#include "core/evaluator.h"
#include "core/history.h"
#include "core/position.h"
#include "core/rules.h"
#include "core/types.h"

namespace crossriver {

// How a game came to its start position.
enum class StartKind : uint8_t {
  kArray,        // the variant's own start
  kRandomPlies,  // after random moves
  kPolicy,       // after moves drawn from the network's policy
  kRestart,      // a position of an earlier game
  kArmy,         // thinned random armies
  kOpening,      // a given set of starts
  kImported,     // a game from outside
};

// A policy target in few bytes: the likeliest moves with their shares in 65535ths. What the shares
// leave of 1 is the remainder, spread evenly over the legal moves that are not listed.
struct SparsePolicy {
  struct Entry {
    Move move;
    uint16_t share = 0;
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  std::vector<Entry> entries;  // by falling share

  bool empty() const { return entries.empty(); }
  friend bool operator==(const SparsePolicy&, const SparsePolicy&) = default;
};

// `target` is one share a move and sums to 1. Shares below half a 4096th join the remainder, as do
// errors of rounding.
SparsePolicy MakeSparsePolicy(std::span<const Move> moves, std::span<const float> target);
// One share a legal move, summing to 1. Entries that are not among the moves count for nothing.
std::vector<float> ExpandPolicy(const SparsePolicy& policy, std::span<const Move> legal);

// One ply. Probabilities are kept to 65535ths; all are the mover's view.
struct RecordedMove {
  Move move;
  bool full = false;  // a full search: its policy is a target. Otherwise a cheap one
  // Of the search; 0 = played without one (random, given, forced, or proven by the search before).
  uint32_t visits = 0;
  Wdl root;             // the search's opinion
  Wdl raw;              // the evaluator's alone
  SparsePolicy policy;  // empty unless full
  float surprise = 0;   // Kullback-Leibler divergence of target from prior, in nats; 0 unless full
  // Whose network searched, or judged the position of a forced move; kNoCheckpoint without one, and
  // then `root` and `raw` say nothing.
  int64_t checkpoint = 0;

  friend bool operator==(const RecordedMove&, const RecordedMove&) = default;
};

inline constexpr int64_t kNoCheckpoint = -1;

// Ids from here on are those of imported games; a run numbers its own from 1. Seeds and limits
// follow from these numbers, so games from outside must not take any.
inline constexpr uint64_t kFirstImportedId = uint64_t{1} << 62;

struct GameRecord {
  uint64_t id = 0;  // unique in a run
  uint64_t seed = 0;
  std::string variant;      // its id
  uint64_t rules_hash = 0;  // of the compiled variant
  // Limits in force besides the rules'; 0 = none. A game they end is truncated.
  int max_plies = 0;
  int no_progress_limit = 0;

  StartKind start_kind = StartKind::kArray;
  std::string start_fen;
  std::vector<RecordedMove> moves;

  // Of the first player (Side::kFirst); kNone where the game was truncated.
  Result result = Result::kNone;
  Reason reason = Reason::kNone;  // kNone where it was resigned or truncated
  bool resigned = false;
  bool truncated = false;
  // The ply (number of moves before it) at which the game would have been resigned had it not been
  // chosen to be played out, and by whom; to measure false resignations.
  std::optional<int> resign_ply;

  friend bool operator==(const GameRecord&, const GameRecord&) = default;
};

// The side that makes the record's first move.
Side FirstMover(const GameRecord& record);
// A result for the side to move, as the first player sees it.
Result ForFirst(Result for_mover, Side mover);

// Bytes of a record, with a format version and a checksum; not compressed. Values are rounded as
// above, so that decoding gives the rounded record.
std::string EncodeRecord(const GameRecord& record);
// Believes nothing: damaged, cut or foreign bytes are an error that says what is wrong. The moves
// are not replayed; see ReplayRecord.
absl::StatusOr<GameRecord> DecodeRecord(absl::string_view bytes);

// The positions of a game. `position` and `history` are before `moves[ply]`, `legal` its legal
// moves; one call more, with ply == moves.size(), for the last position. Returns false to stop.
using ReplayVisitor = absl::FunctionRef<bool(int ply, const Position& position,
                                             const History& history, std::span<const Move> legal)>;
// Errors: another variant's rules (by hash), a start that is not valid, an illegal move or one
// after the end of the game, a result that is not the rules'.
absl::Status ReplayRecord(const Rules& rules, const GameRecord& record, ReplayVisitor visit);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_RECORD_H_
