// The rules against an independent implementation: tests/data/conformance.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "core/adjudicator.h"
#include "core/history.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "core/perft.h"
#include "core/variant_loader.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using nlohmann::json;
using testing::LegalMoveTexts;
using testing::RulesOf;

constexpr char kFolder[] = "tests/data/conformance/";

std::string TextOrEmpty(const json& value) {
  return value.is_null() ? "" : value.get<std::string>();
}

class PositionsTest : public ::testing::TestWithParam<std::string> {};

TEST_P(PositionsTest, MovesChecksAndEndings) {
  const Rules& rules = RulesOf(GetParam());
  int positions = 0;
  for (const std::string& line : testing::ReadLines(kFolder + GetParam() + ".jsonl")) {
    SCOPED_TRACE(line);
    const json expected = json::parse(line);
    const absl::StatusOr<Position> position = ParseFen(rules, expected["fen"].get<std::string>());
    ASSERT_TRUE(position.ok()) << position.status();
    EXPECT_EQ(FormatFen(*position), expected["fen"].get<std::string>());
    EXPECT_EQ(LegalMoveTexts(*position), expected["moves"].get<std::vector<std::string>>());
    const History history(*position);
    EXPECT_EQ(history.in_check(), expected["in_check"].get<bool>());
    Outcome outcome;
    if (!HasLegalMove(*position)) outcome = AdjudicateNoMove(*position, history.in_check());
    EXPECT_EQ(std::string(ToString(outcome.result)), TextOrEmpty(expected["result"]));
    ++positions;
  }
  EXPECT_GT(positions, 100);
}

INSTANTIATE_TEST_SUITE_P(Variants, PositionsTest, ::testing::ValuesIn(BuiltinVariantIds()),
                         [](const auto& variant) { return testing::TestName(variant.param); });

TEST(EndingsTest, ResultsAndReasons) {
  int games = 0;
  for (const std::string& line : testing::ReadLines(std::string(kFolder) + "endings.jsonl")) {
    SCOPED_TRACE(line);
    const json expected = json::parse(line);
    const Rules& rules = RulesOf(expected["variant"].get<std::string>());
    absl::StatusOr<Position> position = ParseFen(rules, expected["start"].get<std::string>());
    ASSERT_TRUE(position.ok()) << position.status();
    History history(*position);
    for (const json& text : expected["line"]) {
      const absl::StatusOr<Move> move = ParseMove(*position, text.get<std::string>());
      ASSERT_TRUE(move.ok()) << move.status();
      const UndoRecord undo = position->Do(*move);
      history.Push(*position, undo);
    }
    EXPECT_EQ(LegalMoveTexts(*position), expected["moves"].get<std::vector<std::string>>());
    EXPECT_EQ(history.in_check(), expected["in_check"].get<bool>());
    const Outcome outcome = Adjudicate(*position, history, HasLegalMove(*position));
    EXPECT_EQ(std::string(ToString(outcome.result)), TextOrEmpty(expected["result"]));
    EXPECT_EQ(std::string(ToString(outcome.reason)), TextOrEmpty(expected["reason"]));
    // The count that shogi's FEN shows ends nothing and is not part of the comparison.
    if (rules.game().no_progress_plies > 0) {
      EXPECT_EQ(FormatFen(*position), expected["fen"].get<std::string>());
    }
    ++games;
  }
  EXPECT_GT(games, 500);
}

TEST(PerftTest, GoldenCounts) {
  const json entries = json::parse(testing::ReadText(std::string(kFolder) + "perft.json"));
  for (const json& entry : entries) {
    SCOPED_TRACE(entry.dump());
    const Rules& rules = RulesOf(entry["variant"].get<std::string>());
    const absl::StatusOr<Position> position = ParseFen(rules, entry["fen"].get<std::string>());
    ASSERT_TRUE(position.ok()) << position.status();
    for (const auto& [depth, count] : entry["perft"].items()) {
      PerftOptions options;
      options.depth = std::stoi(depth);
      EXPECT_EQ(Perft(*position, options), count.get<uint64_t>()) << "depth " << depth;
    }
  }
  EXPECT_GT(entries.size(), 50u);
}

// All ways to count agree: in bulk or not, undoing or copying, on one thread or on two.
TEST(PerftTest, WaysAgree) {
  for (const std::string& id : BuiltinVariantIds()) {
    SCOPED_TRACE(id);
    const Position start = StartPosition(RulesOf(id));
    PerftOptions options;
    options.depth = 3;
    const uint64_t expected = Perft(start, options);
    options.bulk = false;
    EXPECT_EQ(Perft(start, options), expected);
    options.copy_make = true;
    EXPECT_EQ(Perft(start, options), expected);
    options.threads = 2;
    EXPECT_EQ(Perft(start, options), expected);
  }
}

}  // namespace
}  // namespace crossriver
