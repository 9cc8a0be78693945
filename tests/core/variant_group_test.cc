// Variants that share a network.
#include "core/variant_group.h"

#include <gtest/gtest.h>

#include "core/eval_cache.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "core/variant_loader.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::SharedRulesOf;

TEST(VariantGroupTest, HoldsOneOrSeveral) {
  const VariantGroup one(SharedRulesOf("switchback"));
  EXPECT_EQ(one.size(), 1U);
  EXPECT_EQ(one.Find(SharedRulesOf("switchback")->hash()), one.first().get());
  EXPECT_EQ(one.Find(SharedRulesOf("xiangqi")->hash()), nullptr);
  EXPECT_EQ(&one.FindOrFirst(SharedRulesOf("xiangqi")->hash()), one.first().get());
  const auto two = VariantGroup::Create(
      {SharedRulesOf("shoxiang-sh-weak"), SharedRulesOf("shoxiang-sh-strong")});
  ASSERT_TRUE(two.ok()) << two.status();
  EXPECT_EQ(two->size(), 2U);
  EXPECT_EQ(two->first()->definition().id, "shoxiang-sh-weak");
  EXPECT_EQ(two->Find(SharedRulesOf("shoxiang-sh-strong")->hash()), two->pointers()[1]);
  EXPECT_EQ(two->FindById("shoxiang-sh-strong"), 1U);
  EXPECT_EQ(two->FindById("shoxiang-sh-standard"), std::nullopt);
}

TEST(VariantGroupTest, MistakesAreNamed) {
  struct Case {
    const char* other;
    const char* expected;
  };
  for (const Case& c : {Case{"switchback", "variant 'switchback' is of family"},
                        Case{"shoxiang-sh-weak", "variant 'shoxiang-sh-weak' is there twice"},
                        Case{"shoxiang-xq-weak", "variant 'shoxiang-xq-weak' is of family"},
                        Case{"minishogi", "variant 'minishogi' is of family"}}) {
    const absl::Status status =
        VariantGroup::Create({SharedRulesOf("shoxiang-sh-weak"), SharedRulesOf(c.other)}).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(std::string(status.message()).rfind(c.expected, 0), 0U) << status;
  }
}

// A user's variant of the family that has changed what the network's planes are made of.
TEST(VariantGroupTest, AFamilyInNameOnly) {
  struct Case {
    const char* text;
    const char* expected;
  };
  for (const Case& c : {
           Case{"inherits = \"shogi\"\n[zones]\npromotion = { ranks = \"8-9\" }\n",
                "has other zones than 'shogi'"},
           Case{"inherits = \"shogi\"\n", "variant 'mine' has the rules of 'shogi'"},
       }) {
    const auto mine = LoadVariant({"mine", "mine.toml", c.text}, ResolveBuiltin);
    ASSERT_TRUE(mine.ok()) << mine.status();
    const absl::Status status = VariantGroup::Create({SharedRulesOf("shogi"), *mine}).status();
    EXPECT_NE(std::string(status.message()).find(c.expected), std::string::npos) << status;
  }
}

// The same pieces on the same cells are another position in another variant.
TEST(VariantGroupTest, AnEvaluationCacheTellsVariantsApart) {
  EvalCache cache({});
  const Position weak = StartPosition(*SharedRulesOf("shoxiang-sh-weak"));
  const absl::StatusOr<Position> strong =
      ParseFen(*SharedRulesOf("shoxiang-sh-strong"), FormatFen(weak));
  ASSERT_TRUE(strong.ok()) << strong.status();
  const History weak_history(weak);
  const History strong_history(*strong);
  EXPECT_NE(cache.KeyOf({&weak, &weak_history, {}}, 1),
            cache.KeyOf({&*strong, &strong_history, {}}, 1));
}

}  // namespace
}  // namespace crossriver
