// What the tests of trees of openings share: games that meet again, trees of them, and a recount.
#ifndef CROSSRIVER_TESTS_SELFPLAY_OPENINGS_OPENING_HELPERS_H_
#define CROSSRIVER_TESTS_SELFPLAY_OPENINGS_OPENING_HELPERS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/position.h"
#include "core/rules.h"
#include "selfplay/database.h"
#include "selfplay/openings/opening_counts.h"
#include "selfplay/openings/opening_settings.h"
#include "selfplay/openings/opening_tree.h"
#include "selfplay/openings/position_classes.h"
#include "selfplay/record.h"

namespace crossriver::testing {

// A game of `plies` moves at most that begins as others do: each move is one of two or three of its
// position. In every second one a symmetry that keeps the array is played instead. Opinions and
// checkpoints (0 to 5, or none) are made up. The same for the same id.
GameRecord BranchingGame(const Rules& rules, uint64_t id, int plies);
// A game of these moves from the array, resigned by the second player unless it is said otherwise.
GameRecord GameOf(const Rules& rules, const std::vector<std::string>& moves,
                  Result result = Result::kWin, int64_t checkpoint = 0);
// The game as a symmetry shows it, by number in SymmetryGroups::start.
GameRecord Mirrored(const Rules& rules, const GameRecord& record, size_t symmetry);

// A tree in memory; aborts on errors.
struct TreeInMemory {
  std::unique_ptr<PositionClasses> classes;
  std::unique_ptr<Database> database;
  std::unique_ptr<OpeningTree> tree;
};
TreeInMemory TreeOf(const Rules& rules, const std::vector<GameRecord>& games,
                    const OpeningSettings& settings);

// All rows of the positions and moves of a tree, as text; without what waits.
std::string DumpTree(Database* database);

// What is kept and counted, found from the games alone, slowly and by other means: positions are
// told apart by their FEN, not by keys, and what is kept is looked for until nothing more is found.
struct RecountedPosition {
  Position position;                    // as one of the games had it
  std::map<Move, OpeningCounts> moves;  // in its orientation; the least of equal ones
};
// By the least FEN of all images.
std::map<std::string, RecountedPosition> Recount(const Rules& rules,
                                                 const std::vector<GameRecord>& games,
                                                 const OpeningSettings& settings,
                                                 const CheckpointRange& checkpoints);

}  // namespace crossriver::testing

#endif  // CROSSRIVER_TESTS_SELFPLAY_OPENINGS_OPENING_HELPERS_H_
