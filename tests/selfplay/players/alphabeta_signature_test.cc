// How the alpha-beta engine plays, as one number a variant: it is a rung of rating ladders, and so
// must not change by accident.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/fingerprint.h"
#include "core/variant_loader.h"
#include "selfplay/players/alphabeta.h"
#include "tests/selfplay/players/alphabeta_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::PlayedGame;

struct Signature {
  int64_t nodes = 0;
  uint64_t hash = 0;

  friend bool operator==(const Signature&, const Signature&) = default;
};

const std::map<std::string, Signature>& Expected() {
  static const auto* const expected = new std::map<std::string, Signature>{
      {"minishogi", {17120, 0xfe6c418d299883f2}},
      {"shogi", {24281, 0xae988c1ee078d076}},
      {"shoxiang-sh-centrewise", {22210, 0x476a044ee041a158}},
      {"shoxiang-sh-standard", {22094, 0x37f80580aef8f4a5}},
      {"shoxiang-sh-strong", {24595, 0xd66c2abc264e4b4b}},
      {"shoxiang-sh-weak", {22084, 0x8d9b41824f0053d1}},
      {"shoxiang-xq-centrewise", {35064, 0x88e4605c4291275d}},
      {"shoxiang-xq-standard", {23678, 0x8fb182987413baa2}},
      {"shoxiang-xq-strong", {24306, 0x12e856fe52b71f6c}},
      {"shoxiang-xq-weak", {26922, 0xbd2a7aecf4e254bb}},
      {"switchback", {24892, 0x92160e03798b5c5d}},
      {"switchback-open", {25710, 0xa015067cdbcd047}},
      {"xiangqi", {20668, 0xbe93a8b22f4470df}},
  };
  return *expected;
}

// Searches along one game, from the array and after random moves, to a depth and to a node limit.
Signature SignatureOf(const std::string& variant) {
  std::string text;
  Signature signature;
  const auto search = [&](const AlphaBetaOptions& options) {
    AlphaBeta engine(testing::SharedRulesOf(variant), options);
    for (const int plies : {0, 10, 40, 80}) {
      const PlayedGame game = testing::RandomGame(testing::RulesOf(variant), 7, plies);
      const AlphaBetaResult result = engine.Search(game.position, game.history);
      signature.nodes += result.nodes;
      absl::StrAppend(&text, result.move.raw(), " ", result.score, " ", result.depth, " ",
                      result.nodes, "\n");
    }
  };
  AlphaBetaOptions by_depth;
  by_depth.nodes = 1'000'000;
  by_depth.max_depth = 4;
  search(by_depth);
  AlphaBetaOptions by_nodes;
  by_nodes.nodes = 4'000;
  search(by_nodes);
  signature.hash = HashBytes(text);
  return signature;
}

class AlphaBetaSignatureTest : public ::testing::TestWithParam<std::string> {};

TEST_P(AlphaBetaSignatureTest, IsUnchanged) {
  const Signature signature = SignatureOf(GetParam());
  const auto expected = Expected().find(GetParam());
  EXPECT_TRUE(expected != Expected().end() && expected->second == signature)
      << "The alpha-beta engine plays otherwise than it did, now {\"" << GetParam() << "\", {"
      << signature.nodes << ", 0x" << absl::StrCat(absl::Hex(signature.hash))
      << "}}. Ratings of ladders played before do not compare with new ones: if the change is "
         "meant, write the new signature here, and rate anew.";
}

INSTANTIATE_TEST_SUITE_P(Variants, AlphaBetaSignatureTest, ::testing::ValuesIn(BuiltinVariantIds()),
                         [](const auto& variant) { return testing::TestName(variant.param); });

}  // namespace
}  // namespace crossriver
