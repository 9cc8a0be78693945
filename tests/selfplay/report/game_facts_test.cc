// What a game says, against plain comparison of its boards.
#include "selfplay/report/game_facts.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/attacks.h"
#include "core/movegen.h"
#include "core/notation.h"
#include "selfplay/report/material_columns.h"
#include "tests/selfplay/record_helpers.h"
#include "tests/test_data.h"

namespace crossriver {
namespace {

using testing::RulesOf;

// The name that people know a piece by, without regard to pending forms.
std::string NameOf(const Rules& rules, Piece piece) {
  return rules.kind(rules.kind(KindOf(piece)).base).name;
}

// The differences of a position by name, cell by cell.
std::map<std::string, int> PlainDifferences(const Position& position) {
  const Rules& rules = position.rules();
  std::map<std::string, int> differences;
  for (Cell cell = 0; cell < rules.num_cells(); ++cell) {
    const Piece piece = position.piece_at(cell);
    if (piece == kNoPiece || rules.kind(KindOf(piece)).royal) continue;
    differences[NameOf(rules, piece)] += SideOf(piece) == Side::kFirst ? 1 : -1;
  }
  for (const Kind kind : rules.hand_kinds()) {
    differences[rules.kind(kind).name + " in hand"] +=
        position.hand(Side::kFirst, kind) - position.hand(Side::kSecond, kind);
  }
  std::erase_if(differences, [](const auto& entry) { return entry.second == 0; });
  return differences;
}

std::map<std::string, int> SpellDifferences(const MaterialColumns& columns,
                                            const MaterialSpells& spells, size_t spell) {
  std::map<std::string, int> differences;
  for (int i = 0; i < columns.size(); ++i) {
    const auto value = static_cast<int>(
        spells.differences[spell * static_cast<size_t>(columns.size()) + static_cast<size_t>(i)]);
    if (value != 0) differences[columns.column(i).name] = value;
  }
  return differences;
}

// Everything of a game from its boards alone.
struct PlainFacts {
  GameFacts facts;
  std::map<std::string, PieceDeeds> deeds;
  std::vector<std::map<std::string, int>> quiet;  // differences, a position each
};

void CompareBoards(const Position& before, const Position& after, Move move, PlainFacts* plain) {
  const Rules& rules = before.rules();
  if (FormatMove(rules, move).find('@') != std::string::npos) {
    ++plain->facts.drops;
    ++plain->deeds[NameOf(rules, after.piece_at(move.to()))].drops;
    return;
  }
  const std::string mover = NameOf(rules, before.piece_at(move.from()));
  PieceDeeds& deeds = plain->deeds[mover];
  ++deeds.moves;
  if (NameOf(rules, after.piece_at(move.to())) != mover) {
    ++plain->facts.promotions;
    ++deeds.promotions;
  }
  int taken = 0;
  for (Cell cell = 0; cell < rules.num_cells(); ++cell) {
    const Piece piece = before.piece_at(cell);
    if (piece == kNoPiece || cell == move.from() || after.piece_at(cell) == piece) continue;
    ++taken;
    ++deeds.captures;
    ++plain->deeds[NameOf(rules, piece)].captured;
    if (cell != move.to()) ++plain->facts.displacer_captures;
  }
  plain->facts.captures += taken;
  if (taken == 2) ++plain->facts.double_captures;
}

PlainFacts PlainFactsOf(const Rules& rules, const GameRecord& record) {
  PlainFacts plain;
  Position position = *ParseFen(rules, record.start_fen);
  bool captured_before = false;
  for (size_t ply = 0; ply <= record.moves.size(); ++ply) {
    if (InCheck(position)) ++plain.facts.checks;
    const Position before = position;
    const int captures = plain.facts.captures;
    if (ply < record.moves.size()) {
      plain.facts.choices.push_back(static_cast<int>(CountLegalMoves(position)));
      position.Do(record.moves[ply].move);
      CompareBoards(before, position, record.moves[ply].move, &plain);
    }
    const bool captured = plain.facts.captures > captures;
    if (!captured && !captured_before) plain.quiet.push_back(PlainDifferences(before));
    captured_before = captured;
  }
  return plain;
}

class GameFactsTest : public ::testing::TestWithParam<const char*> {};

TEST_P(GameFactsTest, AgainstBoards) {
  const Rules& rules = RulesOf(GetParam());
  const MaterialColumns columns(rules);
  GameFacts sum;
  for (uint64_t id = 1; id <= 20; ++id) {
    const GameRecord record = testing::RandomRecord(rules, id, 250);
    const absl::StatusOr<GameFacts> facts = ExamineGame(columns, record);
    ASSERT_TRUE(facts.ok()) << facts.status();
    const PlainFacts plain = PlainFactsOf(rules, record);
    EXPECT_EQ(facts->result, record.result);
    EXPECT_EQ(facts->plies, static_cast<int>(record.moves.size()));
    EXPECT_EQ(facts->captures, plain.facts.captures);
    EXPECT_EQ(facts->displacer_captures, plain.facts.displacer_captures);
    EXPECT_EQ(facts->double_captures, plain.facts.double_captures);
    EXPECT_EQ(facts->drops, plain.facts.drops);
    EXPECT_EQ(facts->promotions, plain.facts.promotions);
    EXPECT_EQ(facts->checks, plain.facts.checks);
    EXPECT_EQ(facts->choices, plain.facts.choices);
    std::map<std::string, PieceDeeds> deeds;
    for (Kind kind = 0; kind < rules.num_kinds(); ++kind) {
      const PieceDeeds& of = facts->deeds[static_cast<size_t>(kind)];
      if (!(of == PieceDeeds())) deeds[rules.kind(kind).name] = of;
    }
    EXPECT_EQ(deeds, plain.deeds);
    std::vector<std::map<std::string, int>> quiet;
    for (size_t i = 0; i < facts->material.plies.size(); ++i) {
      quiet.insert(quiet.end(), static_cast<size_t>(facts->material.plies[i]),
                   SpellDifferences(columns, facts->material, i));
    }
    EXPECT_EQ(quiet, plain.quiet);
    sum.captures += facts->captures;
    sum.drops += facts->drops;
    sum.promotions += facts->promotions;
    sum.displacer_captures += facts->displacer_captures;
  }
  // That there was something to compare.
  EXPECT_GT(sum.captures, 20);
  EXPECT_GT(sum.promotions, 5);
  EXPECT_EQ(sum.drops > 5, rules.has_drops());
}

INSTANTIATE_TEST_SUITE_P(Variants, GameFactsTest,
                         ::testing::Values("minishogi", "shogi", "switchback", "shoxiang-sh-strong",
                                           "shoxiang-xq-standard"),
                         [](const auto& variant) { return testing::TestName(variant.param); });

TEST(GameFactsTest, DisplacersAreThere) {
  const Rules& rules = RulesOf("shoxiang-sh-strong");
  const MaterialColumns columns(rules);
  int displaced = 0;
  int twice = 0;
  for (uint64_t id = 1; id <= 40; ++id) {
    const auto facts = ExamineGame(columns, testing::RandomRecord(rules, id, 300));
    ASSERT_TRUE(facts.ok()) << facts.status();
    displaced += facts->displacer_captures;
    twice += facts->double_captures;
  }
  EXPECT_GT(displaced, 0);
  EXPECT_LE(twice, displaced);
}

TEST(GameFactsTest, Ends) {
  GameRecord record;
  const auto end = [&record](Reason reason, bool resigned, bool truncated) {
    record.reason = reason;
    record.resigned = resigned;
    record.truncated = truncated;
    return GameEndText(EndOfGame(record));
  };
  EXPECT_EQ(end(Reason::kCheckmate, false, false), "checkmate");
  EXPECT_EQ(end(Reason::kStalemate, false, false), "stalemate");
  EXPECT_EQ(end(Reason::kRepetition, false, false), "repetition");
  EXPECT_EQ(end(Reason::kPerpetualCheck, false, false), "perpetual check");
  EXPECT_EQ(end(Reason::kNoProgress, false, false), "no progress");
  EXPECT_EQ(end(Reason::kNone, true, false), "resignation");
  EXPECT_EQ(end(Reason::kNone, false, true), "cut short");
  EXPECT_EQ(end(Reason::kNone, false, false), "agreement");
}

TEST(GameFactsTest, AnIllegalMove) {
  const Rules& rules = RulesOf("minishogi");
  GameRecord record = testing::RandomRecord(rules, 3, 12);
  record.moves[4].move = Move();
  EXPECT_FALSE(ExamineGame(MaterialColumns(rules), record).ok());
}

TEST(MaterialColumnsTest, Array) {
  const MaterialColumns columns(RulesOf("minishogi"));
  std::map<std::string, int> array;
  for (int i = 0; i < columns.size(); ++i) {
    const MaterialColumn& column = columns.column(i);
    EXPECT_GT(column.prior, 0) << column.name;
    array[column.name] = column.in_array;
  }
  // Board and hand, promoted pieces too; no King.
  EXPECT_EQ(array.at("Pawn"), 1);
  EXPECT_EQ(array.at("Rook"), 1);
  EXPECT_EQ(array.at("Pawn in hand"), 0);
  EXPECT_EQ(array.count("King"), 0U);
  std::set<std::string> in_play;
  for (int i = 0; i < columns.size(); ++i) {
    if (columns.column(i).in_play) in_play.insert(columns.column(i).name);
  }
  EXPECT_EQ(in_play, (std::set<std::string>{"Rook", "Dragon", "Bishop", "Horse", "Gold", "Silver",
                                            "promoted Silver", "Pawn", "promoted Pawn",
                                            "Rook in hand", "Bishop in hand", "Gold in hand",
                                            "Silver in hand", "Pawn in hand"}));
}

}  // namespace
}  // namespace crossriver
