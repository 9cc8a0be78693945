// What one game says about its variant.
#ifndef CROSSRIVER_SELFPLAY_REPORT_GAME_FACTS_H_
#define CROSSRIVER_SELFPLAY_REPORT_GAME_FACTS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/adjudicator.h"
#include "selfplay/record.h"
#include "selfplay/report/material_columns.h"

namespace crossriver {

enum class GameEnd : uint8_t {
  kCheckmate,
  kStalemate,
  kRepetition,
  kPerpetualCheck,
  kNoProgress,
  kResignation,
  kAgreement,
  kCutShort,  // by a limit that the rules do not have: no result
};
inline constexpr int kNumGameEnds = 8;

// "checkmate", "no progress", "cut short".
absl::string_view GameEndText(GameEnd end);
GameEnd EndOfGame(Reason reason, bool resigned, bool truncated);
GameEnd EndOfGame(const GameRecord& record);

// What the pieces of one kind did, of both sides. A pending form counts as the kind it is of.
struct PieceDeeds {
  int64_t moves = 0;  // on the board; drops are apart
  int64_t drops = 0;
  int64_t promotions = 0;  // of this kind into others
  int64_t captures = 0;    // pieces that it took
  int64_t captured = 0;    // that were taken

  PieceDeeds& operator+=(const PieceDeeds& other);
  friend bool operator==(const PieceDeeds&, const PieceDeeds&) = default;
};

// The material differences of a game, where neither the move before nor the move after captures:
// in the middle of an exchange they mean nothing. Positions in a row with the same differences are
// one spell.
struct MaterialSpells {
  std::vector<int8_t> differences;  // of each spell, one number a column
  std::vector<int> plies;           // how long each was

  void Add(const std::vector<int8_t>& row);
};

struct GameFacts {
  Result result = Result::kNone;  // of the first player
  GameEnd end = GameEnd::kCutShort;
  int plies = 0;
  // Moves of both sides together.
  int captures = 0;            // pieces taken, those of displacers on the way included
  int displacer_captures = 0;  // pieces taken on the cell that a displacer passed
  int double_captures = 0;     // moves that took on the way and at their end
  int drops = 0;
  int promotions = 0;
  int checks = 0;                 // positions in check, the last one included
  std::vector<int> choices;       // legal moves at each ply
  std::vector<PieceDeeds> deeds;  // by kind
  MaterialSpells material;
};

// Replays the game. Errors: those of ReplayRecord.
absl::StatusOr<GameFacts> ExamineGame(const MaterialColumns& columns, const GameRecord& record);

}  // namespace crossriver

#endif  // CROSSRIVER_SELFPLAY_REPORT_GAME_FACTS_H_
