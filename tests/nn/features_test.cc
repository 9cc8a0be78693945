// What the features say of a position, plane by plane and number by number, worked out anew from
// the position and the names alone.
#include "nn/features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "core/variant_loader.h"
#include "tests/nn/feature_reader.h"
#include "tests/nn/nn_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::ConstantsByName;
using testing::FeatureReader;
using testing::MixedPositions;
using testing::OtherSideOf;
using testing::RulesOf;

class FeaturesTest : public ::testing::TestWithParam<std::string> {
 protected:
  const Rules& rules() const { return RulesOf(GetParam()); }
  std::vector<SamplePosition> Samples(int count) const { return MixedPositions(rules(), count, 3); }
};

// Whether a kind is what another is promoted to.
bool IsPromoted(const Rules& rules, Kind kind) {
  for (const PieceDefinition& piece : rules.definition().pieces) {
    for (const PromotionRule& rule : piece.promotions) {
      if (rule.to == kind) return true;
    }
  }
  return false;
}

// What a plane of this name has at a cell, as the mover sees the board.
bool ExpectedAt(const Position& position, const std::string& plane, Cell seen) {
  const Rules& rules = position.rules();
  const Topology& topology = rules.topology();
  const Side mover = position.side_to_move();
  const std::map<std::string, SquareSet>& zones = rules.definition().zones;
  if (plane == "board") return true;
  if (absl::StartsWith(plane, "zone ")) return zones.at(plane.substr(5)).Contains(seen);
  if (absl::StartsWith(plane, "enemy zone ")) {
    return zones.at(plane.substr(11)).Contains(topology.MirrorRank(seen));
  }
  const Cell cell = mover == Side::kFirst ? seen : topology.MirrorRank(seen);
  const Piece piece = position.piece_at(cell);
  if (piece == kNoPiece) return false;
  const Kind kind = KindOf(piece);
  const Kind base = rules.kind(kind).base;
  if (plane == "promoted") return IsPromoted(rules, kind);
  if (plane == "pending") return kind != base;
  const std::string owner = SideOf(piece) == mover ? "own " : "enemy ";
  return plane == owner + rules.kind(base).id;
}

TEST_P(FeaturesTest, PlanesSayWhatStandsWhere) {
  FeatureReader reader(&rules(), {});
  for (const SamplePosition& sample : Samples(30)) {
    const testing::Features features = reader.Read(sample.position, {});
    for (const auto& [name, cells] : features.planes) {
      for (Cell cell = 0; cell < rules().num_cells(); ++cell) {
        ASSERT_EQ(cells[static_cast<size_t>(cell)],
                  ExpectedAt(sample.position, name, cell) ? 1.0F : 0.0F)
            << name << " at " << rules().topology().Name(cell);
      }
    }
  }
}

// Every kind has its two planes, every zone is there once, and there is nothing else.
TEST_P(FeaturesTest, PlanesAreComplete) {
  const FeatureSchema schema(rules());
  std::multiset<std::string> expected = {"board"};
  std::vector<SquareSet> zones, shown;
  const auto add = [&zones, this](SquareSet set) {
    const bool is_new = std::find(zones.begin(), zones.end(), set) == zones.end();
    if (is_new && !set.empty() && set != rules().topology().all()) zones.push_back(set);
  };
  for (const auto& [name, set] : rules().definition().zones) {
    add(set);
    add(rules().topology().MirrorRank(set));
  }
  bool has_promoted = false, has_pending = false;
  for (Kind kind = 0; kind < rules().num_kinds(); ++kind) {
    has_promoted |= IsPromoted(rules(), kind);
    has_pending |= rules().kind(kind).is_pending(kind);
    if (rules().kind(kind).is_pending(kind)) continue;
    expected.insert("own " + rules().kind(kind).id);
    expected.insert("enemy " + rules().kind(kind).id);
  }
  if (has_promoted) expected.insert("promoted");
  if (has_pending) expected.insert("pending");
  std::multiset<std::string> have;
  for (const std::string& name : schema.planes()) {
    if (absl::StartsWith(name, "zone ")) {
      shown.push_back(rules().definition().zones.at(name.substr(5)));
    } else if (absl::StartsWith(name, "enemy zone ")) {
      const SquareSet set = rules().definition().zones.at(name.substr(11));
      shown.push_back(rules().topology().MirrorRank(set));
    } else {
      have.insert(name);
    }
  }
  EXPECT_EQ(have, expected);
  EXPECT_EQ(shown.size(), zones.size());
  for (const SquareSet& set : zones) EXPECT_EQ(std::count(shown.begin(), shown.end(), set), 1);
}

TEST_P(FeaturesTest, NamesAreDistinct) {
  const FeatureSchema schema(rules());
  std::set<std::string> names(schema.planes().begin(), schema.planes().end());
  EXPECT_EQ(names.size(), schema.planes().size());
  names = {schema.constants().begin(), schema.constants().end()};
  EXPECT_EQ(names.size(), schema.constants().size());
}

float ExpectedNoProgress(const Position& position) {
  const int limit = position.rules().game().no_progress_plies;
  if (limit == 0) return 0;
  const int steps = position.no_progress() / FeatureSchema::kNoProgressStep;
  return static_cast<float>(steps * FeatureSchema::kNoProgressStep) / static_cast<float>(limit);
}

TEST_P(FeaturesTest, ConstantsSayHandsCountsAndChecks) {
  FeatureReader reader(&rules(), {});
  for (const SamplePosition& sample : Samples(40)) {
    const Position& position = sample.position;
    for (const int occurrences : {1, 2, 3, 4}) {
      const FeatureContext context = {occurrences, occurrences % 2 == 0};
      ConstantsByName constants = reader.Read(position, context).constants;
      for (const Kind kind : rules().hand_kinds()) {
        const Side mover = position.side_to_move();
        const std::string& id = rules().kind(kind).id;
        ASSERT_EQ(constants.at("own hand " + id),
                  static_cast<float>(position.hand(mover, kind)) / 8);
        ASSERT_EQ(constants.at("enemy hand " + id),
                  static_cast<float>(position.hand(Other(mover), kind)) / 8);
      }
      EXPECT_EQ(constants.at("occurred 2 times"), occurrences >= 2 ? 1 : 0);
      EXPECT_EQ(constants.at("occurred 3 times"), occurrences >= 3 ? 1 : 0);
      EXPECT_EQ(constants.at("in check"), context.in_check ? 1 : 0);
      EXPECT_FLOAT_EQ(constants.at("no progress"), ExpectedNoProgress(position));
      EXPECT_FLOAT_EQ(constants.at("no-progress limit"),
                      static_cast<float>(rules().game().no_progress_plies) / 256);
    }
  }
}

TEST_P(FeaturesTest, RepetitionValueIsTheMovers) {
  FeatureReader reader(&rules(), {});
  for (const SamplePosition& sample : Samples(10)) {
    float expected = 0;
    const Side mover = sample.position.side_to_move();
    if (rules().game().repetition == RepetitionRule::kFirstPlayerLoses) {
      expected = mover == Side::kFirst ? -1 : 1;
    } else if (rules().game().repetition == RepetitionRule::kSecondPlayerLoses) {
      expected = mover == Side::kFirst ? 1 : -1;
    }
    EXPECT_EQ(reader.Read(sample.position, {}).constants.at("repetition value"), expected);
  }
}

TEST_P(FeaturesTest, ContextComesFromTheHistory) {
  for (const SamplePosition& sample : Samples(20)) {
    const FeatureContext context = ContextOf(sample.history);
    EXPECT_EQ(context.occurrences, sample.history.Occurrences());
    EXPECT_EQ(context.in_check, sample.history.in_check());
  }
}

TEST_P(FeaturesTest, EveryRulesSymmetryCommutes) {
  FeatureReader reader(&rules(), {});
  const SymmetryGroups groups = FindSymmetries(rules());
  for (const SamplePosition& sample : Samples(16)) {
    const FeatureContext context = ContextOf(sample.history);
    const testing::Features plain = reader.Read(sample.position, context);
    for (const Symmetry& symmetry : groups.rules) {
      const testing::Features asked = reader.Read(sample.position, context, &symmetry);
      EXPECT_EQ(asked, reader.Read(symmetry.Map(sample.position), context)) << symmetry.name();
      EXPECT_EQ(asked.constants, plain.constants);
      for (const auto& [name, cells] : plain.planes) {
        for (Cell cell = 0; cell < rules().num_cells(); ++cell) {
          ASSERT_EQ(asked.planes.at(name)[static_cast<size_t>(symmetry.Map(cell))],
                    cells[static_cast<size_t>(cell)])
              << name << " under " << symmetry.name();
        }
      }
    }
  }
}

// Both players see the same where they have the same.
TEST_P(FeaturesTest, SidesAreAlike) {
  FeatureReader reader(&rules(), {});
  for (const SamplePosition& sample : Samples(30)) {
    const FeatureContext context = ContextOf(sample.history);
    const testing::Features one = reader.Read(sample.position, context);
    testing::Features other = reader.Read(OtherSideOf(sample.position), context);
    EXPECT_EQ(one.planes, other.planes);
    EXPECT_EQ(one.constants.at("repetition value"), -other.constants.at("repetition value"));
    other.constants["repetition value"] = one.constants.at("repetition value");
    EXPECT_EQ(one.constants, other.constants);
  }
}

TEST_P(FeaturesTest, LayoutsAgree) {
  FeatureReader plain(&rules(), {});
  for (const ElementType type :
       {ElementType::kFloat32, ElementType::kBFloat16, ElementType::kFloat16}) {
    for (const bool channels_last : {true, false}) {
      for (const ColumnOrder columns : {ColumnOrder::kLetters, ColumnOrder::kBox}) {
        FeatureReader reader(&rules(), {type, channels_last, columns});
        EXPECT_EQ(reader.encoder().plane_bytes(),
                  static_cast<size_t>(rules().num_cells()) *
                      static_cast<size_t>(reader.encoder().schema().num_planes()) * BytesOf(type));
        for (const SamplePosition& sample : Samples(6)) {
          EXPECT_EQ(reader.Read(sample.position, {}), plain.Read(sample.position, {}))
              << ToString(type) << " " << channels_last;
        }
      }
    }
  }
}

TEST_P(FeaturesTest, PlacesFollowTheColumnOrder) {
  const Topology& topology = rules().topology();
  const FeatureEncoder letters(&rules(), {.columns = ColumnOrder::kLetters});
  const FeatureEncoder box(&rules(), {.columns = ColumnOrder::kBox});
  for (Cell cell = 0; cell < rules().num_cells(); ++cell) {
    const std::string name = topology.Name(cell);
    const Vec3 at = topology.At(cell);
    EXPECT_EQ(letters.PlaceOf(cell),
              (std::stoi(name.substr(1)) - 1) * topology.columns() + name[0] - 'a');
    EXPECT_EQ(box.PlaceOf(cell),
              (at.rank * topology.levels() + at.level) * topology.files() + at.file);
  }
}

INSTANTIATE_TEST_SUITE_P(All, FeaturesTest, ::testing::ValuesIn(BuiltinVariantIds()),
                         [](const auto& test) { return testing::TestName(test.param); });

}  // namespace
}  // namespace crossriver
