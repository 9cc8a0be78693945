// The symmetry groups: their sizes, that they are groups, and that the rules do keep them.
#include "core/symmetry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/action_space.h"
#include "core/attacks.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "core/variant_loader.h"
#include "tests/position_checks.h"
#include "tests/random_positions.h"
#include "tests/random_variant.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::Random;
using testing::RulesOf;

std::vector<Cell> Images(const Rules& rules, const Symmetry& symmetry) {
  std::vector<Cell> images;
  images.reserve(static_cast<size_t>(rules.num_cells()));
  for (Cell cell = 0; cell < rules.num_cells(); ++cell) images.push_back(symmetry.Map(cell));
  return images;
}

std::set<std::vector<Cell>> ImagesOf(const Rules& rules, const std::vector<Symmetry>& group) {
  std::set<std::vector<Cell>> images;
  for (const Symmetry& symmetry : group) images.insert(Images(rules, symmetry));
  return images;
}

// A set of permutations, each given once, that is closed under composition, starts with the
// identity and keeps ranks.
void ExpectGroup(const Rules& rules, const std::vector<Symmetry>& group) {
  const std::set<std::vector<Cell>> images = ImagesOf(rules, group);
  ASSERT_EQ(images.size(), group.size());
  const std::vector<Cell> identity = Images(rules, group[0]);
  for (Cell cell = 0; cell < rules.num_cells(); ++cell) {
    EXPECT_EQ(identity[static_cast<size_t>(cell)], cell);
  }
  std::set<std::string> names;
  for (const Symmetry& a : group) {
    names.insert(a.name());
    EXPECT_EQ(a.Map(rules.topology().all()), rules.topology().all()) << a.name();
    for (const Symmetry& b : group) {
      std::vector<Cell> product;
      for (Cell cell = 0; cell < rules.num_cells(); ++cell) {
        product.push_back(a.Map(b.Map(cell)));
        EXPECT_EQ(rules.topology().Rank(product.back()), rules.topology().Rank(cell));
      }
      EXPECT_TRUE(images.contains(product)) << a.name() << " after " << b.name();
    }
  }
  EXPECT_EQ(names.size(), group.size());
}

bool IsSubset(const Rules& rules, const std::vector<Symmetry>& part,
              const std::vector<Symmetry>& whole) {
  const std::set<std::vector<Cell>> inner = ImagesOf(rules, part);
  const std::set<std::vector<Cell>> outer = ImagesOf(rules, whole);
  return std::includes(outer.begin(), outer.end(), inner.begin(), inner.end());
}

std::vector<Move> SortedMoves(const Position& position) {
  std::vector<Move> moves;
  GenerateLegalMoves(position, &moves);
  std::sort(moves.begin(), moves.end());
  return moves;
}

// The image of a position holds the images of its pieces and all else as it was, its legal moves
// are the images of the legal moves, and playing an image gives the image.
void ExpectKept(const Position& position, const Symmetry& symmetry) {
  SCOPED_TRACE(absl::StrCat(symmetry.name(), " of ", testing::Describe(position)));
  const Rules& rules = position.rules();
  Position image = symmetry.Map(position);
  testing::PositionChecker(&rules).CheckState(image);
  for (Cell cell = 0; cell < rules.num_cells(); ++cell) {
    EXPECT_EQ(image.piece_at(symmetry.Map(cell)), position.piece_at(cell));
  }
  for (const Kind kind : rules.hand_kinds()) {
    EXPECT_EQ(image.hand(Side::kFirst, kind), position.hand(Side::kFirst, kind));
    EXPECT_EQ(image.hand(Side::kSecond, kind), position.hand(Side::kSecond, kind));
  }
  EXPECT_EQ(image.side_to_move(), position.side_to_move());
  EXPECT_EQ(image.no_progress(), position.no_progress());
  EXPECT_EQ(image.move_number(), position.move_number());
  EXPECT_EQ(InCheck(image), InCheck(position));

  const std::vector<Move> moves = SortedMoves(position);
  std::vector<Move> mapped;
  for (const Move move : moves) mapped.push_back(symmetry.Map(move));
  std::sort(mapped.begin(), mapped.end());
  ASSERT_EQ(mapped, SortedMoves(image));
  for (const Move move : moves) {
    Position after = position;
    after.Do(move);
    Position image_after = image;
    image_after.Do(symmetry.Map(move));
    EXPECT_TRUE(symmetry.Map(after) == image_after) << FormatMove(rules, move);
  }
}

class SymmetryTest : public ::testing::TestWithParam<std::string> {
 protected:
  const Rules& rules_ = RulesOf(GetParam());
  const SymmetryGroups groups_ = FindSymmetries(rules_);
};

TEST_P(SymmetryTest, Sizes) {
  size_t rules = 2;
  size_t reach = 2;
  size_t start = 2;
  const std::string& id = GetParam();
  if (id.starts_with("switchback")) {
    rules = 8;
    reach = 4;
  } else if (id.ends_with("shogi")) {
    start = 1;
  }
  EXPECT_EQ(groups_.rules.size(), rules);
  EXPECT_EQ(groups_.reach.size(), reach);
  EXPECT_EQ(groups_.start.size(), start);
}

TEST_P(SymmetryTest, AreGroups) {
  for (const auto* group : {&groups_.rules, &groups_.reach, &groups_.start}) {
    ExpectGroup(rules_, *group);
    EXPECT_TRUE(IsSubset(rules_, *group, groups_.rules));
  }
}

TEST_P(SymmetryTest, StartGroupKeepsTheStart) {
  const Position start = StartPosition(rules_);
  const std::set<std::vector<Cell>> keeping = ImagesOf(rules_, groups_.start);
  for (const Symmetry& symmetry : groups_.rules) {
    EXPECT_EQ(symmetry.Map(start) == start, keeping.contains(Images(rules_, symmetry)))
        << symmetry.name();
  }
}

TEST_P(SymmetryTest, LegalMovesOfImages) {
  const int positions = testing::FromEnvironment("CROSSRIVER_GAMES", 40);
  const int seed = testing::FromEnvironment("CROSSRIVER_SEED", 1);
  int accepted = 0;
  for (int i = 0; i < positions && !HasFailure(); ++i) {
    Random random("symmetry " + GetParam(), seed, i);
    const std::optional<Position> position = RandomPosition(rules_, &random);
    if (!position.has_value()) continue;
    ++accepted;
    for (const Symmetry& symmetry : groups_.rules) ExpectKept(*position, symmetry);
  }
  EXPECT_GT(accepted, positions / 4);
}

// Nothing is ever seen where it cannot be, and the reach group maps these cells onto themselves.
TEST_P(SymmetryTest, ReachableCells) {
  const std::vector<SquareSet> reachable = ReachableFromStart(rules_);
  ASSERT_EQ(reachable.size(), static_cast<size_t>(2 * rules_.num_kinds()));
  const std::set<std::vector<Cell>> keeping = ImagesOf(rules_, groups_.reach);
  for (const Symmetry& symmetry : groups_.rules) {
    const bool keeps = std::all_of(reachable.begin(), reachable.end(),
                                   [&](SquareSet cells) { return symmetry.Map(cells) == cells; });
    EXPECT_EQ(keeps, keeping.contains(Images(rules_, symmetry))) << symmetry.name();
  }
  const int games = testing::FromEnvironment("CROSSRIVER_GAMES", 40);
  for (int game = 0; game < games && !HasFailure(); ++game) {
    Random random("reach " + GetParam(), testing::FromEnvironment("CROSSRIVER_SEED", 1), game);
    Position position = StartPosition(rules_);
    std::vector<Move> moves;
    GenerateLegalMoves(position, &moves);
    for (int ply = 0; ply < 200 && !moves.empty(); ++ply) {
      position.Do(moves[random.Below(moves.size())]);
      for (const Cell cell : position.occupied()) {
        ASSERT_TRUE(reachable[position.piece_at(cell)].Contains(cell))
            << testing::Describe(position);
      }
      GenerateLegalMoves(position, &moves);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, SymmetryTest, ::testing::ValuesIn(BuiltinVariantIds()),
                         [](const auto& variant) { return testing::TestName(variant.param); });

int ReachableCount(const Rules& rules, const std::string& fen_letter) {
  for (Kind kind = 0; kind < rules.num_kinds(); ++kind) {
    if (rules.kind(kind).letter == fen_letter) {
      return ReachableFromStart(rules)[MakePiece(kind, Side::kFirst)].size();
    }
  }
  return -1;
}

TEST(ReachTest, KnownCounts) {
  const Rules& xiangqi = RulesOf("xiangqi");
  EXPECT_EQ(ReachableCount(xiangqi, "K"), 9);
  EXPECT_EQ(ReachableCount(xiangqi, "A"), 5);
  EXPECT_EQ(ReachableCount(xiangqi, "B"), 7);
  EXPECT_EQ(ReachableCount(xiangqi, "P"), 5 * 2 + 9 * 5);
  EXPECT_EQ(ReachableCount(xiangqi, "N"), 90);
  const Rules& shogi = RulesOf("shogi");
  EXPECT_EQ(ReachableCount(shogi, "P"), 9 * 8);
  EXPECT_EQ(ReachableCount(shogi, "N"), 9 * 7);
  EXPECT_EQ(ReachableCount(shogi, "+P"), 81);
  EXPECT_EQ(ReachableCount(shogi, "K"), 81);
  const Rules& shoxiang = RulesOf("shoxiang-xq-weak");
  EXPECT_EQ(ReachableCount(shoxiang, "Z"), 12);
  EXPECT_EQ(ReachableCount(shoxiang, "*P"), 9 * 5);  // dropped on ranks 7 to 11
  EXPECT_EQ(ReachableCount(shoxiang, "P"), 9 * 6);
}

// A box of 3 levels, 3 files and 4 ranks, with one thing or another that breaks its symmetry.
struct BrokenCase {
  std::string name;
  std::string zones;  // of the zones that follow, z and p are used below
  std::string moves;  // of the piece A
  std::string extra;  // more of piece A
  std::string rules;
  std::string start;
  size_t rules_size;
  size_t start_size;
};

std::string BoxText(const BrokenCase& c) {
  return absl::StrCat(
      "start_fen = \"", c.start, "[] w 0 1\"\n[board]\nranks = 4\nlevels = [\"abc\", \"def\", ",
      "\"ghi\"]\n[zones]\n", c.zones, "[rules]\n", c.rules,
      "[pieces.king]\nletter = \"K\"\nroyal = true\nmoves = [{ kind = \"step\", dirs = ",
      "\"orthogonal\" }]\n[pieces.a]\nletter = \"A\"\nhand_form = \"a\"\n", c.extra, "moves = [",
      c.moves,
      "]\n[pieces.b]\nletter = \"B\"\nmoves = [{ kind = \"step\", dirs = \"forward\" }]\n");
}

constexpr char kCentre[] = "4k4/9/9/4K4";
constexpr char kAll[] = "z = { ranks = \"2\" }\n";
constexpr char kLeftFiles[] = "z = { files = \"a,d,g\", ranks = \"2-3\" }\n";
constexpr char kStep[] = "{ kind = \"step\", dirs = \"orthogonal\" }";

TEST(BrokenSymmetryTest, GroupSizes) {
  const std::vector<BrokenCase> cases = {
      {"none", kAll, kStep, "", "", kCentre, 8, 8},
      {"start on an edge", kAll, kStep, "", "", "4k4/9/3A5/4K4", 8, 2},
      {"start in a corner", kAll, kStep, "", "", "4k4/9/A8/4K4", 8, 2},
      {"start off all axes", kAll, kStep, "", "", "4k4/9/AA7/4K4", 8, 1},
      {"slides along files only", kAll, "{ kind = \"slide\", dirs = [[0, 1, 0], [0, -1, 0]] }", "",
       "", kCentre, 4, 4},
      {"slides one way", kAll, "{ kind = \"slide\", dirs = [[0, 1, 0]] }", "", "", kCentre, 2, 2},
      {"turns", kAll,
       "{ kind = \"leap\", dirs = [[1, 2, 0], [2, -1, 0], [-1, -2, 0], [-2, 1, 0]] }", "", "",
       kCentre, 4, 4},
      {"hops one way", kAll, "{ kind = \"hop\", dirs = [[1, 0, 0]] }, " + std::string(kStep), "",
       "", kCentre, 2, 2},
      {"lame one way", kAll,
       "{ kind = \"leap\", through = \"empty\", dirs = [[0, 2, 1]] }, "
       "{ kind = \"leap\", dirs = \"knight\" }, { kind = \"leap\", dirs = [[1, 1, 2]] }",
       "", "", kCentre, 1, 1},
      {"displaces one way", kAll, "{ kind = \"leap\", through = \"enemy\", dirs = [[-2, 0, 0]] }",
       "", "", kCentre, 2, 2},
      {"moves from a zone", kLeftFiles,
       "{ kind = \"step\", dirs = \"orthogonal\", from = \"z\" }, "
       "{ kind = \"step\", dirs = \"forward\" }",
       "", "", kCentre, 2, 2},
      {"zone", kLeftFiles, kStep, "zone = \"z\"\n", "", kCentre, 2, 2},
      {"promotion zone", kLeftFiles, kStep, "promotions = [{ to = \"b\", zone = \"z\" }]\n", "",
       kCentre, 2, 2},
      {"pending zone", kLeftFiles + std::string("p = { ranks = \"4\" }\n"), kStep,
       "promotions = [{ to = \"b\", zone = \"p\" }]\n", "pending_zone = \"z\"\n", kCentre, 2, 2},
  };
  for (const BrokenCase& c : cases) {
    SCOPED_TRACE(c.name);
    const auto rules = LoadVariant({"box", "box.toml", BoxText(c)}, [](absl::string_view) {
      return absl::NotFoundError("nothing to inherit");
    });
    ASSERT_TRUE(rules.ok()) << rules.status();
    const SymmetryGroups groups = FindSymmetries(**rules);
    EXPECT_EQ(groups.rules.size(), c.rules_size);
    EXPECT_EQ(groups.start.size(), c.start_size);
    ExpectGroup(**rules, groups.rules);
    ExpectGroup(**rules, groups.reach);
    ExpectGroup(**rules, groups.start);
  }
}

// What is called a symmetry of a random variant is one.
TEST(RandomVariantSymmetryTest, LegalMovesOfImages) {
  const int variants = testing::FromEnvironment("CROSSRIVER_VARIANTS", 200);
  const int seed = testing::FromEnvironment("CROSSRIVER_SEED", 1);
  int symmetries = 0;
  for (int i = 0; i < variants && !HasFailure(); ++i) {
    Random random("symmetric variant", seed, i);
    const std::string text = testing::RandomVariantText(&random);
    SCOPED_TRACE(text);
    const auto rules = LoadVariant({"random", "random.toml", text}, [](absl::string_view) {
      return absl::NotFoundError("nothing to inherit");
    });
    if (!rules.ok()) continue;
    const SymmetryGroups groups = FindSymmetries(**rules);
    ExpectGroup(**rules, groups.rules);
    if (groups.rules.size() == 1) continue;
    symmetries += static_cast<int>(groups.rules.size()) - 1;
    for (int j = 0; j < 20; ++j) {
      const std::optional<Position> position = RandomPosition(**rules, &random);
      if (!position.has_value()) continue;
      for (const Symmetry& symmetry : groups.rules) ExpectKept(*position, symmetry);
    }
  }
  EXPECT_GT(symmetries, variants / 20);
}

TEST(ActionSpaceTest, OneForEachFamily) {
  std::map<std::string, uint64_t> hash_of_family;
  std::set<uint64_t> hashes;
  for (const std::string& id : BuiltinVariantIds()) {
    SCOPED_TRACE(id);
    const Rules& rules = RulesOf(id);
    const ActionSpace actions(&rules);
    EXPECT_EQ(static_cast<size_t>(actions.rows()), actions.RowNames().size());
    EXPECT_EQ(actions.columns(), rules.num_cells());
    EXPECT_EQ(actions.size(), actions.rows() * actions.columns());
    const auto [known, is_new] = hash_of_family.emplace(rules.definition().family, actions.hash());
    EXPECT_EQ(known->second, actions.hash());
    hashes.insert(actions.hash());
  }
  EXPECT_EQ(hash_of_family.size(), 6u);
  EXPECT_EQ(hashes.size(), hash_of_family.size());
}

}  // namespace
}  // namespace crossriver
