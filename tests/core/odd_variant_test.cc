// Variants that nobody plays: what the built-in ones leave out is where the compiled rules could be
// wrong unseen. Some are written for the purpose, many more are drawn at random.
//
//   CROSSRIVER_VARIANTS=5000 core_test --gtest_filter=OddVariantTest.Random*
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "core/history.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "core/variant_loader.h"
#include "tests/game_walk.h"
#include "tests/position_checks.h"
#include "tests/random_positions.h"
#include "tests/random_variant.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::Coverage;
using testing::GameWalk;
using testing::Random;
using testing::WalkOptions;

// Two levels, pending promotions, limits for drops, a hopper that also moves by hopping, long lame
// leaps, and a displacer whose paths run through the squares around the King.
constexpr char kFolded[] = R"(
name = "Folded"
start_fen = "rhjkcp2/1p2d1pj/8/8/JP1D2P1/2PCKJHR[pP] w 0 1"

[board]
ranks = 6
levels = ["abcd", "hgfe"]

[zones]
palace = { files = "b-d,e-g", ranks = "1-3" }
across = { ranks = "4-6" }
far = { ranks = "5-6" }
corner = { files = "a-b,h", ranks = "6" }

[rules]
facing_ban = true
stalemate = "win"
repetitions = 3
repetition = "second_player_loses"
perpetual_check = "loss"
no_progress_plies = 40
progress = ["capture", "promotion", "drop"]
dead_drops = false
pending_zone = "across"

[pieces.king]
letter = "K"
royal = true
zone = "palace"
moves = [{ kind = "step", dirs = ["orthogonal", "diagonal"] }]

[pieces.camel]
letter = "C"
hand_form = "camel"
drop_mate = false
through = "empty"
moves = [{ kind = "leap", dirs = [
  [0, 1, 3], [0, -1, 3], [0, 1, -3], [0, -1, -3], [0, 3, 1], [0, 3, -1], [0, -3, 1], [0, -3, -1],
  [1, 0, 3], [-1, 0, 3], [1, 0, -3], [-1, 0, -3], [1, 3, 0], [1, -3, 0], [-1, 3, 0], [-1, -3, 0],
] }]
promotions = [{ to = "rider", zone = "far", on = "start_or_end", choice = "optional" }]

[pieces.jumper]
letter = "J"
hand_form = "jumper"
moves = [
  { kind = "hop", dirs = "orthogonal" },
  { kind = "step", dirs = "diagonal", mode = "move" },
]

[pieces.displacer]
letter = "D"
hand_form = "pawn"
through = "enemy"
moves = [
  { kind = "leap", dirs = "diagonal", distance = 2 },
  { kind = "leap", dirs = "knight" },
  { kind = "step", dirs = "orthogonal" },
]

[pieces.hurdler]
letter = "H"
hand_form = "hurdler"
drop_mate = false
moves = [
  { kind = "hop", dirs = ["orthogonal", "diagonal"], mode = "capture" },
  { kind = "leap", dirs = "diagonal", distance = 2, mode = "move" },
]
promotions = [
  { to = "jumper", zone = "corner" },
  { to = "rider", zone = "far", choice = "optional" },
]

[pieces.rook]
letter = "R"
moves = [{ kind = "slide", dirs = "orthogonal" }]

[pieces.rider]
letter = "+R"
hand_form = "camel"
moves = [{ kind = "slide", dirs = "knight" }, { kind = "step", dirs = "sideways", from = "far" }]

[pieces.pawn]
letter = "P"
hand_form = "pawn"
resets_progress = true
max_per_file = 2
drop_mate = false
moves = [{ kind = "step", dirs = "forward" }]
promotions = [
  { to = "displacer", zone = "corner", choice = "optional" },
  { to = "promoted_pawn", zone = "far", on = "start_or_end", choice = "optional" },
]

[pieces.promoted_pawn]
letter = "+P"
hand_form = "pawn"
moves = [
  { kind = "step", dirs = ["orthogonal", "forward_diagonal"] },
  { kind = "hop", dirs = "backward" },
]
)";

// One level, a royal piece that slides, hops and displaces, pieces that move one way and capture
// another, pieces that are dropped into their zone only, and drops where nothing can move.
constexpr char kRoyalRider[] = R"(
name = "Royal rider"
start_fen = "gnakang/1s1s1s1/7/7/1S1S1S1/GNAKANG[] w 0 1"

[board]
ranks = 6
levels = ["fbcdaeg"]

[zones]
home = { ranks = "1-3" }
edge = [{ files = "a,g" }, { ranks = "6" }]
far = { ranks = "6" }

[rules]
stalemate = "draw"
repetitions = 4
repetition = "first_player_loses"
perpetual_check = "loss"
no_progress_plies = 0
progress = ["capture"]
dead_drops = true

[pieces.king]
letter = "K"
royal = true
moves = [
  { kind = "slide", dirs = "diagonal", mode = "move" },
  { kind = "step", dirs = "orthogonal" },
  { kind = "leap", dirs = "orthogonal", distance = 2, through = "enemy" },
]

[pieces.guard]
letter = "G"
hand_form = "guard"
zone = "home"
drop_mate = false
max_per_file = 1
moves = [
  { kind = "slide", dirs = "orthogonal", mode = "capture" },
  { kind = "leap", dirs = "knight", mode = "move" },
]

[pieces.nightrider]
letter = "N"
hand_form = "soldier"
moves = [{ kind = "slide", dirs = "knight" }, { kind = "hop", dirs = "knight" }]

[pieces.archer]
letter = "A"
hand_form = "archer"
moves = [
  { kind = "hop", dirs = ["orthogonal", "diagonal"], mode = "move" },
  { kind = "leap", dirs = "orthogonal", distance = 3, through = "empty", mode = "capture" },
  { kind = "step", dirs = "sideways", from = "edge" },
]
promotions = [{ to = "nightrider", zone = "far", on = "start_or_end" }]

[pieces.soldier]
letter = "S"
hand_form = "soldier"
max_per_file = 2
resets_progress = true
moves = [
  { kind = "step", dirs = "forward", mode = "move" },
  { kind = "step", dirs = "forward_diagonal", mode = "capture" },
  { kind = "leap", dirs = [[0, 0, 2]], through = "empty", mode = "move", from = "home" },
]
promotions = [
  { to = "archer", zone = "edge", choice = "optional" },
  { to = "nightrider", zone = "far", on = "start_or_end" },
]
)";

VariantSource SourceOf(const std::string& id, const std::string& text) {
  return {id, id + ".toml", text};
}

absl::StatusOr<std::shared_ptr<const Rules>> Load(const std::string& id, const std::string& text) {
  return LoadVariant(SourceOf(id, text),
                     [](absl::string_view name) { return absl::NotFoundError(name); });
}

// Everything there is to check, in random positions of the variant and in games from them and from
// the start.
void CheckVariant(const Rules& rules, const WalkOptions& options, int positions, Random* random,
                  Coverage* coverage) {
  testing::PositionChecker checker(&rules);
  for (int i = 0; i < positions && !::testing::Test::HasFailure(); ++i) {
    const std::optional<Position> position = RandomPosition(rules, random);
    if (!position.has_value()) continue;
    SCOPED_TRACE(testing::Describe(*position));
    std::vector<Move> moves;
    GenerateLegalMoves(*position, &moves);
    checker.CheckState(*position);
    checker.CheckMoves(*position, moves);
    checker.CheckFen(*position);
    checker.CheckTexts(*position, moves, random);
    checker.CheckIsLegal(*position, moves, random);
    checker.CheckAgainstSlow(*position, moves);
  }
  for (int game = 0; game < options.games && !::testing::Test::HasFailure(); ++game) {
    std::optional<Position> start;
    if (game % 2 == 0) start = RandomPosition(rules, random);
    const Position from = start.value_or(StartPosition(rules));
    GameWalk(from, options, GameWalk::StyleOf(game), random->Fork(), coverage).Run();
  }
}

class OddVariantTest : public ::testing::Test {
 protected:
  void CheckText(const std::string& id, const std::string& text) {
    const auto rules = Load(id, text);
    ASSERT_TRUE(rules.ok()) << rules.status();
    const WalkOptions options =
        WalkOptions::FromEnvironment({.games = 24, .max_plies = 200, .seed = 1, .slow_every = 10});
    Random random(id, options.seed, 0);
    CheckVariant(**rules, options, 10 * options.games, &random, &coverage_);
    RecordProperty("coverage", coverage_.Text());
    EXPECT_GT(coverage_.captures, 100);
    EXPECT_GT(coverage_.displacements, 0);
    EXPECT_GT(coverage_.drops, 100);
    EXPECT_GT(coverage_.promotions, 10);
    EXPECT_GT(coverage_.checks, 100);
    EXPECT_GT(coverage_.count(Reason::kCheckmate), 0);
    EXPECT_GT(coverage_.count(Reason::kRepetition), 0);
    EXPECT_GT(coverage_.count(Reason::kPerpetualCheck), 0);
  }

  Coverage coverage_;
};

TEST_F(OddVariantTest, Folded) { CheckText("folded", kFolded); }

TEST_F(OddVariantTest, RoyalRider) { CheckText("royal-rider", kRoyalRider); }

// A piece that promotes to another and back again: no promotion is for good, and positions with it
// can come again. (Or such a definition is refused.)
TEST(PromotionCycleTest, PositionsRepeat) {
  const auto rules = Load("cycle", R"(
start_fen = "k2/3/3/A1K w 0 1"
[board]
ranks = 4
levels = ["abc"]
[pieces.king]
letter = "K"
royal = true
moves = [{ kind = "step", dirs = ["orthogonal", "diagonal"] }]
[pieces.a]
letter = "A"
moves = [{ kind = "step", dirs = "orthogonal" }]
promotions = [{ to = "b", zone = "all" }]
[pieces.b]
letter = "B"
moves = [{ kind = "step", dirs = "orthogonal" }]
promotions = [{ to = "a", zone = "all" }]
)");
  if (!rules.ok()) return;
  Position position = StartPosition(**rules);
  History history(position);
  for (const char* text : {"a1a2+", "a4b4", "a2a1+", "b4a4"}) {
    const absl::StatusOr<Move> move = ParseMove(position, text);
    ASSERT_TRUE(move.ok()) << move.status();
    const UndoRecord undo = position.Do(*move);
    history.Push(position, undo);
  }
  EXPECT_EQ(position.key(), StartPosition(**rules).key());
  EXPECT_EQ(history.Occurrences(), 2);
  EXPECT_EQ(history.FirstOccurrence(), 0);
}

TEST_F(OddVariantTest, Random) {
  const int variants = testing::FromEnvironment("CROSSRIVER_VARIANTS", 400);
  const int seed = testing::FromEnvironment("CROSSRIVER_SEED", 1);
  const WalkOptions options = {.games = 3, .max_plies = 60, .seed = seed, .slow_every = 4};
  int accepted = 0;
  for (int i = 0; i < variants && !HasFailure(); ++i) {
    Random random("random variant", seed, i);
    const std::string text = testing::RandomVariantText(&random);
    SCOPED_TRACE(text);
    const auto rules = Load("random", text);
    if (!rules.ok()) {
      // What the reader cannot see in a definition alone is refused when it is compiled, and a
      // start position where the King is lost.
      EXPECT_EQ(rules.status().code(), absl::StatusCode::kInvalidArgument);
      continue;
    }
    ++accepted;
    CheckVariant(**rules, options, 10, &random, &coverage_);
  }
  RecordProperty("coverage", coverage_.Text());
  RecordProperty("accepted", accepted);
  EXPECT_GT(accepted, variants / 5);
}

}  // namespace
}  // namespace crossriver
