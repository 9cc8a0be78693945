// Which variants share a network's inputs, and how the network can tell them apart.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "core/variant_loader.h"
#include "nn/features.h"
#include "nn/practice_games.h"
#include "tests/nn/feature_reader.h"
#include "tests/nn/nn_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::ConstantsByName;
using testing::FeatureReader;
using testing::RulesFromText;
using testing::RulesOf;

std::map<std::string, std::vector<std::string>> Families() {
  std::map<std::string, std::vector<std::string>> families;
  for (const std::string& id : BuiltinVariantIds()) {
    families[RulesOf(id).definition().family].push_back(id);
  }
  return families;
}

ConstantsByName ConstantsOfStart(const Rules& rules) {
  Position start(&rules);
  return FeatureReader(&rules, {}).Read(start, {}).constants;
}

TEST(SchemaTest, OneFamilyHasOneSchema) {
  for (const auto& [family, ids] : Families()) {
    const FeatureSchema first(RulesOf(ids.front()));
    for (const std::string& id : ids) {
      const FeatureSchema schema(RulesOf(id));
      EXPECT_EQ(schema.hash(), first.hash()) << id;
      EXPECT_EQ(schema.planes(), first.planes()) << id;
      EXPECT_EQ(schema.constants(), first.constants()) << id;
    }
  }
}

TEST(SchemaTest, FamiliesHaveDifferentSchemas) {
  std::map<uint64_t, std::string> seen;
  for (const auto& [family, ids] : Families()) {
    const auto [at, is_new] = seen.emplace(FeatureSchema(RulesOf(ids.front())).hash(), family);
    EXPECT_TRUE(is_new) << family << " and " << at->second;
  }
  EXPECT_GE(seen.size(), 5U);
}

// Else one network for a family would have to play all of its variants alike.
TEST(SchemaTest, ConstantsTellTheVariantsOfAFamilyApart) {
  int pairs = 0;
  for (const auto& [family, ids] : Families()) {
    for (size_t i = 0; i < ids.size(); ++i) {
      for (size_t k = i + 1; k < ids.size(); ++k) {
        EXPECT_NE(ConstantsOfStart(RulesOf(ids[i])), ConstantsOfStart(RulesOf(ids[k])))
            << ids[i] << " and " << ids[k];
        ++pairs;
      }
    }
  }
  EXPECT_GE(pairs, 13);  // two families of four, one of two
}

struct RuleChange {
  std::string parent;
  std::string text;
};

TEST(SchemaTest, ConstantsShowAChangedRule) {
  const std::vector<RuleChange> changes = {
      {"shoxiang-sh-standard", "[rules]\nfacing_ban = true"},
      {"shoxiang-sh-standard", "[rules]\nstalemate = 'loss'"},
      {"shoxiang-sh-standard", "[rules]\nstalemate = 'win'"},
      {"shoxiang-sh-standard", "[rules]\nperpetual_check = 'loss'"},
      {"shoxiang-sh-standard", "[rules]\nno_progress_plies = 100"},
      {"shoxiang-sh-standard", "[rules]\nno_progress_plies = 0"},
      {"shoxiang-sh-standard", "[rules]\ndead_drops = true"},
      {"shoxiang-sh-standard", "[rules]\nrepetition = 'first_player_loses'"},
      {"shoxiang-sh-standard", "[rules]\nrepetition = 'second_player_loses'"},
      {"shoxiang-sh-standard", "[pieces.knight]\nthrough = 'any'"},
      {"shoxiang-sh-standard", "[pieces.elephant]\nthrough = 'any'"},
      {"xiangqi", "[rules]\nstalemate = 'draw'"},
      {"xiangqi", "[rules]\nfacing_ban = false"},
      {"switchback", "[toggles]\nknight_within_rank = true"},
  };
  for (const RuleChange& change : changes) {
    const std::shared_ptr<const Rules> changed = RulesFromText(
        "changed", "inherits = '" + change.parent + "'\nname = 'Changed'\n" + change.text + "\n");
    const Rules& parent = RulesOf(change.parent);
    EXPECT_NE(changed->hash(), parent.hash()) << change.text;
    EXPECT_EQ(FeatureSchema(*changed).hash(), FeatureSchema(parent).hash()) << change.text;
    EXPECT_NE(ConstantsOfStart(*changed), ConstantsOfStart(parent)) << change.text;
  }
}

TEST(SchemaTest, HashDependsOnBoardZonesAndPieces) {
  const std::string parent = "inherits = 'xiangqi'\nname = 'Changed'\n";
  const std::vector<std::string> changes = {
      // One cell of the zone is another's.
      "[zones]\nspare = { ranks = '2-4' }",
      // A kind of another name.
      "[pieces.visitor]\nname = 'Visitor'\nletter = 'V'\nmoves = [{ kind = 'step', dirs = "
      "'forward' }]",
      // Something to hold in hand.
      "[pieces.cannon]\nhand_form = 'cannon'",
      // Something to promote.
      "[pieces.cannon]\npromotions = [{ to = 'chariot', zone = 'across_river' }]",
  };
  std::map<uint64_t, std::string> seen = {{FeatureSchema(RulesOf("xiangqi")).hash(), "as it is"}};
  for (const std::string& change : changes) {
    std::string text = parent + change + "\n";
    if (change.find("hand_form") != std::string::npos) {
      const std::string start = RulesOf("xiangqi").definition().start_fen;
      text = "start_fen = '" + start.substr(0, start.find(' ')) + "[] w 0 1'\n" + text;
    }
    const auto [at, is_new] =
        seen.emplace(FeatureSchema(*RulesFromText("changed", text)).hash(), change);
    EXPECT_TRUE(is_new) << change << " is as " << at->second;
  }
}

// Positions from random games, which other tests of networks are built on.
TEST(RandomPositionsTest, AreOpenPositionsOfGames) {
  const Rules& rules = RulesOf("minishogi");
  const std::vector<SamplePosition> samples = RandomPositions(rules, 100, 7);
  const std::vector<SamplePosition> again = RandomPositions(rules, 100, 7);
  const std::vector<SamplePosition> other = RandomPositions(rules, 100, 8);
  ASSERT_EQ(samples.size(), 100U);
  int same = 0;
  for (size_t i = 0; i < samples.size(); ++i) {
    EXPECT_EQ(samples[i].position, again[i].position);
    same += samples[i].position == other[i].position ? 1 : 0;
    EXPECT_FALSE(samples[i].moves.empty());
    EXPECT_EQ(testing::LegalMoveTexts(samples[i].position).size(), samples[i].moves.size());
    EXPECT_EQ(samples[i].history.in_check(), History(samples[i].position).in_check());
    EXPECT_GT(samples[i].history.plies(), 0);
  }
  EXPECT_LT(same, 20);
}

}  // namespace
}  // namespace crossriver
