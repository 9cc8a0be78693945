// Legal moves against the distribution's Fairy-Stockfish, along random games of the variants it
// plays.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "core/attacks.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "core/variant_loader.h"
#include "selfplay/players/engine_client.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

constexpr absl::Duration kTimeout = absl::Seconds(30);

// The root moves of `go perft 1` on a position.
absl::StatusOr<std::vector<std::string>> EngineMoves(EngineProcess* engine,
                                                     const Position& position) {
  const std::string fen = SixFieldFen(position);
  for (const std::string& line : {absl::StrCat("position fen ", fen), std::string("go perft 1")}) {
    if (absl::Status sent = engine->Send(line); !sent.ok()) return sent;
  }
  auto lines = engine->ReadUntil("Nodes searched", kTimeout);
  if (!lines.ok()) return lines.status();
  std::vector<std::string> moves;
  for (const std::string& line : *lines) {
    const std::vector<std::string> parts = absl::StrSplit(line, ": ");
    if (parts.size() == 2 && parts[1] == "1" && parts[0] != "Nodes searched") {
      moves.push_back(parts[0]);
    }
  }
  std::sort(moves.begin(), moves.end());
  return moves;
}

// Asked for one ply, the engine lists drops that mate although the rules forbid them.
bool IsForbiddenDropMate(const Position& position, const std::string& text) {
  const Rules& rules = position.rules();
  for (const Kind kind : rules.hand_kinds()) {
    if (rules.kind(kind).drop_mate || rules.kind(kind).letter + "@" != text.substr(0, 2)) continue;
    Cell cell = 0;
    while (rules.topology().Name(cell) != text.substr(2)) ++cell;
    Position after = position;
    after.Do(Move::Drop(kind, cell));
    return InCheck(after) && !HasLegalMove(after);
  }
  return false;
}

class EngineMovesTest : public ::testing::TestWithParam<std::string> {
 protected:
  // Compares one position; returns our moves.
  std::vector<std::string> Compare(EngineProcess* engine, const Position& position) {
    std::vector<std::string> ours = testing::LegalMoveTexts(position);
    const absl::StatusOr<std::vector<std::string>> theirs = EngineMoves(engine, position);
    EXPECT_TRUE(theirs.ok()) << theirs.status();
    std::vector<std::string> allowed = theirs.value_or(std::vector<std::string>());
    allowed.erase(std::remove_if(
                      allowed.begin(), allowed.end(),
                      [&](const std::string& text) { return IsForbiddenDropMate(position, text); }),
                  allowed.end());
    EXPECT_EQ(ours, allowed) << FormatFen(position);
    return ours;
  }
};

TEST_P(EngineMovesTest, AgreeAlongRandomGames) {
  const std::string path = FindFairyStockfish();
  if (path.empty()) GTEST_SKIP() << "fairy-stockfish is not installed";
  std::signal(SIGPIPE, SIG_IGN);
  const Rules& rules = testing::RulesOf(GetParam());
  EngineSettings settings;
  settings.command = {path};
  const auto engine = EngineClient::Start(settings, rules);
  ASSERT_TRUE(engine.ok()) << engine.status();
  std::mt19937_64 random(static_cast<uint64_t>(testing::FromEnvironment("CROSSRIVER_SEED", 1)));
  const int wanted = testing::FromEnvironment("CROSSRIVER_ENGINE_POSITIONS", 2000);
  int positions = 0;
  while (positions < wanted && !HasFailure()) {
    Position position = StartPosition(rules);
    for (int ply = 0; ply < 200 && positions < wanted && !HasFailure(); ++ply) {
      const std::vector<std::string> moves = Compare((*engine)->process(), position);
      ++positions;
      if (moves.empty()) break;
      position.Do(*ParseMove(position, moves[random() % moves.size()]));
      // The engine's FEN has no range for this count; ours has.
      position.SetCounts(0, position.move_number());
    }
  }
  EXPECT_EQ(positions, wanted);
}

std::vector<std::string> VariantsWithEngine() {
  std::vector<std::string> ids;
  for (const std::string& id : BuiltinVariantIds()) {
    if (!testing::RulesOf(id).definition().reference.uci_variant.empty()) ids.push_back(id);
  }
  return ids;
}

INSTANTIATE_TEST_SUITE_P(Variants, EngineMovesTest, ::testing::ValuesIn(VariantsWithEngine()),
                         [](const auto& variant) { return testing::TestName(variant.param); });

}  // namespace
}  // namespace crossriver
