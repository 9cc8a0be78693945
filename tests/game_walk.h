// Random games with every invariant of the rules core checked on the way.
#ifndef CROSSRIVER_TESTS_GAME_WALK_H_
#define CROSSRIVER_TESTS_GAME_WALK_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/adjudicator.h"
#include "core/history.h"
#include "core/position.h"
#include "core/rules.h"
#include "core/types.h"
#include "tests/position_checks.h"
#include "tests/random_positions.h"

namespace crossriver::testing {

// From the environment: CROSSRIVER_GAMES, _MAX_PLIES, _SEED and _SLOW_EVERY.
struct WalkOptions {
  int games = 8;
  int max_plies = 300;
  int seed = 1;
  int slow_every = 25;  // one position in so many is compared with the slow rules

  static WalkOptions FromEnvironment(WalkOptions defaults);
};

// What a set of games came across, so that a test can tell that it tested something.
struct Coverage {
  int64_t plies = 0;
  int64_t slow_positions = 0;
  int64_t captures = 0;
  int64_t displacements = 0;
  int64_t drops = 0;
  int64_t promotions = 0;
  int64_t checks = 0;
  std::array<int64_t, 6> reasons = {};  // outcomes by Reason; a game goes on after most of them

  int64_t count(Reason reason) const { return reasons[static_cast<size_t>(reason)]; }
  std::string Text() const;
};

// The history of a game as texts, and the endings that follow from it, counted anew each time.
class NaiveRecord {
 public:
  // `checks`: the side to move is in check.
  void Add(const std::string& board_text, bool checks);
  void RemoveLast();

  int Occurrences() const { return static_cast<int>(occurrences().size()); }
  int FirstOccurrence() const { return occurrences().front(); }
  Outcome OutcomeFor(const Rules& rules, Side mover, bool has_move, int no_progress) const;

 private:
  const std::vector<int>& occurrences() const { return plies_of_.at(texts_.back()); }
  // Whether all of one side's moves since the first occurrence gave check.
  bool AlwaysChecked(bool by_mover) const;

  std::vector<std::string> texts_;
  std::vector<bool> checks_;
  std::unordered_map<std::string, std::vector<int>> plies_of_;
};

// One game. It goes on after repetitions and draws, to the last legal move or max_plies, and is
// then taken back to its start.
class GameWalk {
 public:
  // Uniformly random games; games that mostly take moves back; games in which one side mostly gives
  // check and the other side takes moves back.
  enum class Style : uint8_t { kUniform, kBackAndForth, kPerpetualCheck };
  static Style StyleOf(int game) { return static_cast<Style>(game % 3); }

  GameWalk(const Position& start, const WalkOptions& options, Style style, Random random,
           Coverage* coverage);

  // Stops at the first failure, with the game so far in the message.
  void Run();

 private:
  struct Ply {
    Move move;
    UndoRecord undo;
  };

  void CheckPosition();
  void CheckEndings();
  Move Choose();
  // The move that takes the mover's last one back.
  std::optional<Move> WayBack() const;
  bool GivesCheck(Move move) const;
  void Play(Move move);
  void TakeAllBack();
  int NextNoProgress(const Position& before, Move move) const;
  std::string GameText() const;

  const Rules& rules_;
  const Position start_;
  const WalkOptions options_;
  const Style style_;
  Random random_;
  Coverage* coverage_;

  PositionChecker checker_;
  Position position_;
  History history_;
  NaiveRecord record_;
  int no_progress_;
  std::vector<Move> moves_;  // the legal moves of position_
  std::vector<Ply> plies_;
};

}  // namespace crossriver::testing

#endif  // CROSSRIVER_TESTS_GAME_WALK_H_
