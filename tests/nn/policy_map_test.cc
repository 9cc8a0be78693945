// Moves as the policy head scores them.
#include "nn/policy_map.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/variant_loader.h"
#include "tests/nn/nn_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::MixedPositions;
using testing::RulesOf;

using Pair = std::pair<int, int>;
Pair PairOf(PolicyAction action) { return {action.start, action.end}; }

class PolicyMapTest : public ::testing::TestWithParam<std::string> {
 protected:
  const Rules& rules() const { return RulesOf(GetParam()); }
  std::vector<SamplePosition> Samples(int count) const { return MixedPositions(rules(), count, 9); }
};

TEST_P(PolicyMapTest, LegalMovesHaveActionsOfTheirOwn) {
  for (const ColumnOrder columns : {ColumnOrder::kLetters, ColumnOrder::kBox}) {
    const FeatureEncoder encoder(&rules(), {.columns = columns});
    const PolicyMap map(&rules(), encoder);
    EXPECT_EQ(map.num_cells(), rules().num_cells());
    for (const SamplePosition& sample : Samples(100)) {
      std::set<Pair> seen;
      for (const Move move : sample.moves) {
        const PolicyAction action = map.Of(move, sample.position.side_to_move(), nullptr);
        EXPECT_TRUE(seen.insert(PairOf(action)).second);
        EXPECT_GE(action.start, 0);
        EXPECT_LT(action.start, map.num_starts());
        EXPECT_GE(action.end, 0);
        EXPECT_LT(action.end, map.num_cells());
      }
    }
  }
}

// Start and end are where the features show the piece and its destination.
TEST_P(PolicyMapTest, ActionsAreMadeOfPlaces) {
  const int cells = rules().num_cells();
  for (const ColumnOrder columns : {ColumnOrder::kLetters, ColumnOrder::kBox}) {
    const FeatureEncoder encoder(&rules(), {.columns = columns});
    const PolicyMap map(&rules(), encoder);
    for (const SamplePosition& sample : Samples(600)) {
      const Side mover = sample.position.side_to_move();
      const auto place = [&](Cell cell) {
        return encoder.PlaceOf(mover == Side::kFirst ? cell : rules().topology().MirrorRank(cell));
      };
      std::set<int> drop_starts;
      std::set<Kind> dropped;
      for (const Move move : sample.moves) {
        const PolicyAction action = map.Of(move, mover, nullptr);
        EXPECT_EQ(action.end, place(move.to()));
        EXPECT_EQ(map.IsDrop(action.start), move.is_drop());
        if (move.is_drop()) {
          drop_starts.insert(action.start);
          dropped.insert(move.drop_kind());
          continue;
        }
        EXPECT_EQ(action.start, place(move.from()) + (move.promotes() ? cells : 0));
        EXPECT_EQ(map.ReplyStart(action.start), place(move.from()));
      }
      EXPECT_EQ(drop_starts.size(), dropped.size());
    }
  }
}

// The reply head has an output for each cell and one for each kind in hand.
TEST_P(PolicyMapTest, ReplyStartsForgetPromotion) {
  const FeatureEncoder encoder(&rules(), {});
  const PolicyMap map(&rules(), encoder);
  const NetworkShape shape = ShapeOf(rules(), encoder.schema());
  EXPECT_EQ(shape.cells(), rules().num_cells());
  EXPECT_EQ(shape.hand_kinds, static_cast<int>(rules().hand_kinds().size()));
  EXPECT_EQ(map.num_starts(), (shape.cell_vectors() - 1) * shape.cells() + shape.hand_kinds);
  std::set<int> drops;
  for (int start = 0; start < map.num_starts(); ++start) {
    const int reply = map.ReplyStart(start);
    if (map.IsDrop(start)) {
      EXPECT_GE(reply, shape.cells());
      EXPECT_LT(reply, shape.cells() + shape.hand_kinds);
      drops.insert(reply);
    } else {
      EXPECT_EQ(reply, start < shape.cells() ? start : start - shape.cells());
    }
  }
  EXPECT_EQ(static_cast<int>(drops.size()), shape.hand_kinds);
}

TEST_P(PolicyMapTest, CommutesWithSymmetries) {
  const FeatureEncoder encoder(&rules(), {});
  const PolicyMap map(&rules(), encoder);
  const SymmetryGroups groups = FindSymmetries(rules());
  for (const SamplePosition& sample : Samples(40)) {
    const Side mover = sample.position.side_to_move();
    for (const Symmetry& symmetry : groups.rules) {
      for (const Move move : sample.moves) {
        EXPECT_EQ(PairOf(map.Of(move, mover, &symmetry)),
                  PairOf(map.Of(symmetry.Map(move), mover, nullptr)));
      }
    }
  }
}

// The same move by the other player, seen from the other side, is the same action.
TEST_P(PolicyMapTest, SidesAreAlike) {
  const FeatureEncoder encoder(&rules(), {});
  const PolicyMap map(&rules(), encoder);
  const Topology& topology = rules().topology();
  for (const SamplePosition& sample : Samples(40)) {
    const Side mover = sample.position.side_to_move();
    for (const Move move : sample.moves) {
      const Cell to = topology.MirrorRank(move.to());
      const Move other = move.is_drop()
                             ? Move::Drop(move.drop_kind(), to)
                             : Move::Board(topology.MirrorRank(move.from()), to, move.promotes());
      EXPECT_EQ(PairOf(map.Of(move, mover, nullptr)), PairOf(map.Of(other, Other(mover), nullptr)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, PolicyMapTest, ::testing::ValuesIn(BuiltinVariantIds()),
                         [](const auto& test) { return testing::TestName(test.param); });

}  // namespace
}  // namespace crossriver
