// Variant files: what is accepted, and how each mistake is reported.
#include "core/variant_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "core/variant_loader.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A user's own small game: an L-shaped army on a 4 x 5 board.
constexpr char kSmall[] = R"(name = "Small"
start_fen = "k2r/3p/4/P3/R2K[] w 0 1"

[board]
ranks = 5
levels = ["abcd"]

[zones]
far = { ranks = "4-5" }
corner = { files = "c,d", ranks = "1-2" }

[rules]
stalemate = "loss"
repetition = "draw"
no_progress_plies = 40
progress = ["capture", "drop"]
dead_drops = false

[pieces.king]
letter = "K"
royal = true
moves = [{ kind = "step", dirs = ["orthogonal", "diagonal"] }]

[pieces.rook]
letter = "R"
moves = [{ kind = "slide", dirs = "orthogonal" }]

[pieces.pawn]
letter = "P"
hand_form = "pawn"
moves = [{ kind = "step", dirs = "forward" }]
promotions = [{ to = "guard", zone = "far" }]

[pieces.guard]
letter = "+P"
hand_form = "pawn"
moves = [{ kind = "step", dirs = "orthogonal" }, { kind = "leap", dirs = [[0, 1, 3]] }]
)";

absl::StatusOr<std::shared_ptr<const Rules>> Load(const std::string& text) {
  return LoadVariant({"small", "small.toml", text}, ResolveBuiltin);
}

std::string ErrorOf(const std::string& text) {
  const auto rules = Load(text);
  return rules.ok() ? "no error" : std::string(rules.status().message());
}

TEST(OwnVariantTest, PlaysWithoutTouchingCode) {
  const auto rules = Load(kSmall);
  ASSERT_TRUE(rules.ok()) << rules.status();
  const Position start = StartPosition(**rules);
  const std::vector<std::string> expected = {"a1b1", "a1c1", "a2a3", "d1c1", "d1c2", "d1d2"};
  EXPECT_EQ(testing::LegalMoveTexts(start), expected);
  absl::StatusOr<Position> near = ParseFen(**rules, "k3/4/P3/4/3K[P] w 0 9");
  ASSERT_TRUE(near.ok()) << near.status();
  const std::vector<std::string> moves = testing::LegalMoveTexts(*near);
  EXPECT_THAT(moves, ::testing::Contains("a3a4+"));
  EXPECT_THAT(moves, ::testing::Contains("P@b4"));
  EXPECT_THAT(moves, ::testing::Not(::testing::Contains("P@b5")));  // it could never move
  near->Do(*ParseMove(*near, "a3a4+"));
  EXPECT_EQ(FormatFen(*near), "k3/+P3/4/4/3K[P] b 1 9");
}

TEST(OwnVariantTest, ExtendsABuiltInOne) {
  const auto rules = Load(R"(inherits = "minishogi"
name = "Minishogi with two Pawns a file"
family = "mine"
[pieces.pawn]
max_per_file = 2
)");
  ASSERT_TRUE(rules.ok()) << rules.status();
  EXPECT_EQ((*rules)->definition().name, "Minishogi with two Pawns a file");
  EXPECT_EQ((*rules)->num_cells(), 25);
  const absl::StatusOr<Position> position = ParseFen(**rules, "4k/5/5/P4/4K[P] w 0 1");
  ASSERT_TRUE(position.ok());
  EXPECT_THAT(testing::LegalMoveTexts(*position), ::testing::Contains("P@a3"));
  EXPECT_TRUE((*rules)->definition().reference.perft.empty()) << "counts are of minishogi alone";
}

struct Mistake {
  const char* name;
  const char* from;  // text of kSmall to replace …
  const char* to;    // … by this
  const char* where;
  const char* what;
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

class MistakeTest : public ::testing::TestWithParam<Mistake> {};

TEST_P(MistakeTest, IsExplained) {
  const Mistake& mistake = GetParam();
  const std::string text = absl::StrReplaceAll(kSmall, {{mistake.from, mistake.to}});
  ASSERT_NE(text, kSmall);
  EXPECT_THAT(ErrorOf(text), AllOf(HasSubstr(mistake.where), HasSubstr(mistake.what)));
}

const Mistake kMistakes[] = {
    {"not_toml", "ranks = 5", "ranks = = 5", "small.toml:5", "not TOML"},
    {"not_a_table", "[board]", "[/board]", "small.toml:4", "not TOML"},
    {"accent_outside_text", "ranks = 5", "ranks \u00e9 = 5", "small.toml:5", "not TOML"},
    {"unknown_key", "stalemate =", "stalemat =", "small.toml:13: field 'rules.stalemat'",
     "did you mean 'stalemate'?"},
    {"unknown_piece_key", "hand_form = \"pawn\"\nmoves = [{ kind = \"step\", dirs = \"forward\"",
     "hand_for = \"pawn\"\nmoves = [{ kind = \"step\", dirs = \"forward\"",
     "field 'pieces.pawn.hand_for'", "did you mean 'hand_form'?"},
    {"unknown_value", "\"loss\"", "\"lose\"", "field 'rules.stalemate'", "did you mean 'loss'?"},
    {"unknown_direction", "dirs = \"forward\"", "dirs = \"foreward\"",
     "field 'pieces.pawn.moves[0].dirs'", "did you mean 'forward'?"},
    {"unknown_atom", "kind = \"slide\"", "kind = \"slid\"", "field 'pieces.rook.moves[0].kind'",
     "did you mean 'slide'?"},
    {"unknown_zone", "zone = \"far\"", "zone = \"fra\"", "field 'pieces.pawn.promotions[0].zone'",
     "unknown zone 'fra'"},
    {"unknown_piece", "to = \"guard\"", "to = \"guards\"", "field 'pieces.pawn.promotions[0].to'",
     "did you mean 'guard'?"},
    {"unknown_parent", "name = \"Small\"", "inherits = \"switchbak\"", "field 'inherits'",
     "did you mean 'switchback'?"},
    {"off_the_board", "[[0, 1, 3]]", "[[0, 1, 9]]", "field 'pieces.guard.moves[1].dirs'",
     "[0, 1, 9] leads off this board"},
    {"too_far", "[[0, 1, 3]]", "[[0, 1, 99]]", "field 'pieces.guard.moves[1].dirs'",
     "numbers from -15 to 15"},
    {"long_step", "\"step\", dirs = \"forward\"", "\"step\", dirs = \"knight\"",
     "field 'pieces.pawn.moves[0].dirs'", "longer than one step"},
    {"no_move", "[[0, 1, 3]]", "[[0, 0, 0]]", "field 'pieces.guard.moves[1].dirs'",
     "does not move"},
    {"large_board", "ranks = 5", "ranks = 40", "field 'board.levels'", "1 to 128 cells"},
    {"no_ranks", "ranks = 5\n", "\n", "field 'board.ranks'", "missing"},
    {"wrong_type", "ranks = 5", "ranks = \"5\"", "field 'board.ranks'", "expected an integer"},
    {"bad_letters", "[\"abcd\"]", "[\"abce\"]", "field 'board.levels'", "file letter 'e'"},
    {"ragged_levels", "[\"abcd\"]", "[\"abcd\", \"e\"]", "field 'board.levels'", "has 1 files"},
    {"no_royal", "royal = true", "royal = false", "field 'pieces'", "0 pieces are royal"},
    {"same_letter", "letter = \"R\"", "letter = \"K\"", "field 'pieces.rook.letter'",
     "is the letter of king too"},
    {"bad_letter", "letter = \"R\"", "letter = \"ro\"", "field 'pieces.rook.letter'",
     "expected one of A to Z"},
    {"out_of_range", "no_progress_plies = 40", "no_progress_plies = -1",
     "field 'rules.no_progress_plies'", "out of range"},
    {"bad_zone", "ranks = \"4-5\"", "ranks = \"4-6\"", "field 'zones.far.ranks'",
     "expected spans of 1 to 5"},
    {"start_board", "k2r/", "k1r/", "small.toml:2: field 'start_fen'", "rank 5 has 3 cells"},
    {"start_royal", "R2K[]", "R2R[]", "field 'start_fen'", "0 of king for the first player"},
    {"start_hand", "K[]", "K[R]", "field 'start_fen'", "'R' can't be in hand"},
    {"no_moves", "moves = [{ kind = \"slide\", dirs = \"orthogonal\" }]", "",
     "field 'pieces.rook.moves'", "missing"},
    {"zone_of_promoted", "letter = \"+P\"", "letter = \"+P\"\nzone = \"corner\"",
     "field 'pieces.pawn.promotions'", "where guard may not stand"},
};

INSTANTIATE_TEST_SUITE_P(Files, MistakeTest, ::testing::ValuesIn(kMistakes),
                         [](const auto& mistake) { return std::string(mistake.param.name); });

TEST(MistakesTest, AllAreReportedAtOnce) {
  const std::string text = absl::StrReplaceAll(
      kSmall, {{"stalemate =", "stalemat ="}, {"zone = \"far\"", "zone = \"fra\""}});
  const std::string error = ErrorOf(text);
  EXPECT_THAT(error, AllOf(HasSubstr("rules.stalemat'"), HasSubstr("unknown zone 'fra'")));
}

TEST(MistakesTest, CycleOfOneFile) {
  const VariantSource self = {"self", "self.toml", "name = \"Self\"\ninherits = \"self\""};
  const auto rules = LoadVariant(
      self, [&self](absl::string_view) -> absl::StatusOr<VariantSource> { return self; });
  ASSERT_FALSE(rules.ok());
  EXPECT_EQ(std::string(rules.status().message()),
            "self.toml:2: field 'inherits': a cycle: self -> self");
}

TEST(MistakesTest, CycleOverTwoFiles) {
  const std::map<std::string, std::string> files = {{"a", "inherits = \"b\""},
                                                    {"b", "inherits = \"a\""}};
  const VariantResolver resolve = [&files](absl::string_view id) -> absl::StatusOr<VariantSource> {
    const auto found = files.find(std::string(id));
    if (found == files.end()) return absl::NotFoundError("none");
    return VariantSource{found->first, found->first + ".toml", found->second};
  };
  const auto rules = LoadVariant({"a", "a.toml", files.at("a")}, resolve);
  ASSERT_FALSE(rules.ok());
  EXPECT_THAT(std::string(rules.status().message()),
              AllOf(HasSubstr("b.toml:1: field 'inherits'"), HasSubstr("a -> b -> a")));
}

TEST(MistakesTest, MistakesOfAParentNameItsFile) {
  const VariantResolver resolve = [](absl::string_view) -> absl::StatusOr<VariantSource> {
    return VariantSource{"base", "base.toml",
                         absl::StrReplaceAll(kSmall, {{"stalemate =", "stalemat ="}})};
  };
  const auto rules = LoadVariant({"child", "child.toml", "inherits = \"base\""}, resolve);
  ASSERT_FALSE(rules.ok());
  EXPECT_THAT(std::string(rules.status().message()), HasSubstr("base.toml:13: field"));
}

TEST(MistakesTest, TextIsPrintedOnOneLine) {
  const std::string error =
      ErrorOf(absl::StrReplaceAll(kSmall, {{"\"loss\"", "\"lo\\nss\\u001b[31m\""}}));
  EXPECT_THAT(error, HasSubstr("unknown value 'lo\\x0ass\\x1b[31m'"));
  EXPECT_EQ(error.find('\n'), std::string::npos);
}

TEST(MistakesTest, NamesWithoutLettersAreRefused) {
  const std::string zone =
      absl::StrReplaceAll(kSmall, {{"[zones]\n", "[zones]\n\"a\\u0000b\" = { files = \"a\" }\n"}});
  EXPECT_THAT(ErrorOf(zone), HasSubstr("not a name"));
  EXPECT_THAT(ErrorOf(std::string(kSmall) + "[pieces.\"zz\\u0000b\"]\nbogus = 1\n"),
              HasSubstr("not a name"));
}

TEST(MistakesTest, DeeplyDottedKeys) {
  std::string key = "a";
  for (int i = 0; i < 30000; ++i) key += ".a";
  EXPECT_THAT(ErrorOf(key + " = 1"), HasSubstr("more than 32 dots"));
  EXPECT_THAT(ErrorOf("\n[" + key + "]"), HasSubstr("small.toml:2: a dotted name"));
}

TEST(MistakesTest, TooManyDirectionsOfSlides) {
  std::string text =
      absl::StrReplaceAll(kSmall, {{"ranks = 5", "ranks = 11"},
                                   {"[\"abcd\"]", "[\"abcdefghijk\"]"},
                                   {"k2r/3p/4/P3/R2K[]", "k10/11/11/11/11/11/11/11/11/11/10K[]"}});
  ASSERT_TRUE(Load(text).ok()) << Load(text).status();
  int vectors = 0;
  for (int file = 1; file < 11; ++file) {
    for (int rank = -10; rank < 11; ++rank) {
      if (std::gcd(file, rank) != 1) continue;
      if (vectors % 60 == 0) {
        const std::string letter(1, "ABCDEFGHI"[vectors / 60]);
        absl::StrAppend(&text, vectors > 0 ? "] }]\n" : "", "[pieces.rider_", letter,
                        "]\nletter = \"", letter, "\"\nmoves = [{ kind = \"slide\", dirs = [");
      }
      absl::StrAppend(&text, "[0, ", file, ", ", rank, "], [0, ", -file, ", ", rank, "], ");
      vectors += 2;
    }
  }
  ASSERT_GT(vectors + 4, 256) << "with the Rook's";
  EXPECT_THAT(ErrorOf(text + "] }]\n"), HasSubstr("expected at most 256"));
}

TEST(MistakesTest, PromotionToTheRoyalPiece) {
  EXPECT_THAT(ErrorOf(absl::StrReplaceAll(kSmall, {{"to = \"guard\"", "to = \"king\""}})),
              HasSubstr("it promotes to a royal piece"));
}

TEST(MistakesTest, MistakesOfTablesHaveFileAndLine) {
  const auto rules = LoadVariant({"mine", "mine.toml", R"(inherits = "shoxiang-xq-weak"
[pieces.wing]
promotions = [{ to = "wazir", zone = "across_river" }]
[pieces.helm]
promotions = [{ to = "wazir", zone = "across_river" }]
)"},
                                 ResolveBuiltin);
  ASSERT_FALSE(rules.ok());
  EXPECT_THAT(std::string(rules.status().message()),
              AllOf(HasSubstr("mine.toml:2: field 'pieces.wing.promotions'"),
                    HasSubstr("mine.toml:4: field 'pieces.helm.promotions'")));
}

TEST(MistakesTest, SfenHandOrder) {
  for (const char* order : {"PP", "P", "RBGSPX"}) {
    const auto rules =
        LoadVariant({"mine", "mine.toml",
                     absl::StrCat("inherits = \"minishogi\"\nsfen_hand_order = \"", order, "\"\n")},
                    ResolveBuiltin);
    ASSERT_FALSE(rules.ok()) << order;
    EXPECT_THAT(std::string(rules.status().message()), HasSubstr("field 'sfen_hand_order'"));
  }
}

TEST(InheritanceTest, MovesReplaceMovesLikeAndTheOtherWayRound) {
  const auto rules = LoadVariant({"mine", "mine.toml", R"(inherits = "minishogi"
[pieces.promoted_silver]
moves = [{ kind = "step", dirs = "backward" }]
[pieces.silver]
moves_like = "gold"
)"},
                                 ResolveBuiltin);
  ASSERT_TRUE(rules.ok()) << rules.status();
  const absl::StatusOr<Position> position = ParseFen(**rules, "4k/5/2+S2/5/4K[] w 0 1");
  ASSERT_TRUE(position.ok());
  EXPECT_THAT(testing::LegalMoveTexts(*position), ::testing::Contains("c3c2"));
  EXPECT_THAT(testing::LegalMoveTexts(*position), ::testing::Not(::testing::Contains("c3c4")));
}

TEST(InheritanceTest, ABaseIsNoVariant) {
  const auto rules = LoadVariant(*ResolveBuiltin("shoxiang-sh"), ResolveBuiltin);
  ASSERT_FALSE(rules.ok());
  EXPECT_THAT(std::string(rules.status().message()), HasSubstr("field 'abstract'"));
}

TEST(DisplacerTest, TwoWaysToOneCellAreRefused) {
  const std::string text =
      absl::StrReplaceAll(kSmall, {{"{ kind = \"leap\", dirs = [[0, 1, 3]] }",
                                    "{ kind = \"leap\", dirs = [[0, 0, 2]], through = \"enemy\" },"
                                    "{ kind = \"leap\", dirs = [[0, 0, 2]] }"}});
  EXPECT_THAT(ErrorOf(text), HasSubstr("two ways from"));
}

}  // namespace
}  // namespace crossriver
