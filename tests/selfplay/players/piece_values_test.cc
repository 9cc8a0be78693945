// What pieces are worth: the order that players know, and what holds for every variant.
#include "selfplay/players/piece_values.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/variant_loader.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::RulesOf;

Kind KindCalled(const Rules& rules, const std::string& id) {
  for (Kind kind = 0; kind < rules.num_kinds(); ++kind) {
    if (rules.kind(kind).id == id) return kind;
  }
  ADD_FAILURE() << "no kind " << id;
  return 0;
}

struct OrderCase {
  const char* variant;
  std::vector<std::string> dearest_first;
};

class PieceOrderTest : public ::testing::TestWithParam<OrderCase> {};

TEST_P(PieceOrderTest, IsAsPlayersHaveIt) {
  const Rules& rules = RulesOf(GetParam().variant);
  const PieceValues values(rules);
  for (size_t i = 1; i < GetParam().dearest_first.size(); ++i) {
    const std::string& dear = GetParam().dearest_first[i - 1];
    const std::string& cheap = GetParam().dearest_first[i];
    EXPECT_GT(values.value(KindCalled(rules, dear)), values.value(KindCalled(rules, cheap)))
        << dear << " and " << cheap << " in\n"
        << values.Describe();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Variants, PieceOrderTest,
    ::testing::Values(
        OrderCase{"xiangqi", {"chariot", "cannon", "horse", "advisor", "soldier"}},
        OrderCase{"xiangqi", {"horse", "elephant", "soldier"}},
        OrderCase{"shogi",
                  {"dragon", "horse", "rook", "bishop", "gold", "silver", "knight", "pawn"}},
        OrderCase{"shogi", {"silver", "lance", "pawn"}},
        OrderCase{"minishogi", {"dragon", "horse", "rook", "gold", "silver", "pawn"}},
        OrderCase{"switchback", {"rook", "cannon", "knight", "elephant", "point"}},
        OrderCase{"switchback", {"rook", "cannon", "promoted_point", "point"}},
        OrderCase{"shoxiang-sh-standard",
                  {"primate", "rook", "cannon", "gold", "silver", "helm", "point"}},
        OrderCase{"shoxiang-sh-standard", {"promoted_helm", "helm", "point"}},
        OrderCase{"shoxiang-xq-standard",
                  {"primate", "rook", "cannon", "knight", "cannonball", "cross", "point"}},
        OrderCase{"shoxiang-xq-standard", {"promoted_wing", "wing", "point"}}));

// A displacing Elephant and a leaping Knight do more than those that are blocked.
TEST(PieceValuesTest, FollowTheRulesOfTheVariant) {
  const auto value = [](const char* variant, const char* id) {
    const Rules& rules = RulesOf(variant);
    const PieceValues values(rules);
    return values.value(KindCalled(rules, id)) * 100 / values.value(KindCalled(rules, "rook"));
  };
  EXPECT_GT(value("shoxiang-sh-strong", "elephant"), value("shoxiang-sh-centrewise", "elephant"));
  EXPECT_GT(value("shoxiang-xq-centrewise", "knight"), value("shoxiang-xq-standard", "knight"));
  EXPECT_GT(value("shoxiang-xq-standard", "helm"), value("shoxiang-xq-weak", "helm"));
}

class PieceValuesOfTest : public ::testing::TestWithParam<std::string> {};

TEST_P(PieceValuesOfTest, AreInBoundsAndAlikeForBothSides) {
  const Rules& rules = RulesOf(GetParam());
  const PieceValues values(rules);
  EXPECT_EQ(values.by_value().size(), static_cast<size_t>(rules.num_kinds()));
  EXPECT_TRUE(rules.kind(values.by_value().back()).royal);
  for (Kind kind = 0; kind < rules.num_kinds(); ++kind) {
    const KindInfo& info = rules.kind(kind);
    if (info.royal) {
      EXPECT_EQ(values.value(kind), 0);
    } else {
      EXPECT_GT(values.value(kind), 20) << info.id;
      EXPECT_LT(values.value(kind), 2000) << info.id;
      EXPECT_GE(values.capture_gain(kind), values.value(kind)) << info.id;
    }
    EXPECT_EQ(values.hand_value(kind) > 0, info.in_hand) << info.id;
    for (Cell cell : rules.tables(kind, Side::kFirst).zone) {
      EXPECT_EQ(values.at(MakePiece(kind, Side::kFirst), cell),
                values.at(MakePiece(kind, Side::kSecond), rules.topology().MirrorRank(cell)));
      if (!info.royal) {
        EXPECT_GT(values.at(MakePiece(kind, Side::kFirst), cell), 0);
      }
    }
  }
}

// From every cell that attacks the royal piece at once, a piece presses it.
TEST_P(PieceValuesOfTest, PressingCellsContainThoseThatAttack) {
  const Rules& rules = RulesOf(GetParam());
  const PieceValues values(rules);
  for (const Side side : kSides) {
    for (Cell royal : rules.tables(rules.royal_kind(), Other(side)).zone) {
      for (Kind kind = 0; kind < rules.num_kinds(); ++kind) {
        const SquareSet attacking = rules.tables(kind, side).AttacksOn(royal).any_from;
        const SquareSet pressing = values.pressing_cells(MakePiece(kind, side), royal);
        ASSERT_TRUE((attacking - pressing).empty()) << rules.kind(kind).id;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, PieceValuesOfTest, ::testing::ValuesIn(BuiltinVariantIds()),
                         [](const auto& variant) { return testing::TestName(variant.param); });

}  // namespace
}  // namespace crossriver
